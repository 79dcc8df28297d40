// Package sim is the slotted multi-resource cluster of DollyMP (section 3 of its paper): jobs are graphs of phases, tasks run
// in copies on servers, and a policy decides at the end of every slot in which something changed. One engine serves two uses.
// Schedule runs a policy on an instance file in the expected model, the one of the optimum: deterministic, progress
// h(copies) a slot. The simulator runs policies on workloads, in that model or in the stochastic one, in which each copy takes
// a time of its own and the first to end ends the task and the other copies (section 6.3).
//
// Decisions on points that the paper leaves open:
//   - A copy, once started, runs until its task is done; nothing is preempted. All copies of a task end with it, unless one is
//     kept as in section 5.2 (keep.go).
//   - Decisions fall on slot boundaries. In the expected model tasks take whole slots. In the stochastic one they end when
//     they end, which flowtimes and resource usage count, while their servers and children wait for the boundary.
//   - The first copy of a task meets the same duration under every policy, and so does its k-th clone.
package sim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/simulation"
)

// A Source makes workloads.
type Source = simulation.Source[Workload]

// New returns the simulator of the given policies and workloads.
func New(policies []Policy, source Source) *models.Simulator {
	return simulation.New(&simulation.Definition[Policy, Workload]{
		Doc: "jobs of phases on servers of several resources, with clones of tasks\n\n" +
			"Xu, Liu and Lau 2022 (DollyMP), sections 3 and 6.3. At the end of every slot the policy starts copies of tasks where " +
			"they fit; a task ends with its first copy.",
		Params: mergeParams(policies), Policies: policies, External: external, Read: ReadWorkload,
		Start: func(_ context.Context, p *Policy, w *Workload, r *models.SimRequest) (simulation.Engine, error) {
			return start(p, w, r)
		},
		Aim: aim,
	}, source)
}

// aim is the load that is asked for by the run, which chooses the number of servers, or by the generator, which chooses arrivals.
func aim(w *Workload, v models.Values) simulation.LoadTarget[Workload] {
	o := &options{}
	v.Read(o)
	if o.Load == 0 {
		return simulation.LoadTarget[Workload]{Load: w.Held, Nearest: true, Plain: "capacity", At: func(room float64) (*Workload, error) {
			moved, err := simulation.Moved(&w.Workload, room, func(j *Job) *float64 { return &j.Arrival })
			if err != nil {
				return nil, err
			}
			return &Workload{Cluster: w.Cluster, Workload: *moved}, nil
		}}
	}
	return simulation.LoadTarget[Workload]{Load: o.Load, Nearest: true, Plain: "capacity", At: func(room float64) (*Workload, error) {
		some, err := w.atLeast(o.LeastTasks)
		if err != nil {
			return nil, err
		}
		kinds := o.cluster(w)
		n, err := some.serversFor(kinds, o.Load/room)
		if err != nil {
			return nil, err
		}
		return &Workload{Cluster: Scale(kinds, n), Workload: some.Workload}, nil
	}}
}

// Realised implements simulation.Engine.
func (s *simulated) Realised() float64 { return s.monitor.Realised(0) }

// A simulated engine runs on a workload rather than on an instance.
type simulated struct {
	*engine
	workload *Workload
	options  *options
	request  *models.SimRequest
	rules    Rules
}

// Run implements simulation.Engine.
func (s *simulated) Run(ctx context.Context) error { return s.run(ctx, s.rules) }

func start(p *Policy, w *Workload, r *models.SimRequest) (*simulated, error) {
	o := &options{}
	r.Params.Read(o)
	w, err := w.atLeast(o.LeastTasks)
	if err != nil {
		return nil, err
	}
	e, err := newEngine(w.instance(o), 1)
	if err != nil {
		return nil, err
	}
	e.weights = make([]float64, len(w.Jobs))
	for j := range w.Jobs {
		e.weights[j] = w.Jobs[j].Weight
	}
	if o.Stochastic {
		e.draws = &draws{seed: r.Seed, jobs: w.Jobs, slot: o.Slot, slowest: o.Slowest, alike: o.Alike}
	}
	if o.Learned {
		e.estimate(w)
	}
	e.keepCopies(r.Params, o.Slot)
	e.slot, e.held = o.Slot, make([]float64, len(e.total))
	e.monitor = simulation.NewMonitor(float64(e.in.Jobs[e.order[0]].Arrival)*o.Slot, e.total...)
	return &simulated{e, w, o, r, p.New(&e.State, r.Params, source(r.Seed))}, nil
}

// source is the policy's own source of randomness.
func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// Schedule runs a policy on an instance in the expected model, on servers whose capacities are multiplied by factor ≥ 1. When
// ctx ends first there is no schedule.
func Schedule(
	ctx context.Context, in *cloning.Instance, p *Policy, v models.Values, factor float64, rng *rand.Rand,
) (cloning.Solution, error) {
	s := cloning.Solution{Regime: cloning.Nonpreemptive, CapacityFactor: factor}
	e, err := newEngine(in, factor)
	if err != nil {
		return s, err
	}
	e.observe = func(c cloning.Copy, _ bool, _ float64) { s.Copies = append(s.Copies, c) }
	if err := e.run(ctx, p.New(&e.State, v, rng)); err != nil {
		return s, fmt.Errorf("policy %s: %w", p.Name, err)
	}
	return s, nil
}

// Flowtime is the sum of the flowtimes of the schedule that Schedule would return on the instance's own servers, without the
// schedule; a number larger than limit if it is larger.
func Flowtime(ctx context.Context, in *cloning.Instance, p *Policy, v models.Values, rng *rand.Rand, limit float64) (float64,
	error,
) {
	e, err := newEngine(in, 1)
	if err != nil {
		return 0, err
	}
	e.limit = limit
	if err := e.run(ctx, p.New(&e.State, v, rng)); err != nil && !errors.Is(err, errAbove) {
		return 0, fmt.Errorf("policy %s: %w", p.Name, err)
	}
	return e.flow, nil
}
