package flex

import (
	"context"
	"math"

	"schedgap/datasets/derive"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/flex/sim"
)

// workloadFromTrace takes the jobs that were submitted in the window and whose tasks all finished inside the trace. A job's
// tasks become its Map phase, with the mean and the spread of their durations; traces do not tell Map from Reduce, so there
// is no Reduce phase. The first job arrives at time 0. At most r.N jobs are taken unless that is 0; neither r.Seed nor
// r.Params matter. trace.Censoring applies: long jobs and those with killed tasks are missing.
func workloadFromTrace(ctx context.Context, r models.DeriveRequest) (*sim.Workload, error) {
	return derive.Workload(ctx, r, "job", func(_ *trace.Trace, j *trace.Job, arrival float64) (sim.Job, bool) {
		phase, ok := mapPhase(j)
		return sim.Job{ID: j.ID, Arrival: arrival, Map: phase, Weight: j.Weight, Deadline: j.Deadline}, ok
	})
}

// mapPhase sums a job's tasks up; it is false when no task took any time.
func mapPhase(j *trace.Job) (sim.Phase, bool) {
	n, sum, squares := 0.0, 0.0, 0.0
	for i := range j.Tasks {
		if d, known := j.Tasks[i].Duration(); known {
			k := float64(j.Tasks[i].Instances)
			n, sum, squares = n+k, sum+k*d, squares+k*d*d
		}
	}
	if sum == 0 {
		return sim.Phase{}, false
	}
	mean := sum / n
	variance := max(0, squares/n-mean*mean)
	if variance < 1e-12*mean*mean {
		variance = 0 // equal durations, up to rounding
	}
	return sim.Phase{Tasks: int(n), Mean: mean, CV: math.Sqrt(variance) / mean}, true
}
