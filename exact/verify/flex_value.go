package verify

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"schedgap/models/flex"
	"schedgap/models/proof"
)

// flexSolution checks a proof's value, if it claims one, by the solution in its first line.
func flexSolution(p *proof.Proof, in *flex.Instance) error {
	if len(p.Lines) == 0 {
		return refused("the proof has no solution")
	}
	var s proof.Completions
	if err := proof.Decode(p.Lines[0], &s); err != nil {
		return refused("line 2: %v", err)
	}
	if p.Header.Value == nil {
		return nil
	}
	value, scale, err := FlexValue(in, s.Times)
	if err != nil {
		return refused("line 2: %v", err)
	}
	return meet(p.Header, point(value), scale)
}

// FlexValue is what a schedule is worth in which jobs complete by the given times, rounded up; an error: there is no such
// schedule. All is exact: with the ends E_j = min(C_j, W_j/m_j, ΣW/S + max W/M) there is one if and only if E_j ≥ W_j/M_j and
// by the end of each job what all jobs have done at least is no more than the slots can do (docs/proofs.md). Value and bound
// of an optimum may differ by 1e-9 of scale: Σ w_j E_j, of tardiness over late jobs only; the largest w_j E_j for a max
// objective; the value where penalties are steps.
func FlexValue(in *flex.Instance, times []float64) (value, scale float64, err error) {
	n := len(in.Jobs)
	if len(times) != n {
		return 0, 0, fmt.Errorf("%d times for %d jobs", len(times), n)
	}
	ends, order := make([]*big.Rat, n), make([]int, n)
	last := flexHorizon(in)
	for j, t := range times {
		if !(t > 0) || math.IsInf(t, 0) {
			return 0, 0, fmt.Errorf("time %d, %v, is no time", j, t)
		}
		order[j], ends[j] = j, exactly(t)
		if end := flexEnd(in, j, last); end.Cmp(ends[j]) < 0 {
			ends[j] = end
		}
		if ends[j].Cmp(flexEarly(in, j)) < 0 {
			return 0, 0, fmt.Errorf("job %s cannot complete by %v, even at its maximum", in.Jobs[j].ID, t)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return ends[a].Cmp(ends[b]) })
	for i, last := range order {
		t, done := ends[last], new(big.Rat)
		for k, j := range order {
			work := exactly(in.Jobs[j].Work)
			if k > i {
				early := new(big.Rat).Mul(natural(in.Jobs[j].Min), t)
				late := new(big.Rat).Sub(ends[j], t)
				late.Sub(work, late.Mul(late, natural(in.Jobs[j].Max)))
				if work = early; late.Cmp(early) > 0 {
					work = late
				}
			}
			done.Add(done, work)
		}
		if slots := new(big.Rat).Mul(natural(in.Slots), t); done.Cmp(slots) > 0 {
			return 0, 0, fmt.Errorf("until job %s completes, at %v, the jobs must do more than the slots can", in.Jobs[last].ID,
				times[last])
		}
	}
	total := new(big.Rat)
	for j, end := range ends {
		f, c := flexPenalty(in, j, end), flexFactor(in, j).times(enclose(end)).hi
		if in.Objective.Metric == flex.Tardiness && f.Sign() == 0 {
			c = 0 // how late it is in time would be for the file to choose
		}
		switch {
		case in.Objective.Aggregate == flex.Sum:
			total.Add(total, f)
			scale += c
			continue
		case j == 0 || f.Cmp(total) > 0:
			total.Set(f)
		}
		scale = max(scale, c)
	}
	value = roundUp(total)
	if in.Objective.Metric == flex.Tardy || in.Objective.Metric == flex.SLA {
		scale = value
	}
	return value, scale, nil
}

// flexPenalty is f_j at c, exactly. A due date or step is passed after it by more than the tolerance of the definition.
func flexPenalty(in *flex.Instance, j int, c *big.Rat) *big.Rat {
	job := &in.Jobs[j]
	f := new(big.Rat)
	passed := func(t float64) bool {
		late := new(big.Rat).Mul(exactly(flex.Tolerance), exactly(math.Abs(t)))
		return c.Cmp(late.Add(late, exactly(t))) > 0
	}
	switch in.Objective.Metric {
	case flex.Response, flex.Stretch:
		f.Set(c)
	case flex.Lateness, flex.Tardiness:
		f.Sub(c, exactly(*job.Deadline))
		if in.Objective.Metric == flex.Tardiness && f.Sign() < 0 {
			f.SetInt64(0)
		}
	case flex.Tardy:
		if passed(*job.Deadline) {
			f.SetInt64(1)
		}
	case flex.SLA:
		for _, s := range job.Steps {
			if passed(s.At) {
				f = exactly(s.Penalty)
			}
		}
	}
	switch {
	case in.Objective.Metric == flex.Stretch:
		return f.Quo(f, exactly(job.Work))
	case in.Objective.Weighted:
		return f.Mul(f, exactly(job.Weight))
	}
	return f
}

// flexFactor is what job j's penalty is multiplied by.
func flexFactor(in *flex.Instance, j int) interval {
	switch {
	case in.Objective.Metric == flex.Stretch:
		return point(1).over(point(in.Jobs[j].Work))
	case in.Objective.Weighted:
		return point(in.Jobs[j].Weight)
	}
	return point(1)
}
