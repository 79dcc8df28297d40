package pocd

import (
	"context"
	"errors"
	"fmt"
	"math"

	"schedgap/exact/verify/core"
	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/proof"
)

// Multiplier is the kind of proof of pocd: line 2 is a solution, unless only a bound is claimed, and the last line, unless α
// is inf, a multiplier. docs/bounds-and-proofs.md#proofs-of-pocd says what they prove.
const Multiplier = "pocd-multiplier"

// Solution is the line with the extra copies by job and task, as in the instance.
type Solution struct {
	Solution pocd.Copies `json:"solution"`
}

// Price is the line with the price of a copy.
type Price struct {
	Multiplier float64 `json:"multiplier"`
}

// Verify checks a proof about a pocd instance whose canonical file has the given hash. A nil error says that its claim is proven.
func Verify(p *proof.Proof, in *pocd.Instance, sha256 string) (models.Verdict, error) {
	return core.Follow(p, pocd.Problem.Name, in, sha256, map[string]core.Rule[*pocd.Instance]{
		Multiplier: {
			References: []string{pocd.Opt, pocd.OptAll}, Check: check,
			Solution: core.Solution(false, func(in *pocd.Instance, s *Solution, reference string) (core.Interval, models.Accuracy, error) {
				worth, err := enclosed(in, reference == pocd.OptAll, s.Solution)
				return core.Interval{Lo: 2*worth.Lo - worth.Hi, Hi: worth.Lo}, models.Accuracy{}, err
			}),
		},
	})
}

func check(r *core.Reader, in *pocd.Instance) error {
	var price Price
	if !math.IsInf(in.Alpha, 1) {
		if err := r.Read(&price); err != nil {
			return err
		}
	}
	return Bound(context.Background(), in, r.Header.Reference == pocd.OptAll, price.Multiplier, *r.Header.Bound)
}

// Value returns a lower bound on the value of a solution. The error says why it is no solution of the reference: all is
// opt-all.
func Value(in *pocd.Instance, all bool, copies pocd.Copies) (float64, error) {
	worth, err := enclosed(in, all, copies)
	return worth.Lo, err
}

func enclosed(in *pocd.Instance, all bool, copies pocd.Copies) (core.Interval, error) {
	if len(copies) != len(in.Jobs) {
		return core.Interval{}, fmt.Errorf("copies for %d jobs of %d", len(copies), len(in.Jobs))
	}
	spare := in.Spare()
	infinite := math.IsInf(in.Alpha, 1)
	worth := core.Point(0)
	if infinite {
		worth = core.Point(1)
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if len(copies[j]) != len(job.Tasks) {
			return worth, fmt.Errorf("job %s: copies for %d tasks of %d", job.ID, len(copies[j]), len(job.Tasks))
		}
		logP, dead := core.Point(0), false
		for i, r := range copies[j] {
			switch {
			case r < 0 || r > in.MaxCopies || r > 0 && !all && !job.Tasks[i].Straggler:
				return worth, fmt.Errorf("job %s, task %s: %d copies are not allowed", job.ID, job.Tasks[i].ID, r)
			case r > spare:
				return worth, errors.New("there are more copies than spare machines")
			}
			spare -= r
			miss, hopeless := missOf(job, i)
			dead = dead || hopeless
			if !dead {
				logP = logP.Plus(meets(miss, r))
			}
		}
		switch {
		case dead: // worth 0, or left out
		case infinite:
			worth = core.Least(worth, logP.Exp())
		default:
			worth = worth.Plus(utility(in.Alpha, logP))
		}
	}
	return worth, nil
}

// missOf is β_i·ln q_i in units of 2^-512, in units of 1 it may be too small; true: q_i is 1, by the definition's tolerance.
func missOf(job *pocd.Job, i int) (miss core.Interval, hopeless bool) {
	if job.Late(i) {
		return core.Interval{}, true
	}
	t := &job.Tasks[i]
	left := core.Exactly(job.Deadline)
	left.Sub(left, core.Exactly(job.Elapsed))
	need := core.Exactly(1)
	need.Sub(need, core.Exactly(t.Progress)).Mul(need, core.Exactly(t.TMin))
	slack := core.Exactly(0).Sub(left, need)
	var logQ core.Interval
	if half := core.Exactly(2); half.Mul(half, slack).Cmp(left) < 0 {
		logQ = core.Enclose(slack.Quo(slack, left)).Negated().Log1p()
	} else {
		logQ = core.Logarithm(need.Quo(need, left))
	}
	return core.Point(t.Beta).Times(core.Interval{Lo: logQ.Lo * 0x1p512, Hi: logQ.Hi * 0x1p512}), false
}

// meets is ln R_i(r) of a task whose β_i·ln q_i is miss.
func meets(miss core.Interval, r int) core.Interval {
	x := miss.Times(core.Integer(r + 1))
	if x.Lo > -0x1p-400 { // 1 − eˣ is less than −x, by a part of x/2
		log := x.Negated().Log().Minus(core.Ln2.Times(core.Point(512)))
		return core.Interval{Lo: core.Down(log.Lo), Hi: log.Hi}
	}
	return core.Interval{Lo: x.Lo * 0x1p-512, Hi: x.Hi * 0x1p-512}.Log1mexp()
}

// utility is U_α of a probability given by its logarithm, for finite α.
func utility(alpha float64, logP core.Interval) core.Interval {
	switch {
	case alpha == 0:
		return logP.Exp()
	case alpha == 1:
		return logP
	case alpha < 1:
		share := core.Point(1).Minus(core.Point(alpha))
		return share.Times(logP).Exp().Over(share)
	}
	share := core.Point(alpha).Minus(core.Point(1))
	return share.Times(logP.Negated()).Exp().Over(share).Negated()
}
