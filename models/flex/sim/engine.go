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
	policy  *Policy
	seed    uint64
	jobs    []Job // by arrival
	file    []int // a job's place in the file
	end     []float64
	pools   [2]pool
	running completions

	now float64
	// judge has the jobs' penalties, by which policies are judged; times are from arrivals on.
	judge    flex.Instance
	makespan bool // the objective is when the last job ends
	mapDue   float64
	dated    bool // what policies see has deadlines, so that it changes all the time

	arrived    int
	unfinished int
	serving    int // jobs that hold slots
	monitor    *simulation.Monitor
	epochAt    float64 // of the next allocation; +Inf: none is needed
	lastEpoch  float64 // its number
	// observe is called with every task that takes or leaves a slot. Nil outside tests.
	observe func(now float64, kind, job, change int)
}

func newEngine(w *Workload, policy *Policy, o options, seed uint64) *engine {
	n := len(w.Jobs)
	e := &engine{
		options: o, policy: policy, seed: seed, unfinished: n,
		file: simulation.ByArrival(n, func(i int) float64 { return w.Jobs[i].Arrival }), jobs: make([]Job, n), end: make([]float64, n),
		epochAt: math.Inf(1), lastEpoch: -1,
	}
	for i, k := range e.file {
		e.jobs[i] = w.Jobs[k]
	}
	e.monitor = simulation.NewMonitor(e.jobs[0].Arrival, float64(o.slots[mapPool]), float64(o.slots[reducePool]))
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
		return &e.jobs[id].Map
	}
	return e.jobs[id].Reduce
}

// checkEvery is how many moments pass between two looks at the context.
const checkEvery = 256

func (e *engine) run(ctx context.Context) error {
	for moment := 0; e.unfinished > 0; moment++ {
		if moment%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		e.now = e.nextMoment()
		e.monitor.Advance(e.now, e.present(), e.present()-e.serving, e.held(mapPool), e.held(reducePool))
		for len(e.running) > 0 && e.running[0].at <= e.now {
			e.complete(e.running.pop())
		}
		for e.arrived < len(e.jobs) && e.jobs[e.arrived].Arrival <= e.now {
			e.arrive(int32(e.arrived))
			e.arrived++
			e.monitor.Arrive(e.present())
		}
		if err := e.renew(); err != nil {
			return err
		}
		for kind := range e.pools {
			e.dispatch(&e.pools[kind])
		}
	}
	return nil
}

// held is the number of a pool's slots that tasks hold.
func (e *engine) held(kind int) float64 { return float64(e.slots[kind] - e.pools[kind].free) }

// present is the number of jobs that have arrived and not ended.
func (e *engine) present() int { return e.arrived - (len(e.jobs) - e.unfinished) }

// slotsOf is the number of slots that a job holds.
func (e *engine) slotsOf(id int32) int {
	return e.pools[mapPool].phases[id].held + e.pools[reducePool].phases[id].held
}

func (e *engine) nextMoment() float64 {
	t := e.epochAt
	if len(e.running) > 0 {
		t = min(t, e.running[0].at)
	}
	if e.arrived < len(e.jobs) {
		t = min(t, e.jobs[e.arrived].Arrival)
	}
	return t
}

func (e *engine) arrive(id int32) {
	e.activate(mapPool, id)
	e.maybeStartReduces(id)
}

func (e *engine) activate(kind int, id int32) {
	p := &e.pools[kind]
	p.phases[id].draw(*e.spec(kind, id), rand.New(rand.NewPCG(e.seed, uint64(2*e.file[id]+kind))))
	p.activate(id)
}

// maybeStartReduces activates a job's Reduce phase once enough Map tasks are done.
func (e *engine) maybeStartReduces(id int32) {
	if e.jobs[id].Reduce == nil || e.pools[reducePool].phases[id].active {
		return
	}
	maps := &e.pools[mapPool].phases[id]
	if float64(maps.done) >= e.slowstart*float64(maps.tasks)*(1-1e-12) {
		e.pools[reducePool].phases[id].blocked = maps.done < maps.tasks
		e.activate(reducePool, id)
	}
}

// complete ends a task. Phases of both pools share the heap of completions: even numbers are Map phases.
func (e *engine) complete(c completion) {
	kind, id := int(c.phase&1), c.phase>>1
	p := &e.pools[kind]
	ph := &p.phases[id]
	d := ph.finish(int(c.task), c.at)
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
		e.observe(e.now, kind, e.file[id], -1)
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
	if kind == mapPool && e.jobs[id].Reduce != nil {
		reduces := &e.pools[reducePool].phases[id]
		reduces.blocked, reduces.waiting = false, 0
		for task := range reduces.started {
			e.compute(reducePool, id, task, reduces.times[task])
		}
		return
	}
	e.end[id] = e.now
	e.unfinished--
}

// compute sets a task that holds a slot going.
func (e *engine) compute(kind int, id int32, task int, time float64) {
	at := e.now + time
	e.pools[kind].phases[id].endSum += at
	e.running.push(completion{at: at, phase: id<<1 | int32(kind), task: int32(task)})
}

// renew lets the policy set new targets when an epoch begins, and finds the next epoch at which that can matter.
func (e *engine) renew() error {
	if math.IsInf(e.epochAt, 1) && (e.pools[mapPool].dirty || e.pools[reducePool].dirty) {
		if err := e.setEpoch(); err != nil {
			return err
		}
	}
	if e.epochAt > e.now {
		return nil
	}
	for kind := range e.pools {
		// The true remaining work and the time to deadlines change all the time, extrapolated work with completions and arrivals
		// only.
		if p := &e.pools[kind]; p.dirty || e.exact || e.dated {
			if err := p.plan(e.now, e); err != nil {
				return err
			}
		}
	}
	e.epochAt = math.Inf(1)
	if (e.exact || e.dated) && e.unfinished > 0 && len(e.pools[mapPool].active)+len(e.pools[reducePool].active) > 0 {
		return e.setEpoch()
	}
	return nil
}

// setEpoch sets the next epoch that begins now or later and was not had yet.
func (e *engine) setEpoch() error {
	k := math.Ceil(e.now / e.epoch)
	if k*e.epoch < e.now {
		k++
	}
	k = max(k, e.lastEpoch+1)
	e.lastEpoch, e.epochAt = k, k*e.epoch
	if e.epochAt < e.now || k > 1<<53 {
		return fmt.Errorf("time %v s is too large for epochs of %v s", e.now, e.epoch)
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
			e.observe(e.now, p.kind, e.file[id], +1)
		}
	}
}
