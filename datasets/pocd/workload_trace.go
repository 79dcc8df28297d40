package pocd

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"schedgap/datasets/derive"
	"schedgap/datasets/trace"
	"schedgap/models"
	"schedgap/models/pocd/sim"
)

// traceDeadline is the quantile of the fitted execution times of a job that is its deadline.
const traceDeadline = 0.75

// workloadFromTrace takes the jobs that were submitted in the window and whose tasks all finished inside the trace, with at
// least two tasks that are not all equally long. The durations are fitted to a Pareto distribution as in FitPareto, β kept within
// the limits of a workload; the deadline is the trace's (csv), or the 0.75-quantile of the execution time of a job with such
// tasks and no copies. The first job arrives at time 0. At most r.N jobs are taken unless that is 0. Jobs that the cluster of
// r.Params, the simulation's, could never start are left out, and r.Warn has their number; without r.Params none is. r.Seed does
// not matter. A trace's durations contain what its tasks took to launch, and so do these deadlines: the simulator's option launch
// should be 0, or small beside them. trace.Censoring applies: long jobs and those with killed tasks are missing.
func workloadFromTrace(ctx context.Context, r models.DeriveRequest) (*sim.Workload, error) {
	kind, vms, wide := "job with two tasks of different durations (a deviation above 0)", math.MaxInt, 0
	if r.Params != nil {
		vms = sim.Capacity(r.Params)
		kind += fmt.Sprintf(" that %d VMs hold", vms)
	}
	w, err := derive.Workload(ctx, r, kind, func(_ *trace.Trace, j *trace.Job, arrival float64) (sim.Job, bool) {
		job, ok := traceJob(j)
		if ok && job.Tasks >= vms { // its master needs one more
			wide, ok = wide+1, false
		}
		job.Arrival = arrival
		return job, ok
	})
	if err != nil {
		return nil, err
	}
	if wide > 0 && r.Warn != nil {
		r.Warn(fmt.Sprintf("jobs left out because they need more than the cluster's %d VMs, one a task and one for the master: "+
			"%d of %d", vms, wide, wide+len(w.Jobs)))
	}
	return w, nil
}

// traceJob fits a job, all but its arrival; it is false when nothing fits.
func traceJob(j *trace.Job) (sim.Job, bool) {
	durations := j.Durations()
	for len(durations) > 0 && durations[0] <= 0 {
		durations = durations[1:]
	}
	if len(durations) < 2 || durations[0] < sim.MinSeconds {
		return sim.Job{}, false
	}
	tMin, beta, ok := FitPareto(durations)
	if !ok {
		return sim.Job{}, false
	}
	beta = min(max(beta, sim.MinBeta), sim.MaxBeta)
	due := cmp.Or(j.Deadline, fittedQuantile(tMin, beta, len(durations), traceDeadline))
	if !(due <= sim.MaxSeconds) || math.IsNaN(due) {
		return sim.Job{}, false
	}
	return sim.Job{ID: j.ID, Deadline: derive.RoundTo(due, 3), Tasks: len(durations), TMin: tMin, Beta: beta}, true
}
