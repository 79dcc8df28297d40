package sim

import (
	"math"

	"schedgap/models"
	"schedgap/models/cloning"
)

// keepParams are the options of section 5.2 for the other copies of a task that ended. The paper keeps the one "with the best data
// locality level", which is not modelled here, and takes the delay from another paper.
var keepParams = []models.Param{
	models.Choice("keep", keepNone, []string{keepNone, "oldest", keepNewest},
		"stochastic: which other copy of a task that has ended runs on until it ends, or its job does, as a second output "+
			"of the task (section 5.2): none, or the one that started first or last of those that still run"),
	models.Between("delay", 0.0, 0, 1e9,
		"delay assignment (section 5.2), seconds: clones of a phase wait so long at most for a second output of every task "+
			"of its parents; where a task has none coming they do not wait. It needs keep"),
}

const (
	keepNone   = "none"
	keepNewest = "newest"
)

// survivors has the copies that run on, and when clones may start. Its methods allow nil: nothing is kept.
type survivors struct {
	newest bool
	delay  int // slots
	jobs   map[int32]*kept
	due    calendar // jobs, by the slots in which their copies end
}

// kept holds the copies that a job keeps.
type kept struct {
	copies []keptCopy
	second []int // by phase: when each of its ended tasks has a second output, or never
	from   []int // by phase: no clone starts before
}

type keptCopy struct {
	cloning.Copy // End is the slot in which it ends by itself
	first        bool
	end, worth   float64
	demand       []float64
}

// keepCopies sets the options of a run.
func (e *engine) keepCopies(v models.Values, slot float64) {
	if e.draws == nil || v.Text("keep") == keepNone {
		return
	}
	e.keep = &survivors{
		newest: v.Text("keep") == keepNewest, delay: int(math.Ceil(v.Float("delay") / slot)), jobs: map[int32]*kept{},
		due: newCalendar(),
	}
}

func (k *survivors) of(job int32, phases int) *kept {
	own := k.jobs[job]
	if own == nil {
		own = &kept{second: make([]int, phases), from: make([]int, phases)}
		k.jobs[job] = own
	}
	return own
}

// ready is the slot from which every task of a phase's parents has a second output, 0 without parents.
func (o *kept) ready(parents []int) (slot int) {
	for _, p := range parents {
		slot = max(slot, o.second[p])
	}
	return slot
}

// release says from when on clones of a phase may start, now that its parents are done.
func (k *survivors) release(job, phase int32, in *cloning.Job, now int) {
	if k != nil {
		own := k.of(job, len(in.Phases))
		if ready := own.ready(in.Phases[phase].Parents); ready < never {
			own.from[phase] = min(now+k.delay, ready)
		}
	}
}

// cloneFrom is the slot from which clones of a phase may start.
func (k *survivors) cloneFrom(job, phase int32) int {
	if k == nil {
		return 0
	}
	return k.jobs[job].from[phase]
}

// keepOne returns the start of the copy of an ended task that runs on, none if none does, and notes when the task has a second
// output.
func (e *engine) keepOne(t *task) int32 {
	own, s := e.keep.jobs[t.job], &e.jobs[t.job].phases[t.phase]
	chosen, second, won := int32(none), never, false
	var one keptCopy
	for c, n := t.last, t.copies-1; n >= 0; n-- {
		end := float64(c.start) + e.draws.duration(&s.law, int(t.index), int(n))
		switch slot := max(c.start+1, int(math.Ceil(min(end-1e-9, maxSlot)))); {
		case slot <= e.now && end == t.end && !won:
			won = true
		case slot <= e.now: // it has ended as well
			second = e.now
		case slot > e.now && (chosen == none || !e.keep.newest):
			chosen = n
			one = keptCopy{cloning.Copy{
				Task:   cloning.Task{Job: int(t.job), Phase: int(t.phase), Index: int(t.index)},
				Server: int(c.server), Start: c.start, End: slot,
			}, n == 0, end, s.worth, s.demand}
		}
		if c.next != none {
			c = e.copies[c.next]
		}
	}
	if second == e.now {
		chosen = none // there are two outputs
	} else if chosen != none {
		second = one.End
		own.copies = append(own.copies, one)
		e.keep.due.add(one.End, t.job)
	}
	own.second[t.phase] = max(own.second[t.phase], second)
	return chosen
}

// endDue ends the copies that were kept and end by themselves by now.
func (e *engine) endDue() {
	for e.keep != nil && e.keep.due.next() <= e.now {
		for _, j := range e.keep.due.take(e.now) {
			e.endKept(j, false)
		}
	}
}

// endKept ends the copies of a job that were kept and end by themselves by now, or all of them.
func (e *engine) endKept(j int32, all bool) {
	own := e.keep.jobs[j]
	if own == nil {
		return
	}
	rest := own.copies[:0]
	for _, c := range own.copies {
		if !all && c.End > e.now {
			rest = append(rest, c)
			continue
		}
		job, end := &e.jobs[j], c.end
		if all {
			c.End, end = min(c.End, e.now), min(end, job.finish)
		}
		job.spend(c.worth*(end-float64(c.Start)), c.first)
		if e.observe != nil {
			e.observe(c.Copy, c.first, end)
		}
		e.servers.give(c.Server, c.demand)
		e.hold(job, c.demand, -1)
		e.holdClones(c.demand, -1)
	}
	own.copies = rest
	if all {
		delete(e.keep.jobs, j)
	}
}
