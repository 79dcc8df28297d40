package oracle

import (
	"fmt"
	"math/rand/v2"

	"schedgap/models/flex"
)

// RandomInstance makes a valid instance of n jobs with small integers, S ≤ 8 and W ≤ 12, and any objective. Instances
// without minima, with Σ M_j < S, with M_j = m_j, with identical jobs and with times that coincide are all common.
func RandomInstance(rng *rand.Rand, n int) *flex.Instance {
	o := flex.Objective{Metric: flex.Metrics[rng.IntN(len(flex.Metrics))], Aggregate: flex.Sum, Weighted: rng.IntN(2) == 0}
	if !stepMetric(o.Metric) && rng.IntN(2) == 0 {
		o.Aggregate = flex.Max
	}
	return RandomInstanceOf(rng, n, o)
}

// RandomInstanceOf is RandomInstance for a given objective.
func RandomInstanceOf(rng *rand.Rand, n int, o flex.Objective) *flex.Instance {
	in := &flex.Instance{Slots: 1 + rng.IntN(8), Objective: o}
	in.Name = fmt.Sprintf("random-%s-%s-%d", o.Aggregate, o.Metric, n)
	free := in.Slots // for minima
	if rng.IntN(3) == 0 {
		free = 0
	}
	widest := in.Slots // of maxima
	if rng.IntN(3) == 0 {
		widest = 1 + rng.IntN(in.Slots)
	}
	horizon := 1
	for j := range n {
		id := fmt.Sprintf("j%d", j+1)
		if j > 0 && rng.IntN(4) == 0 {
			if twin := in.Jobs[rng.IntN(j)]; twin.Min <= free {
				twin.ID = id
				in.Jobs = append(in.Jobs, twin)
				free -= twin.Min
				continue
			}
		}
		job := flex.Job{ID: id, Work: float64(1 + rng.IntN(12)), Weight: float64(1 + rng.IntN(5))}
		job.Min = rng.IntN(min(free, widest)/2 + 1)
		free -= job.Min
		least := max(job.Min, 1)
		job.Max = least
		if rng.IntN(4) > 0 {
			job.Max += rng.IntN(widest - least + 1)
		}
		// Times up to about the makespan are neither trivial nor hopeless.
		horizon += 1 + int(job.Work)/in.Slots
		if o.Metric.NeedsDeadline() {
			d := float64(rng.IntN(horizon + 1))
			job.Deadline = &d
		}
		if o.Metric == flex.SLA {
			at, paid := 0, 0
			for range 1 + rng.IntN(3) {
				at, paid = at+1+rng.IntN(horizon), paid+1+rng.IntN(4)
				job.Steps = append(job.Steps, flex.Step{At: float64(at), Penalty: float64(paid)})
			}
		}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}
