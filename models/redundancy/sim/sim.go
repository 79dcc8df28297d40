// Package sim is the cluster of section 6 of Xu, Lau et al. 2018 around the model of package redundancy: the speed of
// every machine varies over time, jobs arrive one by one, and copies of a job on several machines advance to the most
// advanced one's state whenever a job arrives or completes, and at no other time (Assumption 1). A policy says which jobs
// run, on how many machines each, and how many share a machine; at those moments, and at no other time, this is decided
// again.
//
// Decisions on points that the paper leaves open:
//   - A job keeps its machines as long as the policy lets it have as many; what it gives up are the machines that it got
//     last. A copy starts on the machine with the lowest index that has room. When fewer jobs share a machine, the last to
//     come leave the machines that have too many. Policies know nothing of the machines' speeds.
//   - A job stops on all its machines when its most advanced copy has done its work.
//   - Time is continuous: service is integrated exactly over the machines' periods of constant speed. With the option
//     slotted the arrivals and completions of a slot count at its end, and only there is anything decided or checkpointed
//     (the paper's "scheduling decisions are made at the beginning of each time slot").
//   - Machines are stationary from the start: each begins within a period, not at the start of one.
//   - The run goes on until all jobs are done, after the paper's 1e5 units as well.
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
		Doc: "jobs with redundant copies on machines whose speeds vary\n\n" +
			"Xu, Lau et al. 2018, section 6. Each machine alternates between available and unavailable periods of Gamma distributed " +
			"lengths with a uniform speed each, the mean speed 1; when a job arrives or completes, the copies of each job advance to " +
			"the state of the most advanced one, and the policy divides the machines again.",
		Params: Params, Policies: policies, External: external, Read: simulation.Read[Job],
		Start: func(_ context.Context, p *Policy, w *Workload, r *models.SimRequest) (simulation.Engine, error) {
			return newEngine(w, p, r.Params, r.Seed)
		},
		Aim: aim,
	}, source)
}

// aim is the load that is asked for by the run.
func aim(w *Workload, v models.Values) simulation.LoadTarget[Workload] {
	load := v.Float("load")
	return simulation.LoadTarget[Workload]{Load: load, Plain: "srpt", At: func(room float64) (*Workload, error) {
		return simulation.Moved(w, room, func(j *Job) *float64 { return &j.Arrival })
	}}
}
