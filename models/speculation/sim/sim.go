// Package sim is the cluster of the paper's simulator (Zhou et al., ICPP 2018, section 6.1) around the window problem of
// package speculation. Jobs of independent tasks arrive over time; a job scheduler, fair or Hopper, hands out the slots of
// nodes of different speed; a policy decides which stragglers get a copy, when and where. The first attempt of a task to
// end completes it, and the other is killed.
//
// Our choices where the paper leaves them open:
//   - The time of an attempt that runs alone is the node's slowness times the task's size, times the slowdown if the attempt
//     straggles, plus the loading of its input if no replica is on the node (eq. 1). Slowness is spread evenly from 1 to the
//     degree of heterogeneity. With k of a node's m slots busy all its attempts run 1 + (contention − 1)(k − 1)/(m − 1) times
//     slower, from 1 alone to the degree of contention on a full node. contention_law nodes makes it a property of nodes.
//   - An attempt straggles with the straggler ratio; its slowdown follows the outliers reported by Mantri (Ananthanarayanan et
//     al., OSDI 2010): 80 % evenly between 1.5 and 2.5, the others with a Pareto tail, half beyond 10. slowdown_law has others.
//   - A task is taken for a straggler when its estimated time is more than 1.5 times the mean of the job's completed tasks
//     and it has run for a while. Progress is reported exactly.
//   - A job decides on copies once a period, a share of its fastest task, from its first completed task on; without unlaunched
//     tasks it may also use slots the moment the job scheduler offers them. Window reserves, in addition, the slots that its own
//     attempts leave within the window: there its normal tasks would run next, so no other job is deprived.
//   - A copy does not run on the straggler's node.
//   - Data locality is left to chance: a task's input has replicas on nodes drawn at random.
package sim

import (
	"context"

	"schedgap/models"
	"schedgap/models/simulation"
)

// A Source makes workloads.
type Source = simulation.Source[Workload]

// New returns the simulator of the given policies and workloads.
func New(policies []Policy, source Source) *models.Simulator {
	return simulation.New(&simulation.Definition[Policy, Workload]{
		Doc: "jobs on a cluster of unequal, contended nodes whose stragglers may get a copy\n\n" +
			"Zhou et al. 2018, section 6.1: contention, heterogeneity, stragglers, data locality, and the power model of eqs. (3) " +
			"and (4), with fair or Hopper as the job scheduler.",
		Params: Params, Policies: policies, External: external, Read: simulation.Read[Job],
		Start: func(_ context.Context, p *Policy, w *Workload, r *models.SimRequest) (simulation.Engine, error) {
			return newEngine(w, p, r.Params, r.Seed), nil
		},
		Aim: aim,
	}, source)
}

// aim is the load that is asked for by the run, or by the generator.
func aim(w *Workload, v models.Values) simulation.LoadTarget[Workload] {
	load := v.Float("load")
	if load == 0 && w.Held > 0 {
		load = w.Held / float64(v.Int("nodes")*v.Int("slots"))
	}
	moved := func(room float64) (*Workload, error) {
		return simulation.Moved(w, room, func(j *Job) *float64 { return &j.Arrival })
	}
	return simulation.LoadTarget[Workload]{Load: load, Nearest: v.Float("load") == 0, Plain: "none", At: moved}
}
