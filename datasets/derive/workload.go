package derive

import (
	"context"
	"fmt"

	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/simulation"
)

// Workload makes jobs of a simulation out of those that were submitted in the window of r and whose tasks all finished inside
// the trace. take gets each with its arrival, in seconds after the first job that was taken, and returns false to leave it
// out. At most r.N jobs are taken unless that is 0. kind, such as "job with two tasks", is named in the error if there
// is none. trace.Censoring applies: long jobs and those with killed tasks are missing.
func Workload[J simulation.Job](
	ctx context.Context, r models.DeriveRequest, kind string, take func(tr *trace.Trace, j *trace.Job, arrival float64) (J, bool),
) (*simulation.Workload[J], error) {
	f, err := Load(ctx, r)
	if err != nil {
		return nil, err
	}
	var jobs []J
	start := trace.Never
	for _, j := range f.Trace.FinishedJobs() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r.N > 0 && len(jobs) == r.N {
			break
		}
		if j.Submit < f.Trace.From {
			continue
		}
		first := start
		if first == trace.Never {
			first = j.Submit
		}
		job, ok := take(f.Trace, j, (j.Submit - first).Seconds())
		if !ok {
			continue
		}
		start = first
		jobs = append(jobs, job)
	}
	if len(jobs) == 0 {
		return nil, fmt.Errorf("%s: no %s was submitted there and finished inside the trace", Where(r), kind)
	}
	return Valid(r, jobs)
}

// Valid is the workload of jobs from the trace of r.
func Valid[J simulation.Job](r models.DeriveRequest, jobs []J) (*simulation.Workload[J], error) {
	w := &simulation.Workload[J]{Jobs: jobs}
	if err := w.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", r.Dir, err)
	}
	return w, nil
}
