package redundancy

import (
	"context"

	"schedgap/datasets/derive"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/redundancy/sim"
)

// workloadFromTrace takes the jobs that were submitted in the window and whose tasks all finished inside the trace. A
// job's work is the sum over its tasks (trace.Job.Work), in seconds of a machine; the unit of time is the second, and the
// first job arrives at time 0. At most r.N jobs are taken unless that is 0; neither r.Seed nor r.Params matter.
// trace.Censoring applies: long jobs and those with killed tasks are missing. The load follows from the simulator's
// option machines.
func workloadFromTrace(ctx context.Context, r models.DeriveRequest) (*sim.Workload, error) {
	return derive.Workload(ctx, r, "job", func(_ *trace.Trace, j *trace.Job, arrival float64) (sim.Job, bool) {
		work := j.Work()
		return sim.Job{ID: j.ID, Arrival: arrival, Work: work}, work >= sim.MinWork
	})
}
