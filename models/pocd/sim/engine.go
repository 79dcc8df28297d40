package sim

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models/heap"
	"schedgap/models/pocd"
	"schedgap/models/simulation"
)

// An engine runs one policy on one workload. Time jumps from event to event; at each moment attempts end first, then jobs
// arrive, then waiting jobs start, then, if it is time, the policy checks.
type engine struct {
	options
	simulation.Clock[Job]
	policy  *Policy
	states  []state
	logPoCD float64 // of the policy's baseline

	waiting   []int32 // jobs by arrival; those before head have started or were dropped
	head      int
	active    []int32 // running jobs by start; may hold ended ones
	running   int     // jobs
	tasks     int     // unfinished ones of running jobs
	free      int     // VMs
	vms       []attempt
	idle      []int32      // VMs that were used before and are free
	events    heap.Indexed // the ends and changes of attempts, by 2·VM, and when jobs have progressed by ξ, by 2·job + 1
	nextCheck float64
	due       bool // a check is

	instance pocd.Instance
	arena    []pocd.Task
	counts
	mostDrawn int32 // attempts of one task

	// observe is called with every change. Nil outside tests.
	observe func(Change)
	// times replaces the Pareto times. Nil outside tests.
	times func(job, task, attempt int) float64
	// segments replaces the stretches of equal speed where speeds change. Nil outside tests.
	segments func(job, task, attempt, segment int) (x, lasts float64)
}

// A state is the engine's state of a job.
type state struct {
	stream   uint64
	phase    phase
	observed bool // may have stragglers: its progress reached ξ, where the policy waits for that
	tasks    []task
	left     int
	taskTime float64 // times from the job's start of its completed tasks
	start    float64
	end      float64
}

type phase uint8

const (
	waits phase = iota
	runs
	ended
	killed
)

// Kinds of changes.
const (
	Started   = "started"   // a job; it takes a VM for its master
	Ended     = "ended"     // a job, and its master's VM is free
	Dropped   = "dropped"   // a job: killed, with its master's VM freed if it ran
	Launched  = "launched"  // an attempt
	Completed = "completed" // an attempt, and with it its task
	Killed    = "killed"    // an attempt
)

// A Change is one event, for tests to observe.
type Change struct {
	Now     float64
	Kind    string
	Job     int // place in the file
	Task    int
	VM      int
	Attempt int     // of the task, from 0
	Offset  float64 // progress at which it starts
}

func newEngine(w *Workload, policy *Policy, o options, seed uint64) (*engine, error) {
	e := &engine{
		options: o, Clock: simulation.NewClock(w, func(j *Job) float64 { return j.Arrival }, float64(o.capacity)),
		policy: policy, free: o.capacity, nextCheck: math.Inf(1), states: make([]state, len(w.Jobs)),
	}
	for i, k := range e.File {
		e.states[i].stream = simulation.Stream(seed, k)
		e.work += float64(e.Jobs[i].Tasks) * (o.Launch + e.processing(e.Jobs[i].mean()))
		if o.Within && w.Jobs[k].TMin <= o.Launch {
			return nil, simulation.Faulty(w.Jobs[k].ID, " has t_min %v, which contains no launch of %v seconds", w.Jobs[k].TMin, o.Launch)
		}
		if need := w.Jobs[k].Tasks + 1; need > o.capacity {
			return nil, simulation.Faulty(w.Jobs[k].ID, " needs %d VMs, one a task and one for its master, and the cluster has %d",
				need, o.capacity)
		}
	}
	return e, nil
}

// Run implements simulation.Engine.
func (e *engine) Run(ctx context.Context) error {
	return e.Clock.Run(ctx, func() error {
		e.advance(e.nextMoment())
		for !e.events.Empty() && e.events.Least() <= e.Now {
			of := e.events.Top()
			if id := of / 2; of%2 == 1 {
				e.events.Pop()
				if s := &e.states[id]; s.phase == runs {
					s.observed, e.due = true, true
				}
			} else if a := &e.vms[id]; a.changes < a.end {
				e.change(id)
			} else {
				e.complete(id)
			}
		}
		e.Arrive(func(id int32) {
			e.waiting = append(e.waiting, id)
			e.due = e.due || e.policy.Checks&AtStart != 0
		})
		e.admit()
		if !e.due && e.nextCheck > e.Now {
			return nil
		}
		e.due = false
		return e.Blame(ctx, e.policy.Name, e.check(ctx))
	})
}

func (e *engine) nextMoment() float64 {
	t := min(e.nextCheck, e.NextArrival())
	if !e.events.Empty() {
		t = min(t, e.events.Least())
	}
	return max(t, e.Now)
}

// admit starts waiting jobs in turn as long as their VMs are free.
func (e *engine) admit() {
	for ; e.head < len(e.waiting); e.head++ {
		id := e.waiting[e.head]
		if e.states[id].phase == killed || e.policy.Clairvoyant && e.drop(id) {
			continue
		}
		if e.Jobs[id].Tasks+1 > e.free {
			return
		}
		e.start(id)
	}
	e.waiting, e.head = e.waiting[:0], 0
}

// drop kills a waiting job that misses its deadline even if it starts now, or reports false.
func (e *engine) drop(id int32) bool {
	j, longest := &e.Jobs[id], math.Inf(-1)
	for i := range int32(j.Tasks) {
		_, x := e.fastest(id, i)
		longest = max(longest, x)
	}
	if meets(e.Now+e.Launch+longest-j.Arrival, j.Deadline) {
		return false
	}
	e.kill(id)
	return true
}

// fastest is the attempt of a task that takes least time among the first and maxCopies others, and that time after a mean launch.
func (e *engine) fastest(id, i int32) (k int32, x float64) {
	x = math.Inf(1)
	for c := range int32(e.MaxCopies) + 1 {
		if y := e.launchTime(id, i, c) - e.Launch + e.whole(id, i, c); y < x {
			k, x = c, y
		}
	}
	return k, x
}

func (e *engine) duration(id, i, k int32) float64 {
	if e.times != nil {
		return e.times(e.File[id], int(i), int(k))
	}
	return e.processing(pareto(&e.Jobs[id], e.states[id].stream, i, k))
}

// processing is the part of a time, which may contain a launch, in which an attempt processes.
func (e *engine) processing(x float64) float64 {
	if e.Within {
		return x - e.Launch
	}
	return x
}

func meets(elapsed, deadline float64) bool { return elapsed <= deadline*(1+pocd.Tolerance) }

func (e *engine) start(id int32) {
	j, s := &e.Jobs[id], &e.states[id]
	s.phase, s.start, s.left, s.tasks = runs, e.Now, j.Tasks, slices.Repeat([]task{{first: -1}}, j.Tasks)
	s.observed = e.policy.Checks&AtProgress == 0
	if len(e.active) > 2*e.running+64 {
		e.compact()
	}
	e.active = append(e.active, id)
	e.running++
	e.tasks += j.Tasks
	e.free--
	e.tell(Started, id, 0, 0)
	for i := range int32(j.Tasks) {
		if e.policy.Clairvoyant {
			s.tasks[i].drawn, _ = e.fastest(id, i)
		}
		e.launchAttempt(id, i, 0)
	}
	if e.policy.Clones != nil {
		e.startClones(id)
	}
	if e.policy.Checks&AtStart != 0 {
		e.due = true
	}
	if e.policy.Checks&AtProgress != 0 {
		e.events.Set(2*id+1, e.observedAt(id))
	}
	if e.policy.Checks&Periodic != 0 && math.IsInf(e.nextCheck, 1) {
		e.nextCheck = e.Now + e.interval(j.Deadline)
	}
}

func (e *engine) startClones(id int32) {
	n := e.Jobs[id].Tasks
	about := Start{Tasks: n, MaxCopies: e.MaxCopies, LogPoCD: e.logPoCD}
	if e.TaskLevel {
		about.LogPoCD /= float64(n)
	}
	r := max(0, min(e.policy.Clones(about), e.MaxCopies))
	if r > e.free/n {
		return
	}
	for i := range int32(n) {
		for range r {
			e.launchAttempt(id, i, 0)
		}
	}
}

// progressTime is how long after they begin to process the first attempts of a job's tasks have progressed by ξ on average.
// That grows with the sum of the attempts' speeds until the first of them ends, then with the sum of the others'.
func (e *engine) progressTime(s *state) float64 {
	speeds := make([]float64, 0, 32)
	sum := 0.0
	for i := range s.tasks {
		v := e.vms[s.tasks[i].first].speed
		speeds = append(speeds, v)
		sum += v
	}
	want := e.XI * float64(len(speeds))
	t := want / sum
	if t*slices.Max(speeds) <= 1 {
		return t
	}
	slices.SortFunc(speeds, func(a, b float64) int { return cmp.Compare(b, a) })
	for _, v := range speeds {
		if want <= 0 || t*v <= 1 {
			return t
		}
		want--
		sum -= v
		t = want / sum
		if !(sum > 0) {
			return 1 / v
		}
	}
	return t
}

// endJob frees the machines of a running job.
func (e *engine) endJob(id int32, to phase) {
	s := &e.states[id]
	s.phase, s.end = to, e.Now
	e.tasks -= s.left
	s.tasks = nil
	e.free++
	e.running--
	e.Gone++
	if e.running == 0 {
		e.nextCheck = math.Inf(1)
	}
}

func (e *engine) compact() {
	e.active = slices.DeleteFunc(e.active, func(id int32) bool { return e.states[id].phase != runs })
}

// kill ends a job that misses its deadline.
func (e *engine) kill(id int32) {
	s := &e.states[id]
	if s.phase == waits {
		s.phase, s.start, s.end = killed, e.Now, e.Now
		e.Gone++
	} else {
		for i := range s.tasks {
			for s.tasks[i].first >= 0 {
				e.killAttempt(s.tasks[i].first)
			}
		}
		e.endJob(id, killed)
	}
	e.jobsKilled++
	e.tell(Dropped, id, 0, 0)
}

func (e *engine) tell(kind string, id, i, vm int32) {
	if e.observe == nil {
		return
	}
	c := Change{Now: e.Now, Kind: kind, Job: e.File[id], Task: int(i), VM: int(vm)}
	if kind == Launched || kind == Completed || kind == Killed {
		c.Attempt, c.Offset = int(e.vms[vm].k), e.vms[vm].offset
	}
	e.observe(c)
}
