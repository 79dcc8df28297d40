package trace

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/datasets/event"
)

// Options choose a part of a trace.
type Options struct {
	// From and To bound the window in seconds of the trace's clock; To 0: to the end. A job belongs to the window if it was
	// submitted before To and had not ended before From. What happens to it later still counts: the window cuts no job.
	From, To float64
	// Strict has the first record that cannot be used end the assembly.
	Strict bool
}

func (o Options) window() (from, to Time, err error) {
	switch {
	case math.IsNaN(o.From) || math.IsNaN(o.To) || o.From < 0 || o.To < 0:
		return 0, 0, fmt.Errorf("window %v,%v: times must not be negative", o.From, o.To)
	case o.To == 0:
		return event.At(o.From), AfterWindow, nil
	case o.To <= o.From:
		return 0, 0, fmt.Errorf("window %v,%v: it must end after it begins", o.From, o.To)
	}
	return event.At(o.From), event.At(o.To), nil
}

// Assemble reads a trace and builds its jobs. The events of a task may come in any order; of two at one moment the later one
// read counts as later. It needs some 150 bytes of memory a task. Records that cannot be used are left out with their jobs and
// counted, see Trace.LeftOut.
func Assemble(ctx context.Context, r Reader, opt Options) (*Trace, error) {
	from, to, err := opt.window()
	if err != nil {
		return nil, err
	}
	a := &assembler{
		tr:      &Trace{Format: r.Format(), From: from, To: to, First: Never, Last: Never},
		dir:     r.Dir(),
		sorted:  r.Sorted(),
		ids:     map[int64]int32{},
		submits: map[int64]Time{},
		spoilt:  map[string]bool{},
	}
	sink := event.Sink{Machine: a.machine, Job: a.job, Task: a.task, Batch: a.batch, Volume: a.volume, Listed: a.listed}
	if !opt.Strict {
		sink.Bad = a.bad
	}
	err = r.Read(ctx, sink)
	if err != nil {
		return nil, err
	}
	a.finish()
	if opt.Strict {
		return a.tr, a.fault
	}
	switch none := a.tr.Events == (Events{}); {
	case none && a.fault != nil:
		return nil, fmt.Errorf("%w, and no other record can be used", a.fault)
	case none:
		return nil, fmt.Errorf("%s: there are no records in it", strings.Join(r.Files(), ", "))
	}
	return a.tr, nil
}

type assembler struct {
	tr     *Trace
	dir    string
	sorted bool

	jobs    []*draft
	ids     map[int64]int32 // jobs by the ids of events
	names   index           // jobs by the ids of batches
	last    *draft          // of the batch before: rows of a job tend to be side by side
	fresh   bool            // the slices of last are the pools'
	submits map[int64]Time  // of jobs by the ids of their events
	spoilt  map[string]bool // jobs of bad records
	fault   error           // of the first bad record

	machines []event.MachineEvent

	// What many jobs have few of is taken from common chunks.
	drafts pool[draft]
	tasks  pool[Task]
	nodes  pool[node]
	dags   dags
}

// A draft is a job being assembled.
type draft struct {
	job Job
	*events

	recorded bool   // its tasks, or its amounts of data, are recorded as a whole
	unseen   bool   // something of them happened before the trace
	placed   bool   // tasks start when their parents have ended; until then End is their length
	nodes    []node // of tasks that are in a DAG
	file     string // where they stand
}

// events are the parts of a draft of an event format.
type events struct {
	id    int64
	tasks []taskDraft
	// at finds tasks by index; nil while every task's index is its position, as for most jobs.
	at map[int32]int32
}

// A node is a task in a DAG.
type node struct {
	*event.Node
	task, line int32
}

type taskDraft struct {
	Task
	first, last Time // of the first and last record; last is of the kind in Outcome
	resubmit    Time // last submission
}

func (a *assembler) machine(ev *event.MachineEvent) error {
	a.tr.Events.Machine[ev.Kind]++
	a.machines = append(a.machines, *ev)
	return nil
}

func (a *assembler) job(ev *event.JobEvent) error {
	a.tr.Events.Job[ev.Kind]++
	if a.sorted && ev.Time >= a.tr.To {
		return nil
	}
	if before, seen := a.submits[ev.Job]; ev.Kind == event.Submit && (!seen || ev.Time < before) {
		a.submits[ev.Job] = ev.Time
	}
	return nil
}

func (a *assembler) task(ev *event.TaskEvent) error {
	a.tr.Events.Task[ev.Kind]++
	a.see(ev.Time)
	at, seen := a.ids[ev.Job]
	if !seen {
		if a.sorted && ev.Time >= a.tr.To {
			return nil // the job begins after the window
		}
		at = int32(len(a.jobs))
		a.ids[ev.Job] = at
		a.jobs = append(a.jobs, &draft{events: &events{id: ev.Job}})
	}
	t := a.jobs[at].task(ev.Index)
	t.add(ev)
	return nil
}

// see widens the span of the trace.
func (a *assembler) see(t Time) {
	if !t.Inside() {
		return
	}
	if a.tr.First == Never || t < a.tr.First {
		a.tr.First = t
	}
	a.tr.Last = max(a.tr.Last, t)
}

// task finds or makes the task of an index.
func (d *draft) task(index int32) *taskDraft {
	if d.at == nil {
		if int(index) < len(d.tasks) {
			return &d.tasks[index]
		}
		if int(index) > len(d.tasks) {
			d.at = make(map[int32]int32, len(d.tasks)+1)
			for i := range d.tasks {
				d.at[int32(i)] = int32(i)
			}
		}
	}
	if i, ok := d.at[index]; ok {
		return &d.tasks[i]
	}
	if d.at != nil {
		d.at[index] = int32(len(d.tasks))
	}
	d.tasks = append(d.tasks, taskDraft{
		Task: Task{
			Index: index, Instances: 1, Submit: Never, Schedule: Never,
			Missing: event.CPU | event.Memory | event.Class | event.Priority,
		},
		first: AfterWindow, last: Never, resubmit: Never,
	})
	return &d.tasks[len(d.tasks)-1]
}

// add takes in one event.
func (t *taskDraft) add(ev *event.TaskEvent) {
	t.first = min(t.first, ev.Time)
	switch ev.Kind {
	case event.Submit:
		if t.Submit == Never || ev.Time < t.Submit {
			t.Submit = ev.Time
		}
		t.resubmit = max(t.resubmit, ev.Time)
	case event.Schedule:
		t.Schedule = max(t.Schedule, ev.Time)
	}
	newest := ev.Time >= t.last
	if newest && ev.Kind != event.UpdatePending && ev.Kind != event.UpdateRunning {
		t.Outcome, t.last = outcomeOf(ev.Kind), ev.Time
	}
	take := func(f event.Fields) bool {
		if ev.Missing.Has(f) || !newest && !t.Missing.Has(f) {
			return false
		}
		t.Missing &^= f
		return true
	}
	if take(event.CPU) {
		t.CPU = ev.CPU
	}
	if take(event.Memory) {
		t.Memory = ev.Memory
	}
	if take(event.Class) {
		t.Class = ev.Class
	}
	if take(event.Priority) {
		t.Priority = ev.Priority
	}
}

// finish turns the drafts into the trace.
func (a *assembler) finish() {
	a.close()
	a.names = index{}
	tr := a.tr
	type place struct {
		submit Time
		at     int
	}
	var order []place
	for i, d := range a.jobs {
		if !d.recorded {
			d.job.ID = strconv.FormatInt(d.id, 10)
			d.submitted(a.submits)
			d.close()
		} else if d.job.Submit == AfterWindow {
			d.job.Submit = Never
		}
		if d.recorded {
			d.job.Whole = d.job.Submit.Inside() && !d.unseen
			a.link(d)
		}
		if a.spoilt[d.job.ID] {
			continue
		}
		if end := d.job.End(); d.job.Submit < tr.To && (end == Never || end >= tr.From) {
			order = append(order, place{d.job.Submit, i})
		}
	}
	slices.SortFunc(order, func(x, y place) int {
		if x.submit != y.submit {
			return cmp.Compare(x.submit, y.submit)
		}
		return x.at - y.at
	})
	tr.Jobs = make([]Job, len(order))
	for i, o := range order {
		tr.Jobs[i] = a.jobs[o.at].job
	}
	tr.Machines = cluster(a.machines, tr.From)
}

// submitted takes the submissions of the job events or, without any, of the first record of a task.
func (d *draft) submitted(said map[int64]Time) {
	var known bool
	d.job.Submit, known = said[d.id]
	if !known {
		d.job.Submit = AfterWindow
		for i := range d.tasks {
			d.job.Submit = min(d.job.Submit, d.tasks[i].first)
		}
	}
}

// close turns the task drafts into tasks.
func (d *draft) close() {
	if d.job.Submit == AfterWindow {
		d.job.Submit = Never
	}
	d.job.Whole = d.job.Submit.Inside()
	d.job.Tasks = make([]Task, len(d.tasks))
	for i := range d.tasks {
		t := &d.tasks[i]
		t.End = t.last
		if t.Outcome == Active {
			t.End = Never
		}
		if t.resubmit > t.Schedule {
			t.Schedule = Never
		}
		d.job.Whole = d.job.Whole && t.first == t.Submit && t.first.Inside()
		d.job.Tasks[i] = t.Task
	}
	d.tasks = nil
	if d.at != nil {
		slices.SortFunc(d.job.Tasks, func(x, y Task) int { return cmp.Compare(x.Index, y.Index) })
	}
}

// cluster replays the machine events up to and including t.
func cluster(events []event.MachineEvent, t Time) []Machine {
	slices.SortStableFunc(events, func(x, y event.MachineEvent) int { return cmp.Compare(x.Time, y.Time) })
	up := map[int64]Machine{}
	for _, ev := range events {
		switch {
		case ev.Time > t:
			// after the moment of interest
		case ev.Kind == event.Remove:
			delete(up, ev.Machine)
		default:
			up[ev.Machine] = Machine{ID: ev.Machine, CPU: ev.CPU, Memory: ev.Memory, Missing: ev.Missing}
		}
	}
	machines := make([]Machine, 0, len(up))
	for _, m := range up {
		machines = append(machines, m)
	}
	slices.SortFunc(machines, func(x, y Machine) int { return cmp.Compare(x.ID, y.ID) })
	return machines
}
