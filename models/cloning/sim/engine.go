package sim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"schedgap/models/cloning"
	"schedgap/models/simulation"
)

// An engine runs one policy on the jobs of one instance. Time jumps from slot to slot: at the end of a slot tasks complete, then
// jobs arrive, then the policy decides; what starts runs from the next slot on.
type engine struct {
	State
	rules Rules
	draws *draws // nil: the expected model

	servers *servers
	queue   queue
	due     calendar
	watch   calendar // tasks that are late from a slot on, if they still run
	order   []int32  // jobs by arrival
	arrived int
	touched []int32 // jobs whose ranks changed

	tasks    []task
	copies   []running // all but the last of each task
	idle     []int32   // free ones of tasks
	parked   []int32   // free ones of copies
	ending   []int32   // copies, scratch of completeAll
	changed  []int32   // tasks whose slot of completion is to be found
	cursor   place
	again    bool  // something came before the cursor
	decision int32 // number of the present one
	fresh    int   // fresh entries were queued since the last decision

	cloneCapacity []float64 // by resource, what clones may hold; nil: no bound
	cloneUse      []float64
	clones        int // running copies besides first ones

	meanCapacity []float64
	fits         fits         // of BestFit and Blend
	blend        blend        // of Blend
	misfits      knownMisfits // found by both at the present decision
	anything     []float64    // a room in which everything fits

	observe observer
	monitor *simulation.Monitor // nil: nobody asks
	slot    float64             // seconds, of the monitor's clock
	serving int                 // jobs with running copies
	held    []float64           // by resource

	guess *estimator // nil: policies see the truth
	keep  *survivors // nil: all copies of a task end with it

	flow, limit float64 // sum of the flowtimes so far; above limit the run ends with errAbove
}

var errAbove = errors.New("the sum of the flowtimes is above the limit")

// An observer is called with every copy that ends, whether it is its task's first, and when the task ended, in slots. It may be
// nil.
type observer func(c cloning.Copy, first bool, finish float64)

// A task is one that runs.
type task struct { // of the size of a cache line
	job, phase, index int32
	copies            int32 // running
	before, behind    int32 // in its entry's list
	changed           bool
	listed            bool // in an entry
	due               int  // slot of completion; unset: none
	last              running
	end               float64 // stochastic model: when the earliest copy ends, in slots
}

// A running copy.
type running struct {
	server int32
	next   int32 // the copy that started before, in the list of all copies but the last of each task
	start  int   // slot after which it runs
}

const none = -1

// maxSlot bounds slot numbers, as instance files do: all integers up to it are float64s.
const maxSlot = 1 << 53

// newEngine prepares a run on an instance whose server capacities are multiplied by factor.
func newEngine(in *cloning.Instance, factor float64) (*engine, error) {
	n, width := len(in.Jobs), len(in.Resources)
	e := &engine{
		State:   State{in: in, jobs: make([]jobState, n)},
		servers: newServers(in, factor),
		queue:   queue{width: width}, cursor: beforeAll, due: newCalendar(), watch: newCalendar(),
		order:    make([]int32, n),
		anything: slices.Repeat([]float64{math.Inf(1)}, width),
		cloneUse: make([]float64, width), meanCapacity: make([]float64, width),
		limit: math.Inf(1),
	}
	e.total = make([]float64, width)
	for i := range in.Servers {
		for r, v := range e.servers.capacity(i) {
			e.total[r] += v
		}
	}
	for r, v := range e.total {
		e.meanCapacity[r] = v / float64(len(in.Servers))
	}
	for j := range e.order {
		e.order[j] = int32(j)
	}
	slices.SortStableFunc(e.order, func(a, b int32) int { return cmp.Compare(in.Jobs[a].Arrival, in.Jobs[b].Arrival) })
	return e, e.validate()
}

// validate refuses what could never end.
func (e *engine) validate() error {
	horizon := 0.0
	for j := range e.in.Jobs {
		job := &e.in.Jobs[j]
		horizon = max(horizon, float64(job.Arrival))
		for k := range job.Phases {
			if e.servers.tree.find(0, job.Phases[k].Demand) < 0 {
				return simulation.Faulty(job.ID, ": a task of phase %d demands %v of the resources %v, which no server has", k,
					job.Phases[k].Demand, e.in.Resources)
			}
		}
	}
	if horizon > maxSlot {
		return fmt.Errorf("the last arrival is in slot %v, later than slot %d", horizon, maxSlot)
	}
	return nil
}

// checkEvery is how many steps pass between two looks at the context.
const checkEvery = 1024

func (e *engine) run(ctx context.Context, rules Rules) error {
	e.rules = rules
	e.rules.MaxCopies = min(max(1, rules.MaxCopies), e.in.MaxCopies)
	if rules.CloneShare > 0 {
		e.cloneCapacity = make([]float64, len(e.total))
		for r, v := range e.total {
			e.cloneCapacity[r] = rules.CloneShare*v + cloning.FitTolerance*v
		}
	}
	e.reserve()
	for {
		slot := e.due.next()
		if e.arrived < len(e.order) {
			slot = min(slot, e.in.Jobs[e.order[e.arrived]].Arrival)
		}
		if slot < never {
			slot = min(slot, e.watch.next())
		}
		if e.keep != nil && e.Count() > 0 {
			slot = min(slot, e.keep.due.next())
		}
		if slot == never {
			break
		}
		if slot > maxSlot {
			return fmt.Errorf("slot %d is later than slot %d, the last that can be simulated", slot, maxSlot)
		}
		e.flow += float64(e.Count()) * float64(slot-e.now)
		if e.flow > e.limit {
			return errAbove
		}
		if e.monitor != nil {
			e.monitor.Advance(float64(slot)*e.slot, e.Count(), e.Count()-e.serving, e.held...)
		}
		e.now = slot
		e.completeAll(e.due.take(slot))
		e.endDue()
		e.noteLate(e.watch.take(slot))
		e.arrive()
		e.rerank()
		if err := e.decide(ctx); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	for j := range e.jobs {
		if e.jobs[j].left > 0 {
			return fmt.Errorf("job %q never completes: its tasks got no copies", e.in.Jobs[j].ID)
		}
	}
	return nil
}

// reserve makes room for tasks and copies, as running ones come in great numbers at once.
func (e *engine) reserve() {
	tasks, most := 0, 8*len(e.in.Servers)
	for j := range e.in.Jobs {
		for k := range e.in.Jobs[j].Phases {
			tasks = min(tasks+e.in.Jobs[j].Phases[k].Tasks, most)
		}
	}
	e.tasks, e.changed = make([]task, 0, tasks), make([]int32, 0, tasks)
	e.copies = make([]running, 0, min(tasks*(e.rules.MaxCopies-1), most))
}

// arrive lets jobs in.
func (e *engine) arrive() {
	from := e.arrived
	for ; e.arrived < len(e.order); e.arrived++ {
		j := e.order[e.arrived]
		job := &e.in.Jobs[j]
		if job.Arrival > e.now {
			break
		}
		s := &e.jobs[j]
		s.phases, s.left, s.start = make([]phaseState, len(job.Phases)), len(job.Phases), none
		for k := range job.Phases {
			s.phases[k].left, s.phases[k].waits = int32(job.Phases[k].Tasks), int32(len(job.Phases[k].Parents))
			for _, p := range job.Phases[k].Parents {
				s.phases[p].children = append(s.phases[p].children, int32(k))
			}
		}
		e.judge(j)
		e.active = append(e.active, j)
		if e.monitor != nil {
			e.monitor.Arrive(e.Count())
		}
	}
	if from == e.arrived {
		return
	}
	if e.ended > len(e.active)/2 {
		e.active = slices.DeleteFunc(e.active, func(j int32) bool { return e.jobs[j].left == 0 })
		e.State.ended = 0
	}
	if e.rules.Arrived != nil {
		e.rules.Arrived()
	}
	for _, j := range e.order[from:e.arrived] {
		for k := range e.jobs[j].phases {
			if e.jobs[j].phases[k].waits == 0 {
				e.release(j, int32(k))
			}
		}
	}
	if e.rules.Changes&OnArrival != 0 {
		for j := range e.Active {
			e.touch(int32(j), OnArrival)
		}
	}
}

// release makes the tasks of a phase wait for their first copies.
func (e *engine) release(j, k int32) {
	p := &e.in.Jobs[j].Phases[k]
	s := &e.jobs[j].phases[k]
	e.keep.release(j, k, &e.in.Jobs[j], e.now)
	s.demand = p.Demand
	for r, d := range p.Demand {
		if d > 0 {
			s.worth += d / e.meanCapacity[r]
		}
	}
	if e.draws != nil {
		s.law = e.draws.law(int(j), int(k))
	}
	s.entries = make([]entry, e.rules.MaxCopies)
	for c := range s.entries {
		s.entries[c] = entry{place: place{job: j, phase: k, copies: int32(c)}, demand: p.Demand, first: none, last: none, fresh: true}
	}
	s.entries[0].count = int32(p.Tasks)
	e.enqueue(&s.entries[0])
}

// enqueue puts an entry that is not empty into the queue if the policy ranks it.
func (e *engine) enqueue(n *entry) {
	rank, ok := e.rules.Rank(int(n.job), int(n.phase), int(n.copies))
	if !ok {
		return
	}
	n.group, n.key, n.weight = rank.Group, rank.Key, cmp.Or(rank.Weight, 1)
	if !e.cursor.before(&n.place) {
		e.again, n.fresh = true, true
	}
	if n.fresh {
		e.fresh++
	}
	e.queue.insert(n)
}

// touch notes that the ranks of a job change by what.
func (e *engine) touch(j int32, what When) {
	if e.rules.Changes&what != 0 && !e.jobs[j].rerank {
		e.jobs[j].rerank = true
		e.touched = append(e.touched, j)
	}
}

// rerank moves the entries of the jobs that were touched.
func (e *engine) rerank() {
	for _, j := range e.touched {
		s := &e.jobs[j]
		s.rerank = false
		for k := range s.phases {
			if s.phases[k].left == 0 {
				continue
			}
			for c := range s.phases[k].entries {
				n := &s.phases[k].entries[c]
				if n.count == 0 {
					continue
				}
				rank, ok := e.rules.Rank(int(j), k, c)
				if n.queued {
					if ok && rank.Group == n.group && rank.Key == n.key {
						n.weight = cmp.Or(rank.Weight, 1)
						continue
					}
					e.queue.remove(n)
				} else if !ok {
					continue
				} else {
					n.fresh = true // it was not tried while it had no rank
				}
				if ok {
					e.enqueue(n)
				}
			}
		}
	}
	e.touched = e.touched[:0]
}

// completeAll ends the tasks of a list that are due now.
func (e *engine) completeAll(list []int32) {
	// First it only looks at what complete reads: the processor waits for many such loads, far apart in memory, at once.
	copies := e.ending[:0]
	for _, id := range list {
		if t := &e.tasks[id]; t.due == e.now && t.last.next != none {
			copies = append(copies, t.last.next)
		}
	}
	e.ending = copies
	for len(copies) > 0 {
		earlier := copies[:0]
		for _, c := range copies {
			if next := e.copies[c].next; next != none {
				earlier = append(earlier, next)
			}
		}
		copies = earlier
	}
	for _, id := range list {
		if e.tasks[id].due == e.now {
			e.complete(id)
		}
	}
}

// complete ends a task and with it its copies.
func (e *engine) complete(id int32) {
	t := &e.tasks[id]
	j, k := t.job, t.phase
	job := &e.jobs[j]
	s := &job.phases[k]
	e.leave(s, t)
	finish := float64(e.now)
	if e.draws != nil {
		finish = t.end
	}
	began, kept, end := 0.0, int32(none), t.copies
	if e.keep != nil {
		kept = e.keepOne(t)
		if kept != none {
			end--
		}
	}
	for c, n, at := t.last, t.copies-1, int32(none); ; n-- {
		first := c.next == none
		if n != kept {
			job.spend(s.worth*(finish-float64(c.start)), first)
			if e.observe != nil {
				e.observe(cloning.Copy{
					Task:   cloning.Task{Job: int(j), Phase: int(k), Index: int(t.index)},
					Server: int(c.server), Start: c.start, End: e.now,
				}, first, finish)
			}
			e.servers.give(int(c.server), s.demand)
			e.hold(job, s.demand, -1)
		}
		if at != none {
			e.parked = append(e.parked, at)
		}
		if first {
			began = float64(c.start)
			break
		}
		at = c.next
		c = e.copies[at]
	}
	s.copies -= t.copies
	e.holdClones(s.demand, 1-end)
	job.finish = max(job.finish, finish)
	t.due = none
	e.idle = append(e.idle, id)
	s.left--
	if s.left == 0 {
		s.entries = nil
		job.left--
		for _, c := range s.children {
			job.phases[c].waits--
			if job.phases[c].waits == 0 {
				e.release(j, c)
			}
		}
	}
	e.learn(j, k, finish-began)
	if job.left == 0 {
		if e.keep != nil {
			e.endKept(j, true)
		}
		job.phases = nil
		e.State.ended++
		return
	}
	e.touch(j, OnProgress)
}

// spend books the resources that a copy used.
func (s *jobState) spend(use float64, first bool) {
	s.usage += use
	if !first {
		s.cloneUsage += use
	}
}

// holdClones books clones that start or end.
func (e *engine) holdClones(demand []float64, by int32) {
	if by == 0 {
		return
	}
	e.clones += int(by)
	if e.clones == 0 {
		clear(e.cloneUse)
		return
	}
	for r, d := range demand {
		e.cloneUse[r] += float64(by) * d
	}
}

// hold books a copy of a job that starts or ends.
func (e *engine) hold(job *jobState, demand []float64, by int32) {
	if e.monitor == nil {
		return
	}
	before := job.running
	job.running += by
	if before == 0 {
		e.serving++
	} else if job.running == 0 {
		e.serving--
	}
	for r, d := range demand {
		e.held[r] += float64(by) * d
	}
}

// leave takes a task out of its entry, and the entry out of the queue if it was the last.
func (e *engine) leave(s *phaseState, t *task) {
	if !t.listed {
		return
	}
	t.listed = false
	n := &s.entries[t.copies]
	if t.before == none {
		n.first = t.behind
	} else {
		e.tasks[t.before].behind = t.behind
	}
	if t.behind == none {
		n.last = t.before
	} else {
		e.tasks[t.behind].before = t.before
	}
	e.shrink(n)
}

func (e *engine) shrink(n *entry) {
	n.count--
	if n.count == 0 && n.queued {
		e.queue.remove(n)
	}
}

// lateFrom is the slot from which a running task may have a further copy if its last copy still runs, 0 if that does not matter.
func (e *engine) lateFrom(t *task) int {
	from := e.keep.cloneFrom(t.job, t.phase)
	if e.rules.Late == nil {
		return from
	}
	return max(from, t.last.start+min(e.rules.Late(int(t.job), int(t.phase)), maxSlot))
}

// noteLate queues the tasks of a list that become late now for another copy. It skips ids of tasks that have ended, and ids that
// other tasks have taken over.
func (e *engine) noteLate(list []int32) {
	for _, id := range list {
		if t := &e.tasks[id]; t.due != none && !t.listed && e.lateFrom(t) == e.now {
			e.enter(&e.jobs[t.job].phases[t.phase], id)
		}
	}
}

// enter puts a task at the end of its entry, unless it must be late for that and is not yet.
func (e *engine) enter(s *phaseState, id int32) {
	t := &e.tasks[id]
	if int(t.copies) >= len(s.entries) {
		return
	}
	if from := e.lateFrom(t); from > e.now {
		e.watch.add(from, id)
		return
	}
	t.listed = true
	n := &s.entries[t.copies]
	t.before, t.behind = n.last, none
	if n.last == none {
		n.first = id
	} else {
		e.tasks[n.last].behind = id
	}
	n.last = id
	n.count++
	if n.queued {
		if n.capped && !n.fresh {
			e.queue.remove(n)
			n.fresh = true
			e.enqueue(n)
		}
		return
	}
	n.fresh = true
	e.enqueue(n)
}

// start starts a copy of a task of an entry on a server: of the next task that waits, or of the one given.
func (e *engine) start(n *entry, server int, id int32) {
	j, k := n.job, n.phase
	job := &e.jobs[j]
	s := &job.phases[k]
	last := running{server: int32(server), next: none, start: e.now}
	if id == none {
		id = e.newTask(task{job: j, phase: k, index: s.started, due: none})
		if e.draws != nil {
			e.tasks[id].end = math.Inf(1)
		}
		s.started++
		e.shrink(n)
		if job.start < 0 {
			job.start = e.now
		}
	} else {
		t := &e.tasks[id]
		if t.copies == 1 {
			job.cloned++
		}
		job.clones++
		e.holdClones(n.demand, 1)
		e.leave(s, t)
		last.next = e.newCopy(t.last)
	}
	t := &e.tasks[id]
	if e.draws != nil {
		t.end = min(t.end, float64(e.now)+e.draws.duration(&s.law, int(t.index), int(t.copies)))
	}
	t.last = last
	t.copies++
	s.copies++
	e.servers.take(server, n.demand)
	e.hold(job, n.demand, 1)
	if !t.changed {
		t.changed = true
		e.changed = append(e.changed, id)
	}
	e.enter(s, id)
	e.touch(j, OnStart)
}

func (e *engine) newTask(t task) int32 {
	if n := len(e.idle); n > 0 {
		id := e.idle[n-1]
		e.idle = e.idle[:n-1]
		e.tasks[id] = t
		return id
	}
	e.tasks = append(e.tasks, t)
	return int32(len(e.tasks) - 1)
}

func (e *engine) newCopy(r running) int32 {
	if n := len(e.parked); n > 0 {
		c := e.parked[n-1]
		e.parked = e.parked[:n-1]
		e.copies[c] = r
		return c
	}
	e.copies = append(e.copies, r)
	return int32(len(e.copies) - 1)
}

// progress returns a task's progress in the expected model: n copies ran from the start of the n-th to the start of the next.
func (e *engine) progress(t *task, p *cloning.Phase) cloning.Progress {
	var done cloning.Progress
	until, copies := e.now, int(t.copies)
	for c := &t.last; ; c = &e.copies[c.next] {
		if c.start < until {
			done, until = p.After(done, until-c.start, copies), c.start
		}
		copies--
		if c.next == none {
			return done
		}
	}
}

// settle finds the slots in which the tasks complete that got copies.
func (e *engine) settle() {
	for _, id := range e.changed {
		t := &e.tasks[id]
		t.changed = false
		slot := 0
		if e.draws != nil {
			slot = max(e.now+1, int(math.Ceil(min(t.end-1e-9, maxSlot+1))))
		} else {
			p := &e.in.Jobs[t.job].Phases[t.phase]
			slot = e.now + min(p.Slots(e.progress(t, p), int(t.copies)), maxSlot+1-e.now)
		}
		if t.due != slot {
			t.due = slot
			e.due.add(slot, id)
		}
	}
	e.changed = e.changed[:0]
}
