package verify

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"schedgap/models/flex"
)

// FlexValue is the value of a schedule in which jobs complete by the given times, rounded up; an error says that there is none.
// All is exact: with the ends E_j = min(C_j, W_j/m_j, ΣW/S + max W/M) there is one if and only if E_j ≥ W_j/M_j and by the end
// of each job what all jobs have done at least is no more than the slots can do (docs/bounds-and-proofs.md). Value and bound of
// an optimum may differ by 1e-9 of scale: Σ w_j E_j, of tardiness over late jobs only; the largest w_j E_j for a max objective;
// the value where penalties are steps.
func FlexValue(in *flex.Instance, times []float64) (value, scale float64, err error) {
	jobs, n := flexJobs(in), len(in.Jobs)
	if len(times) != n {
		return 0, 0, fmt.Errorf("%d times for %d jobs", len(times), n)
	}
	ends, order := make([]*big.Rat, n), make([]int, n)
	for j, t := range times {
		if !(t > 0) || math.IsInf(t, 0) {
			return 0, 0, fmt.Errorf("time %d, %v, is no time", j, t)
		}
		order[j], ends[j] = j, exactly(t)
		if jobs[j].late.Cmp(ends[j]) < 0 {
			ends[j] = jobs[j].late
		}
		if ends[j].Cmp(jobs[j].early) < 0 {
			return 0, 0, fmt.Errorf("job %s cannot complete by %v, even at its maximum", jobs[j].ID, t)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return ends[a].Cmp(ends[b]) })
	for i, last := range order {
		t, done := ends[last], new(big.Rat)
		for k, j := range order {
			work := exactly(jobs[j].Work)
			if k > i {
				early := new(big.Rat).Mul(natural(jobs[j].Min), t)
				late := new(big.Rat).Sub(ends[j], t)
				late.Sub(work, late.Mul(late, natural(jobs[j].Max)))
				if work = early; late.Cmp(early) > 0 {
					work = late
				}
			}
			done.Add(done, work)
		}
		if slots := new(big.Rat).Mul(natural(in.Slots), t); done.Cmp(slots) > 0 {
			return 0, 0, fmt.Errorf("until job %s completes, at %v, the jobs must do more than the slots can", jobs[last].ID,
				times[last])
		}
	}
	total := new(big.Rat)
	for j, end := range ends {
		f, c := jobs[j].penalty(end), jobs[j].factor.times(enclose(end)).hi
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
	value = RoundUp(total)
	if in.Objective.Metric.Steps() {
		scale = value
	}
	return value, scale, nil
}
