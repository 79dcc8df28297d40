package flex

import (
	"context"
	"fmt"
	"math"

	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/flex/sim"
)

// workloadFromTrace takes the jobs that were submitted in the window and whose tasks all finished inside the trace. A job's
// tasks become its Map phase, with the mean and the spread of their durations; traces do not tell Map from Reduce, so there
// is no Reduce phase. The first job arrives at time 0. At most r.N jobs are taken unless that is 0; neither r.Seed nor
// r.Params matter. trace.Censoring applies: long jobs and those with killed tasks are missing.
func workloadFromTrace(ctx context.Context, r models.DeriveRequest) (*sim.Workload, error) {
	source, err := trace.Open(r.Dir, r.Format)
	if err != nil {
		return nil, err
	}
	tr, err := trace.Assemble(ctx, source, trace.Options{From: r.From, To: r.To})
	if err != nil {
		return nil, err
	}
	w := &sim.Workload{}
	start := trace.Never
	for _, j := range tr.FinishedJobs() {
		if r.N > 0 && len(w.Jobs) == r.N {
			break
		}
		phase, ok := mapPhase(j)
		if !ok || j.Submit < tr.From {
			continue
		}
		if start == trace.Never {
			start = j.Submit
		}
		w.Jobs = append(w.Jobs, sim.Job{ID: j.ID, Arrival: (j.Submit - start).Seconds(), Map: phase})
	}
	if len(w.Jobs) == 0 {
		return nil, fmt.Errorf("%s: no job was submitted in the window %v,%v and finished inside the trace", r.Dir, r.From, r.To)
	}
	if err := w.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Dir, err)
	}
	return w, nil
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
