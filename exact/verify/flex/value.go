package flex

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"schedgap/exact/verify/core"
	"schedgap/models/flex"
)

// Value is the value of a schedule in which jobs complete by the given times, rounded up; an error says that there is none.
// All is exact: with the ends E_j = min(C_j, W_j/m_j, ΣW/S + max W/M) there is one if and only if E_j ≥ W_j/M_j and by the end
// of each job what all jobs have done at least is no more than the slots can do (docs/bounds-and-proofs.md). Rounding therefore
// excuses nothing: a job that other times would have on its due date is late here if these have it late.
func Value(in *flex.Instance, times []float64) (float64, error) {
	jobs, n := exactJobs(in), len(in.Jobs)
	if len(times) != n {
		return 0, fmt.Errorf("%d times for %d jobs", len(times), n)
	}
	ends := make([]*big.Rat, n)
	for j, t := range times {
		if !(t > 0) || math.IsInf(t, 0) {
			return 0, fmt.Errorf("time %d, %v, is no time", j, t)
		}
		ends[j] = core.Exactly(t)
	}
	if err := meets(in, jobs, ends); err != nil {
		return 0, err
	}
	total := new(big.Rat)
	for j, end := range ends {
		f := jobs[j].penalty(end)
		switch {
		case in.Objective.Aggregate == flex.Sum:
			total.Add(total, f)
		case j == 0 || f.Cmp(total) > 0:
			total.Set(f)
		}
	}
	return core.RoundUp(total), nil
}

// MeetsSteps reports whether there is a schedule in which job j passes no more than passes[j] of its steps. All is exact.
func MeetsSteps(in *flex.Instance, passes []int) bool {
	jobs, ends := exactJobs(in), make([]*big.Rat, len(passes))
	for j, k := range passes {
		ends[j] = jobs[j].late
		if k < len(jobs[j].steps) {
			ends[j] = jobs[j].steps[k].passed
		}
	}
	return meets(in, jobs, ends) == nil
}

// meets says why jobs cannot complete by the given times, which it lowers to those by which they have completed anyway.
func meets(in *flex.Instance, jobs []exactJob, ends []*big.Rat) error {
	order := make([]int, len(jobs))
	for j, t := range ends {
		order[j] = j
		if jobs[j].late.Cmp(t) < 0 {
			ends[j] = jobs[j].late
		}
		if ends[j].Cmp(jobs[j].early) < 0 {
			return fmt.Errorf("job %s cannot complete by %v, even at its maximum", jobs[j].ID, core.RoundUp(t))
		}
	}
	slices.SortFunc(order, func(a, b int) int { return ends[a].Cmp(ends[b]) })
	for i, last := range order {
		t, done := ends[last], new(big.Rat)
		for k, j := range order {
			work := core.Exactly(jobs[j].Work)
			if k > i {
				early := new(big.Rat).Mul(core.Natural(jobs[j].Min), t)
				late := new(big.Rat).Sub(ends[j], t)
				late.Sub(work, late.Mul(late, core.Natural(jobs[j].Max)))
				work = early
				if late.Cmp(early) > 0 {
					work = late
				}
			}
			done.Add(done, work)
		}
		if slots := new(big.Rat).Mul(core.Natural(in.Slots), t); done.Cmp(slots) > 0 {
			return fmt.Errorf("until job %s completes, at %v, the jobs must do more than the slots can", jobs[last].ID, core.RoundUp(t))
		}
	}
	return nil
}
