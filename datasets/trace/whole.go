package trace

import (
	"slices"

	"schedgap/datasets/event"
)

func (a *assembler) batch(b *event.Batch) error {
	a.tr.Events.Batch++
	d := a.last
	if d == nil || d.job.ID != b.Job {
		d = a.next(b.Job)
	}
	if b.Node != nil {
		d.file = b.File
		d.nodes = append(d.nodes, node{b.Node, int32(len(d.job.Tasks)), int32(b.Line)})
		d.placed = b.Length > 0
	}
	if b.Deadline > 0 {
		d.job.Deadline = b.Deadline
	}
	if b.Weight > 0 {
		d.job.Weight = b.Weight
	}
	a.whole(d, b)
	return nil
}

// next goes on to another job. One that comes again has its slices copied when they grow.
func (a *assembler) next(id string) *draft {
	a.close()
	d, seen := a.named(id)
	if !seen {
		d.job.Tasks, d.nodes = a.tasks.empty(), a.nodes.empty()
		a.fresh = true
	}
	a.last = d
	return d
}

// close ends what next began.
func (a *assembler) close() {
	if a.fresh {
		a.last.job.Tasks, a.last.nodes = a.tasks.keep(a.last.job.Tasks), a.nodes.keep(a.last.nodes)
	}
	a.last, a.fresh = nil, false
}

// whole takes in a task that is recorded as a whole.
func (a *assembler) whole(d *draft, b *event.Batch) {
	t := Task{
		Index: int32(len(d.job.Tasks)), Instances: max(1, b.Instances), Outcome: outcomeOf(b.Kind), Missing: b.Missing,
		Submit: b.Submit, Schedule: b.Start, End: b.End, CPU: b.CPU, Memory: b.Memory, Deviation: b.Deviation,
	}
	first := AfterWindow
	for _, known := range [...]Time{b.Submit, b.Start, b.End} {
		a.see(known)
		if known != Never {
			first = min(first, known)
		}
	}
	d.job.Submit = min(d.job.Submit, first)
	d.unseen = d.unseen || !first.Inside()
	if t.Outcome == Active {
		t.End = Never
	}
	if b.Length > 0 {
		t.End = b.Length
	}
	d.job.Tasks = append(d.job.Tasks, t)
}

func (a *assembler) volume(v *event.Volume) error {
	a.tr.Events.Volume++
	a.see(v.Submit)
	d, _ := a.named(v.Job)
	d.job.Submit, d.job.Volume = v.Submit, &Volume{v.Input, v.Shuffle, v.Output}
	return nil
}

func (a *assembler) listed(l *event.Listed) error {
	a.tr.Events.Listed++
	d := a.next(l.Job)
	d.job.Submit, d.job.Deadline, d.job.Weight = l.Submit, l.Deadline, l.Weight
	d.job.Tasks = slices.Grow(d.job.Tasks, len(l.Durations))
	for _, duration := range l.Durations {
		a.whole(d, &event.Batch{
			Instances: 1, Kind: event.Finish, Missing: event.Class | event.Priority, Submit: l.Submit, Start: l.Submit,
			End: l.Submit + duration, CPU: l.CPU, Memory: l.Memory,
		})
	}
	return nil
}

func (a *assembler) named(id string) (d *draft, seen bool) {
	at := a.names.find(id, len(a.jobs), func(at int) bool { return a.jobs[at].job.ID == id })
	if at < len(a.jobs) {
		return a.jobs[at], true
	}
	d = a.drafts.one()
	d.job.ID, d.job.Submit, d.recorded = id, AfterWindow, true
	a.jobs = append(a.jobs, d)
	return d, false
}
