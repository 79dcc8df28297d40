// Package sim is the epoch simulator of FLEX (Wolf et al., Middleware 2010, sections 2.2 and 4.2): jobs of a Map and a
// Reduce phase arrive over time and share a pool of Map and a pool of Reduce slots; every T seconds a policy renews how many
// slots of each pool every job shall hold; tasks are not preempted, and a freed slot goes to the job that is the most
// relatively under-allocated at that moment, as in the assignment layer of the Hadoop Fair Scheduler (section 1).
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
		Doc: "epochs of slot allocation to jobs of Map and Reduce tasks\n\n" +
			"Wolf et al. 2010, sections 2.2 and 4.2. Every epoch the policy renews the slots that each job shall hold, from the " +
			"remaining work of the active phases; freed slots go to the most relatively under-allocated job.",
		Params: Params, Policies: policies, External: external, Read: simulation.Read[Job],
		Start: func(_ context.Context, p *Policy, w *Workload, r *models.SimRequest) (simulation.Engine, error) {
			e := newEngine(w, p, readOptions(r.Params), r.Seed)
			return e, e.drawPenalties(r.Params)
		},
		Aim: aim,
	}, source)
}

// aim is the load that is asked for by the run.
func aim(w *Workload, v models.Values) simulation.LoadTarget[Workload] {
	load := v.Float("load")
	return simulation.LoadTarget[Workload]{Load: load, Plain: "fifo", At: func(room float64) (*Workload, error) {
		return simulation.Moved(w, room, func(j *Job) *float64 { return &j.Arrival })
	}}
}
