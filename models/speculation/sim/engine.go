package sim

import (
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/heap"
	"schedgap/models/simulation"
	"schedgap/models/speculation"
)

// An engine runs one policy on one workload. Time jumps from event to event; at each moment attempts end first and copies take
// their reserved slots, then jobs arrive, then the job scheduler hands out free slots, then jobs whose period is over look
// for stragglers.
type engine struct {
	options
	cluster
	simulation.Clock[Job]
	policy *Policy
	seed   uint64
	assign Assign // the policy's
	states []state

	remaining int          // unfinished tasks of active jobs
	waiting   heap.Indexed // jobs with unlaunched tasks, by the job scheduler's order
	wanting   heap.Indexed // jobs without, that have stragglers to copy
	held      int          // slots that hopper holds back for jobs without unlaunched tasks
	aside     []int32
	checks    heap.Indexed // jobs by their next look for stragglers

	instance speculation.Instance
	cells    []float64 // of its CopyTime
	offer    []offered // its slots
	asked    []int32   // its stragglers
	homes    []int32   // see replicasOf
	roomy    []int32   // nodes with free slots, ascending
	onNode   []int32   // by node: see offered.beside
	far      []float64 // copy times of a task without replicas on the nodes of offer
	counts

	// observe is called with every change. Nil outside tests.
	observe func(Change)
	// slowdowns replaces the slowdown of attempts. Nil outside tests.
	slowdowns func(job, task int, isCopy bool) float64
}

// A state is the engine's state of a job.
type state struct {
	stream  uint64
	sigma   float64 // of the logarithms of its tasks' sizes
	phase   phase
	aside   bool // not asked again at this moment
	next    int32
	left    int
	held    int
	tasks   []task
	running []int32 // slots
	pending []int32 // stragglers without a copy at the last look; some may have ended since
	begin   float64
	end     float64
	fastest float64 // time of a completed task, 0: there is none
	timeSum float64 // of completed tasks
	energy  [classes]float64
	least   least   // of the tasks that began
	idle    float64 // booked to the job; of one that is active, idleEach when it arrived
}

type phase uint8

const (
	absent phase = iota
	active
	ended
)

// A task of a job that has begun.
type task struct {
	original, copy int32 // slots of its running attempts, −1: none
	reserved       int32 // slot for its copy, −1: none
	done           bool
}

// meanTime is the mean time of the job's completed tasks.
func (s *state) meanTime() float64 { return s.timeSum / float64(len(s.tasks)-s.left) }

// Kinds of changes.
const (
	Launched  = "launched"  // an attempt
	Completed = "completed" // an attempt, and with it its task
	Killed    = "killed"    // an attempt
	Reserved  = "reserved"  // a slot, for a copy of the task
)

// A Change is one event, for tests to observe.
type Change struct {
	Now    float64
	Kind   string
	Job    int // place in the file
	Task   int
	Slot   int
	Copy   bool
	Remote bool
	Work   float64 // seconds that the attempt needs alone on the node
}

func newEngine(w *Workload, policy *Policy, v models.Values, seed uint64) *engine {
	o, n := readOptions(v), len(w.Jobs)
	e := &engine{
		options: o, cluster: newCluster(&o, seed), policy: policy, seed: seed, assign: policy.Assign, states: make([]state, n),
		onNode: make([]int32, o.NodeCount), waiting: heap.NewIndexed(n), wanting: heap.NewIndexed(n), checks: heap.NewIndexed(n),
	}
	if policy.ForRun != nil {
		e.assign = policy.ForRun(v)
	}
	e.Clock = simulation.NewClock(w, func(j *Job) float64 { return j.Arrival }, float64(len(e.slots)))
	for i, k := range e.File {
		e.states[i].stream = simulation.Stream(seed, k)
		e.states[i].sigma = math.Sqrt(math.Log1p(w.Jobs[k].CV * w.Jobs[k].CV))
		e.states[i].left = w.Jobs[k].Tasks
	}
	return e
}

// Run implements simulation.Engine.
func (e *engine) Run(ctx context.Context) error {
	return e.Clock.Run(ctx, func() error {
		e.advance(e.nextMoment())
		for !e.ends.Empty() && e.ends.Least() <= e.Now {
			for !e.ends.Empty() && e.ends.Least() <= e.Now {
				id := e.ends.Top()
				e.ends.Remove(id)
				if n := &e.nodes[id]; !n.changed { // otherwise settle finds what ends next, now or later
					e.complete(n.next)
				}
			}
			e.settle()
		}
		e.Arrive(e.arrive)
		err := e.dispatch(ctx)
		for err == nil && !e.checks.Empty() && e.checks.Least() <= e.Now {
			err = e.check(ctx, e.checks.Top())
		}
		if err != nil {
			return e.Blame(ctx, e.policy.Name, err)
		}
		e.settle()
		for _, at := range e.fresh {
			e.slots[at].fresh = false
		}
		e.fresh, e.freshFree = e.fresh[:0], 0
		return nil
	})
}

func (e *engine) nextMoment() float64 {
	t := e.NextArrival()
	if !e.ends.Empty() {
		t = min(t, e.ends.Least())
	}
	if !e.checks.Empty() {
		t = min(t, e.checks.Least())
	}
	return max(t, e.Now)
}

func (e *engine) arrive(id int32) {
	s := &e.states[id]
	s.phase, s.idle = active, e.idleEach
	e.remaining += s.left
	e.queueJob(id)
}

func (e *engine) beginJob(id int32) {
	s := &e.states[id]
	s.begin = e.Now
	s.tasks = slices.Repeat([]task{{original: -1, copy: -1, reserved: -1}}, s.left)
}

func (e *engine) endJob(id int32) {
	s := &e.states[id]
	s.phase, s.end, s.idle = ended, e.Now, e.idleEach-s.idle
	s.tasks, s.running, s.pending = nil, nil, nil
	e.checks.Remove(id)
	e.Gone++
}

func (e *engine) tell(kind string, id, i, at int32) {
	if e.observe == nil {
		return
	}
	a := &e.slots[at].attempt
	e.observe(Change{
		Now: e.Now, Kind: kind, Job: e.File[id], Task: int(i), Slot: int(at), Copy: a.copy, Remote: a.remote, Work: a.until - a.from,
	})
}
