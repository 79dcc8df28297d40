package verify

import (
	"context"
	"errors"
	"fmt"
	"math"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/proof"
)

// PocdMultiplier is the kind of proof of pocd: line 2 is a solution, unless only a bound is claimed, and the last line, unless α
// is inf, a multiplier. docs/bounds-and-proofs.md#proofs-of-pocd says what they prove.
const PocdMultiplier = "pocd-multiplier"

// PocdSolution is the line with the extra copies by job and task, as in the instance.
type PocdSolution struct {
	Solution pocd.Copies `json:"solution"`
}

// PocdPrice is the line with the price of a copy.
type PocdPrice struct {
	Multiplier float64 `json:"multiplier"`
}

// Pocd checks a proof about a pocd instance whose canonical file has the given hash. A nil error says that its claim is proven.
func Pocd(p *proof.Proof, in *pocd.Instance, sha256 string) (models.Verdict, error) {
	return follow(p, pocd.Problem.Name, in, sha256, map[string]rule[*pocd.Instance]{
		PocdMultiplier: {
			references: []string{pocd.Opt, pocd.OptAll}, check: checkPocd,
			solution: solution(false, func(in *pocd.Instance, s *PocdSolution, reference string) (interval, models.Accuracy, error) {
				worth, err := pocdValue(in, reference == pocd.OptAll, s.Solution)
				return interval{2*worth.lo - worth.hi, worth.lo}, models.Accuracy{}, err
			}),
		},
	})
}

func checkPocd(r *reader, in *pocd.Instance) error {
	var price PocdPrice
	if !math.IsInf(in.Alpha, 1) {
		if err := r.read(&price); err != nil {
			return err
		}
	}
	return PocdBound(context.Background(), in, r.Header.Reference == pocd.OptAll, price.Multiplier, *r.Header.Bound)
}

// PocdValue returns a lower bound on the value of a solution. The error says why it is no solution of the reference: all is
// opt-all.
func PocdValue(in *pocd.Instance, all bool, copies pocd.Copies) (float64, error) {
	worth, err := pocdValue(in, all, copies)
	return worth.lo, err
}

func pocdValue(in *pocd.Instance, all bool, copies pocd.Copies) (interval, error) {
	if len(copies) != len(in.Jobs) {
		return interval{}, fmt.Errorf("copies for %d jobs of %d", len(copies), len(in.Jobs))
	}
	spare := in.Spare()
	infinite := math.IsInf(in.Alpha, 1)
	worth := point(0)
	if infinite {
		worth = point(1)
	}
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if len(copies[j]) != len(job.Tasks) {
			return worth, fmt.Errorf("job %s: copies for %d tasks of %d", job.ID, len(copies[j]), len(job.Tasks))
		}
		logP, dead := point(0), false
		for i, r := range copies[j] {
			switch {
			case r < 0 || r > in.MaxCopies || r > 0 && !all && !job.Tasks[i].Straggler:
				return worth, fmt.Errorf("job %s, task %s: %d copies are not allowed", job.ID, job.Tasks[i].ID, r)
			case r > spare:
				return worth, errors.New("there are more copies than spare machines")
			}
			spare -= r
			miss, hopeless := pocdMiss(job, i)
			dead = dead || hopeless
			if !dead {
				logP = logP.plus(pocdMeets(miss, r))
			}
		}
		switch {
		case dead: // worth 0, or left out
		case infinite:
			worth = least(worth, logP.exp())
		default:
			worth = worth.plus(pocdUtility(in.Alpha, logP))
		}
	}
	return worth, nil
}

// pocdMiss is β_i·ln q_i in units of 2^-512, in units of 1 it may be too small; true: q_i is 1, by the definition's tolerance.
func pocdMiss(job *pocd.Job, i int) (miss interval, hopeless bool) {
	if job.Late(i) {
		return interval{}, true
	}
	t := &job.Tasks[i]
	left := exactly(job.Deadline)
	left.Sub(left, exactly(job.Elapsed))
	need := exactly(1)
	need.Sub(need, exactly(t.Progress)).Mul(need, exactly(t.TMin))
	slack := exactly(0).Sub(left, need)
	var logQ interval
	if half := exactly(2); half.Mul(half, slack).Cmp(left) < 0 {
		logQ = enclose(slack.Quo(slack, left)).negated().log1p()
	} else {
		logQ = logarithm(need.Quo(need, left))
	}
	return point(t.Beta).times(interval{logQ.lo * 0x1p512, logQ.hi * 0x1p512}), false
}

// pocdMeets is ln R_i(r) of a task whose β_i·ln q_i is miss.
func pocdMeets(miss interval, r int) interval {
	x := miss.times(integer(r + 1))
	if x.lo > -0x1p-400 { // 1 − eˣ is less than −x, by a part of x/2
		log := x.negated().log().minus(ln2.times(point(512)))
		return interval{down(log.lo), log.hi}
	}
	return interval{x.lo * 0x1p-512, x.hi * 0x1p-512}.log1mexp()
}

// pocdUtility is U_α of a probability given by its logarithm, for finite α.
func pocdUtility(alpha float64, logP interval) interval {
	switch {
	case alpha == 0:
		return logP.exp()
	case alpha == 1:
		return logP
	case alpha < 1:
		share := point(1).minus(point(alpha))
		return share.times(logP).exp().over(share)
	}
	share := point(alpha).minus(point(1))
	return share.times(logP.negated()).exp().over(share).negated()
}
