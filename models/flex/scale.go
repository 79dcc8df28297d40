package flex

import (
	"cmp"
	"slices"
)

// scale is the unit of regret, by metric, 0 for metrics whose values are not near 0:
//
//   - tardy and sla: the value if every job is as late as can be, Σ w_j and Σ w_j times the last penalty;
//   - tardiness, lateness and jobs of different metrics: the bound on Σ w_j·C_j, or on max w_j·C_j, that needs no schedule. Each
//     job takes W_j/M_j at least, and on
//     slots that are never idle jobs end one after the other, in the order of W_j/w_j.
func scale(in *Instance, _ string) float64 {
	total := 0.0
	switch metric := in.MetricOf(0); {
	case in.Mixed() || metric == Tardiness || metric == Lateness:
		return in.completions()
	case metric == Tardy:
		for j := range in.Jobs {
			total += in.Factor(j)
		}
		return total
	case metric == SLA:
		for j := range in.Jobs {
			steps := in.Jobs[j].Steps
			total += in.Factor(j) * steps[len(steps)-1].Penalty
		}
		return cmp.Or(total, 1) // penalties of 0 make all values 0
	}
	return 0
}

// completions bounds Σ w_j·C_j, or max w_j·C_j, from below.
func (in *Instance) completions() float64 {
	order := make([]int, len(in.Jobs))
	for j := range order {
		order[j] = j
	}
	smith := func(j int) float64 { return in.Jobs[j].Work / in.Factor(j) }
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(smith(i), smith(j)), cmp.Compare(in.Jobs[i].Work, in.Jobs[j].Work))
	})
	end, alone, most, shared, least := 0.0, 0.0, 0.0, 0.0, in.Factor(0)
	for _, j := range order {
		job := &in.Jobs[j]
		end += job.Work / float64(in.Slots)
		shortest := in.Factor(j) * (job.Work / float64(job.Max))
		alone, most, shared, least = alone+shortest, max(most, shortest), shared+in.Factor(j)*end, min(least, in.Factor(j))
	}
	if in.Objective.Aggregate == Max {
		return max(most, least*end) // the last job ends then
	}
	return max(alone, shared)
}
