package sim

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"schedgap/models/flex"
	"schedgap/models/heap"
	"schedgap/models/simulation"
)

const (
	mapPool    = 0
	reducePool = 1
)

// An engine runs one policy on one workload. Time jumps from event to event; at each moment tasks complete first, then jobs
// arrive, then, at a multiple of T, the targets are renewed, then free slots are handed out.
type engine struct {
	options
	simulation.Clock[Job]
	policy  *Policy
	seed    uint64
	end     []float64
	pools   [2]pool
	running heap.Keyed[running]

	// judge has the jobs' penalties, by which policies are judged; times are from arrivals on.
	judge    flex.Instance
	makespan bool // the objective is when the last job ends
	dated    bool // what policies see has deadlines, so that it changes all the time

	serving   int     // jobs that hold slots
	epochAt   float64 // of the next allocation; +Inf: none is needed
	lastEpoch float64 // its number
	// observe is called with every task that takes or leaves a slot. Nil outside tests.
	observe func(now float64, kind, job, change int)
}

func newEngine(w *Workload, policy *Policy, o options, seed uint64) *engine {
	n := len(w.Jobs)
	capacity := []float64{float64(o.slots[mapPool]), float64(o.slots[reducePool])}
	clock := simulation.NewClock(w, func(j *Job) float64 { return j.Arrival }, capacity...)
	e := &engine{
		options: o, Clock: clock, policy: policy, seed: seed, end: make([]float64, n), epochAt: math.Inf(1), lastEpoch: -1,
	}
	for kind := range e.pools {
		p := &e.pools[kind]
		*p = pool{kind: kind, free: o.slots[kind], minimum: o.minimum[kind], phases: make([]phase, n), ready: heap.NewIndexed(n)}
		p.instance.Slots = o.slots[kind]
		for i := range p.phases {
			if spec := e.spec(kind, int32(i)); spec != nil {
				p.phases[i].tasks = spec.Tasks
			}
		}
	}
	return e
}

// spec is a job's phase in a pool, or nil.
func (e *engine) spec(kind int, id int32) *Phase {
	if kind == mapPool {
		return &e.Jobs[id].Map
	}
	return e.Jobs[id].Reduce
}

// A running task belongs to a Map phase, with an even number, or to a Reduce phase.
type running struct{ phase, task int32 }

// Run implements simulation.Engine.
func (e *engine) Run(ctx context.Context) error {
	return e.Clock.Run(ctx, func() error {
		e.Pass(min(e.epochAt, e.running.Least(), e.NextArrival()), e.serving, e.held(mapPool), e.held(reducePool))
		for e.running.Least() <= e.Now {
			e.complete(e.running.Pop())
		}
		e.Arrive(e.arrive)
		if err := e.renew(); err != nil {
			return err
		}
		for kind := range e.pools {
			e.dispatch(&e.pools[kind])
		}
		return nil
	})
}

// held is the number of a pool's slots that tasks hold.
func (e *engine) held(kind int) float64 { return float64(e.slots[kind] - e.pools[kind].free) }

// slotsOf is the number of slots that a job holds.
func (e *engine) slotsOf(id int32) int {
	return e.pools[mapPool].phases[id].held + e.pools[reducePool].phases[id].held
}

func (e *engine) arrive(id int32) {
	e.activate(mapPool, id)
	e.maybeStartReduces(id)
}

func (e *engine) activate(kind int, id int32) {
	p := &e.pools[kind]
	p.phases[id].draw(*e.spec(kind, id), rand.New(rand.NewPCG(e.seed, uint64(2*e.File[id]+kind))))
	p.activate(id)
}

// maybeStartReduces activates a job's Reduce phase once enough Map tasks are done.
func (e *engine) maybeStartReduces(id int32) {
	if e.Jobs[id].Reduce == nil || e.pools[reducePool].phases[id].active {
		return
	}
	maps := &e.pools[mapPool].phases[id]
	if float64(maps.done) >= e.Slowstart*float64(maps.tasks)*(1-1e-12) {
		e.pools[reducePool].phases[id].blocked = maps.done < maps.tasks
		e.activate(reducePool, id)
	}
}

// complete ends a task.
func (e *engine) complete(at float64, r running) {
	kind, id := int(r.phase&1), r.phase>>1
	p := &e.pools[kind]
	ph := &p.phases[id]
	d := ph.finish(int(r.task), at)
	p.done++
	p.doneTime += d
	p.free++
	p.dirty = true
	if e.slotsOf(id) == 0 {
		e.serving--
	}
	if p.ready.Has(id) {
		p.ready.Set(id, ph.key())
	}
	if e.observe != nil {
		e.observe(e.Now, kind, e.File[id], -1)
	}
	if kind == mapPool {
		e.maybeStartReduces(id)
	}
	if ph.done == ph.tasks {
		e.endPhase(kind, id)
	}
}

func (e *engine) endPhase(kind int, id int32) {
	e.pools[kind].phases[id].times = nil
	if kind == mapPool && e.Jobs[id].Reduce != nil {
		reduces := &e.pools[reducePool].phases[id]
		reduces.blocked, reduces.waiting = false, 0
		for task := range reduces.started {
			e.compute(reducePool, id, task, reduces.times[task])
		}
		return
	}
	e.end[id] = e.Now
	e.Gone++
}

// compute sets a task that holds a slot going.
func (e *engine) compute(kind int, id int32, task int, time float64) {
	at := e.Now + time
	e.pools[kind].phases[id].endSum += at
	e.running.Push(at, running{id<<1 | int32(kind), int32(task)})
}

// renew lets the policy set new targets when an epoch begins, and finds the next epoch at which that can matter.
func (e *engine) renew() error {
	if math.IsInf(e.epochAt, 1) && (e.pools[mapPool].dirty || e.pools[reducePool].dirty) {
		if err := e.setEpoch(); err != nil {
			return err
		}
	}
	if e.epochAt > e.Now {
		return nil
	}
	for kind := range e.pools {
		// The true remaining work and the time to deadlines change all the time, extrapolated work with completions and arrivals
		// only.
		if p := &e.pools[kind]; p.dirty || e.Exact || e.dated {
			if err := p.plan(e.Now, e); err != nil {
				return err
			}
		}
	}
	e.epochAt = math.Inf(1)
	if (e.Exact || e.dated) && e.Gone < len(e.Jobs) && len(e.pools[mapPool].active)+len(e.pools[reducePool].active) > 0 {
		return e.setEpoch()
	}
	return nil
}

// setEpoch sets the next epoch that begins now or later and was not had yet.
func (e *engine) setEpoch() error {
	k := math.Ceil(e.Now / e.Epoch)
	if k*e.Epoch < e.Now {
		k++
	}
	k = max(k, e.lastEpoch+1)
	e.lastEpoch, e.epochAt = k, k*e.Epoch
	if e.epochAt < e.Now || k > 1<<53 {
		return fmt.Errorf("time %v s is too large for epochs of %v s", e.Now, e.Epoch)
	}
	return nil
}

// dispatch hands the free slots to the most relatively under-allocated phases, one by one.
func (e *engine) dispatch(p *pool) {
	for p.free > 0 && !p.ready.Empty() {
		id := p.ready.Top()
		ph := &p.phases[id]
		task, time := ph.start()
		p.free--
		if e.slotsOf(id) == 1 {
			e.serving++
		}
		if ph.blocked {
			ph.waiting += time
		} else {
			e.compute(p.kind, id, task, time)
		}
		if ph.pending() {
			p.ready.Set(id, ph.key())
		} else {
			p.ready.Remove(id)
		}
		if e.observe != nil {
			e.observe(e.Now, p.kind, e.File[id], +1)
		}
	}
}
