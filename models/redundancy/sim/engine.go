package sim

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/simulation"
	"schedgap/models/simulation/relaxed"
)

// An engine runs one policy on one workload. Time jumps from event to event, an event being an arrival or a completion;
// at each jobs complete first, then jobs arrive, then all copies advance to their most advanced one's state and the
// policy divides the machines. An event costs O(machines) plus what the policy changes, whatever the number of jobs that
// share or wait.
type engine struct {
	simulation.Clock[Job]
	policy *Policy
	rule   Rule
	slot   float64 // length; 0: time is continuous
	reach  float64 // how far ahead of the time the machines' service is drawn
	inTime bool    // the means are those of the jobs that complete before the last arrival

	states   []state
	machines []machine
	each     int // copies that may share a machine
	order    Order
	multi    []int32 // running jobs that may have more than one copy
	homeless []int32
	saves    saves

	fastest float64        // a machine at its best
	offered *relaxed.Curve // what all machines did, used or not, since the first arrival
	seed    uint64
	spent   speeds // of all machines, from the first arrival to the last
	counts

	// observe is called with every allotment. Nil outside tests.
	observe func(e *engine)
}

// A state is the engine's record of a job.
type state struct {
	remaining float64 // work after the last checkpoint; without meaning while the job has copies that are saved at events
	on        []int32 // machines of its copies, in the order in which it got them
	end       float64
}

// A machine gives its copies equal shares of its service. What each got since the machine was last empty is a clock: a
// copy is done when the clock reaches its target, whatever joins or leaves meanwhile.
type machine struct {
	process
	clock  float64
	copies []replica
	next   int // the copy with the least target
}

type replica struct {
	target float64
	job    int32
}

// rounding is the remaining work, relative to the job's, that floating point may leave of a job that is done.
const rounding = 1e-12

// idle is the number of mean cycles without a job beyond which the machines' periods are not drawn one by one, see skip.
const idle = 1e4

// lookahead is the number of mean cycles of periods up to which an event is searched at a time. It bounds the periods drawn in
// advance, and the work between two looks at the context.
const lookahead = 64

func newEngine(w *Workload, policy *Policy, v models.Values, seed uint64) (*engine, error) {
	l, err := readLaw(v)
	if err != nil {
		return nil, err
	}
	n := len(w.Jobs)
	e := &engine{
		Clock:  simulation.NewClock(w, func(j *Job) float64 { return j.Arrival }, float64(v.Int("machines"))),
		policy: policy, rule: policy.Rule(v), reach: lookahead * l.cycle(), each: 1, inTime: v.Text("counted") == countInTime,
		states: make([]state, n), machines: make([]machine, v.Int("machines")), seed: seed,
	}
	if v.Bool("slotted") {
		e.slot = v.Float("slot")
	}
	for i := range e.states {
		e.states[i].remaining = e.Jobs[i].Work
	}
	e.saves, err = newSaves(v, e.Now)
	if err != nil {
		return nil, err
	}
	e.fastest = max(l.kinds[available].high, l.kinds[unavailable].high)
	e.offered = relaxed.NewCurve(0, e.fastest*float64(len(e.machines)))
	e.spent.width = e.fastest / levels
	for i := range e.machines {
		// A machine's speeds depend on the seed and its index only, so that all policies meet the same ones.
		e.machines[i].process = newProcess(l, rand.NewPCG(seed, uint64(i)), e.Now)
		e.machines[i].spent = &e.spent
	}
	e.order = NewOrder(policy.Latest, e.File, e.remaining, e.saved)
	return e, nil
}

// Run implements simulation.Engine.
func (e *engine) Run(ctx context.Context) error {
	return e.Clock.Run(ctx, func() error {
		if e.Present() == 0 && e.NextArrival() < math.Inf(1) && e.NextArrival()-e.Now > idle/lookahead*e.reach {
			e.skip(e.NextArrival() - e.reach)
			return nil
		}
		at, done, event := e.nextEvent()
		if event && e.slot > 0 {
			at = max(at, math.Ceil(at/e.slot)*e.slot)
		}
		if at > e.saves.next { // an event at the same time comes first
			e.advance(e.saves.next)
			e.save()
			return nil
		}
		e.advance(at)
		if !event {
			return nil
		}
		e.complete(done)
		e.Arrive(e.order.Arrive)
		if e.Arrived == len(e.Jobs) {
			e.settle()
		}
		if err := e.allot(); err != nil {
			return e.Blame(ctx, e.policy.Name, err)
		}
		if e.observe != nil {
			e.observe(e)
		}
		return nil
	})
}

// skip goes on to a time before the next arrival, as no job is there. The machines, which have long forgotten what they did, begin
// again by their law, with seeds of the number of arrivals, so that all policies that wait here meet the same speeds afterwards. What
// they did meanwhile is not drawn. For the bound by speed they were at their best, which makes it no larger. For the others they did
// nothing: the bound's machine, which has done all that these have, has no job either, and what rounding leaves of one is done in the
// stretch that is drawn first.
func (e *engine) skip(to float64) {
	e.advance(e.Now + e.reach)
	for i := range e.machines {
		m := &e.machines[i]
		source := rand.NewPCG(e.seed, uint64(i)|uint64(e.Arrived)<<32)
		if m.spent == nil {
			m.process = newProcess(m.law, source, to)
			continue
		}
		m.settle()
		m.spent.add(e.fastest, to-e.Now)
		m.process = newProcess(m.law, source, to)
		m.spent = &e.spent
	}
	if late := to - e.saves.next; late > 0 { // checkpoints of nothing
		e.saves.next += math.Ceil(late/e.saves.every) * e.saves.every
	}
	e.Pass(to, e.running, float64(e.busy))
	e.offered.Add(e.Elapsed(), 0)
}

// nextEvent returns the time of the next completion, with its job, or arrival, with −1; or else a time up to which there
// is none.
func (e *engine) nextEvent() (at float64, done int32, event bool) {
	at, done = e.Now+e.reach, -1
	if next := e.NextArrival(); next <= at {
		at, event = next, true
	}
	for i := range e.machines {
		m := &e.machines[i]
		if len(m.copies) == 0 {
			continue
		}
		service := (m.copies[m.next].target - m.clock) * float64(e.each)
		if e.saves.writing && service > 0 {
			continue
		}
		if t, ok := m.reach(service, at); ok {
			at, done, event = t, m.copies[m.next].job, true
		}
	}
	return at, done, event
}

// complete ends the jobs that have done their work, with rounding: the one that nextEvent named, unless that is −1, in
// any case.
func (e *engine) complete(done int32) {
	if done >= 0 {
		e.end(done)
	}
	for i := range e.machines {
		m := &e.machines[i]
		for len(m.copies) > 0 {
			c := m.copies[m.next]
			if c.target-m.clock > rounding*e.Jobs[c.job].Work {
				break
			}
			e.end(c.job)
		}
	}
}

func (e *engine) end(j int32) {
	e.order.Depart(j)
	e.withdraw(j, 0)
	e.states[j].end, e.states[j].on = e.Now, nil
	e.Gone++
}

// allot checkpoints, where that is done at events, and divides the machines again.
func (e *engine) allot() error {
	if e.saves.atEvents {
		for _, j := range e.multi {
			e.checkpoint(j)
		}
	}
	if e.Present() == 0 {
		return nil
	}
	a := e.rule(e.Present(), len(e.machines))
	if err := a.check(e.Present(), len(e.machines)); err != nil {
		return err
	}
	e.place(a, e.order.Serve(a.Served))
	return nil
}

// remaining returns the work left for a job's most advanced copy, or, without copies, the work left after the last checkpoint.
func (e *engine) remaining(j int32) float64 {
	s := &e.states[j]
	if len(s.on) == 0 {
		return s.remaining
	}
	least := math.Inf(1)
	for _, i := range s.on {
		m := &e.machines[i]
		least = min(least, m.copies[m.find(j)].target-m.clock)
		if e.saves.atEvents {
			break // all have the same
		}
	}
	return least
}

// saved is the work that a job has left when it loses all its copies.
func (e *engine) saved(j int32) float64 {
	if e.saves.atEvents {
		return e.remaining(j)
	}
	return e.states[j].remaining
}

// find is the place of a job's copy.
func (m *machine) find(j int32) int {
	return slices.IndexFunc(m.copies, func(c replica) bool { return c.job == j })
}

func (m *machine) findNext() {
	m.next = 0
	for k := range m.copies {
		if m.copies[k].target < m.copies[m.next].target {
			m.next = k
		}
	}
}
