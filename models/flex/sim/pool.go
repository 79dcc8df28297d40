package sim

import (
	"fmt"
	"slices"

	"schedgap/models/flex"
	"schedgap/models/heap"
)

// A pool is the Map or the Reduce slots with the phases that use them. It is planned for by an instance of its own: "there
// will actually be two instances of FLEX running at any given time" (section 2.2).
type pool struct {
	kind     int // mapPool or reducePool
	free     int
	minimum  int
	phases   []phase      // of all jobs by arrival; only those of the pool are used
	active   []int32      // phases that were activated, by arrival once they were planned for; may hold finished ones
	ready    heap.Indexed // the active phases with tasks to start, the most relatively under-allocated first
	dirty    bool         // the instance may differ from the one last planned for
	doneTime float64      // of all finished tasks
	done     int

	instance flex.Instance
	own      bool // its jobs name metrics of their own
	goals    []float64
	targets  []int
}

// activate lets a phase compete for slots. Until the next epoch it has a target of one slot, so that its work can be
// estimated early (section 4.2).
func (p *pool) activate(id int32) {
	p.phases[id].target = 1
	p.active = append(p.active, id)
	p.ready.Set(id, p.phases[id].key())
	p.dirty = true
}

// plan asks the policy for the targets of the next epoch.
func (p *pool) plan(now float64, e *engine) error {
	p.dirty = false
	p.active = slices.DeleteFunc(p.active, func(id int32) bool { return p.phases[id].done == p.phases[id].tasks })
	n := len(p.active)
	if n == 0 {
		return nil
	}
	slices.Sort(p.active) // reduces become active in the order in which their maps end
	p.instance.Jobs = slices.Grow(p.instance.Jobs[:0], n)[:n]
	p.goals = slices.Grow(p.goals[:0], n)[:n]
	p.targets = slices.Grow(p.targets[:0], n)[:n]
	for i, id := range p.active {
		p.instance.Jobs[i] = p.job(id, now, e)
	}
	shareMinimum(p.instance.Jobs, p.instance.Slots, p.minimum)
	clear(p.goals)
	e.policy.Targets(&p.instance, p.goals)
	if err := checkTargets(&p.instance, p.goals); err != nil {
		return fmt.Errorf("policy %s at time %v: %w", e.policy.Name, now, err)
	}
	roundTargets(p.goals, p.instance.Slots, p.targets)
	p.ready.Reset()
	for i, id := range p.active {
		ph := &p.phases[id]
		ph.target = p.targets[i]
		if ph.pending() {
			p.ready.Set(id, ph.key())
		}
	}
	return nil
}

// job is the policy's view of a phase.
func (p *pool) job(id int32, now float64, e *engine) flex.Job {
	ph := &p.phases[id]
	left := ph.tasks - ph.done
	j := flex.Job{ID: e.Jobs[id].ID, Max: min(left, p.instance.Slots)}
	total := ph.work
	if e.Exact {
		j.Work = ph.remaining(now)
	} else {
		mean := 1.0 // while nothing ever finished the numbers of tasks have to do
		if ph.done > 0 {
			mean = ph.doneTime / float64(ph.done)
		} else if p.done > 0 {
			mean = p.doneTime / float64(p.done)
		}
		j.Work = mean * float64(left)
		total = ph.doneTime + j.Work
	}
	e.penalise(&j, p.own, id, now, total)
	return j
}
