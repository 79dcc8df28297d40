// Package sim is the online system of Shed+ (Alamro et al., IEEE TNSM 2020, sections II to VI) around the snapshot problem of
// package pocd. Jobs with deadlines arrive over time; each runs its tasks in one wave, one virtual machine (VM) a task and one
// for its master; the times of attempts are Pareto distributed; a policy decides which tasks get extra attempts. The first
// attempt of a task to end completes it, and the others are killed.
//
// Our choices where the paper leaves them open:
//   - An attempt spends the launch time before it processes anything, then progresses at a constant speed. So the speed that
//     progress reports tell is exact, and so are the estimated end and the offset of eqs. (15) and (16). Options let launch times
//     vary and speeds change; then reports tell the mean speed since the first.
//   - The launch time comes before the Pareto time, for first attempts too.
//   - A job that does not fit waits, in order of arrival, until all its VMs are free at once; its deadline counts from its
//     arrival.
//   - Copies are chosen for tasks of running jobs; VMs that a check frees go to waiting jobs first, as κ of Algorithm 1 counts
//     all submitted jobs.
package sim

import (
	"context"
	"fmt"
	"math"

	"schedgap/models"
	"schedgap/models/simulation"
)

// A Source makes workloads.
type Source = simulation.Source[Workload]

// New returns the simulator of the given policies and workloads.
func New(policies []Policy, source Source) *models.Simulator {
	return simulation.New(&simulation.Definition[Policy, Workload]{
		Doc: "jobs with deadlines whose tasks may get extra attempts\n\n" +
			"Alamro et al. 2020, Algorithm 1 and section V. Once a new job has progressed by ξ and every θ seconds stragglers are " +
			"detected, of a task's attempts the fastest is kept, and the policy decides on extra attempts, which go on from the " +
			"straggler's progress after a launch time.",
		Params: Params, Policies: policies, External: external, Read: simulation.Read[Job],
		Start: func(ctx context.Context, p *Policy, w *Workload, r *models.SimRequest) (simulation.Engine, error) {
			o := readOptions(r.Params)
			logPoCD, err := baseline(ctx, policies, p, w, o, r.Seed)
			if err != nil {
				return nil, err
			}
			e, err := newEngine(w, p, o, r.Seed)
			if err != nil {
				return nil, err
			}
			e.logPoCD = logPoCD
			return e, nil
		},
		Aim: aim,
	}, source)
}

// baseline is ln PoCD of p's baseline, measured on the same workload at the same seed unless the options give it.
func baseline(ctx context.Context, policies []Policy, p *Policy, w *Workload, o options, seed uint64) (float64, error) {
	if p.Baseline == "" {
		return 0, nil
	}
	if o.MissRate > 0 {
		return math.Log1p(-o.MissRate), nil
	}
	base, err := simulation.Find(policies, p.Baseline)
	if err != nil {
		return 0, fmt.Errorf("baseline of policy %s: %w", p.Name, err)
	}
	e, err := newEngine(w, base, o, seed)
	if err != nil {
		return 0, err
	}
	if err := e.Run(ctx); err != nil {
		return 0, err
	}
	return math.Log(e.pocd()), nil
}

// aim is the load that is asked for by the run, or by the generator.
func aim(w *Workload, v models.Values) simulation.LoadTarget[Workload] {
	load := v.Float("load")
	if load == 0 && w.Held > 0 {
		load = w.Held / float64(Capacity(v))
	}
	moved := func(room float64) (*Workload, error) {
		return simulation.Moved(w, room, func(j *Job) *float64 { return &j.Arrival })
	}
	return simulation.LoadTarget[Workload]{Load: load, Nearest: v.Float("load") == 0, Plain: "none", At: moved}
}
