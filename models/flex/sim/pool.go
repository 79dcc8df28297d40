package sim

import (
	"fmt"
	"slices"
	"time"

	"schedgap/models/flex"
	"schedgap/models/simulation"
)

// A pool is the Map or the Reduce slots with the phases that use them. It is planned for by an instance of its own: "there
// will actually be two instances of FLEX running at any given time" (section 2.2).
type pool struct {
	kind     int // mapPool or reducePool
	free     int
	minimum  int
	phases   []phase // of all jobs by arrival; only those of the pool are used
	active   []int32 // phases that were activated, by arrival once they were planned for; may hold finished ones
	ready    []int32 // heap of the active phases with tasks to start, the most relatively under-allocated on top
	dirty    bool    // the instance may differ from the one last planned for
	doneTime float64 // of all finished tasks
	done     int

	instance flex.Instance
	own      bool // its jobs name metrics of their own
	goals    []float64
	targets  []int

	planned   time.Duration
	planCount int
}

// activate lets a phase compete for slots. Until the next epoch it has a target of one slot, which is what lets its work be
// estimated early (section 4.2).
func (p *pool) activate(id int32) {
	ph := &p.phases[id]
	ph.target = 1
	ph.setKey()
	p.active = append(p.active, id)
	p.pushReady(id)
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
	if e.timing {
		begin := time.Now()
		e.policy.Targets(&p.instance, p.goals)
		p.planned += time.Since(begin)
		p.planCount++
	} else {
		e.policy.Targets(&p.instance, p.goals)
	}
	if err := checkTargets(&p.instance, p.goals); err != nil {
		return fmt.Errorf("policy %s at time %v: %w", e.policy.Name, now, err)
	}
	roundTargets(p.goals, p.instance.Slots, p.targets)
	p.ready = p.ready[:0]
	for i, id := range p.active {
		ph := &p.phases[id]
		ph.target = p.targets[i]
		ph.setKey()
		if ph.pending() {
			ph.place = int32(len(p.ready))
			p.ready = append(p.ready, id)
		}
	}
	for i := len(p.ready)/2 - 1; i >= 0; i-- {
		p.sinkReady(i)
	}
	return nil
}

// job is what the policy sees of a phase.
func (p *pool) job(id int32, now float64, e *engine) flex.Job {
	ph := &p.phases[id]
	left := ph.tasks - ph.done
	j := flex.Job{ID: e.jobs[id].ID, Max: min(left, p.instance.Slots)}
	total := ph.work
	if e.exact {
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
	j.Work *= simulation.Misjudged(e.seed, e.noise, e.file[id], p.kind)
	e.penalise(&j, p, id, now, total)
	return j
}

func (p *pool) less(a, b int32) bool {
	x, y := p.phases[a].key, p.phases[b].key
	return x < y || (x == y && a < b)
}

func (p *pool) pushReady(id int32) {
	p.ready = append(p.ready, id)
	p.phases[id].place = int32(len(p.ready) - 1)
	p.riseReady(len(p.ready) - 1)
}

// popReady takes the top away.
func (p *pool) popReady() {
	p.phases[p.ready[0]].place = -1
	last := p.ready[len(p.ready)-1]
	p.ready = p.ready[:len(p.ready)-1]
	if len(p.ready) > 0 {
		p.ready[0] = last
		p.phases[last].place = 0
		p.sinkReady(0)
	}
}

func (p *pool) riseReady(i int) {
	id := p.ready[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !p.less(id, p.ready[parent]) {
			break
		}
		p.ready[i] = p.ready[parent]
		p.phases[p.ready[i]].place = int32(i)
		i = parent
	}
	p.ready[i] = id
	p.phases[id].place = int32(i)
}

func (p *pool) sinkReady(i int) {
	id := p.ready[i]
	for {
		child := 2*i + 1
		if child >= len(p.ready) {
			break
		}
		if child+1 < len(p.ready) && p.less(p.ready[child+1], p.ready[child]) {
			child++
		}
		if !p.less(p.ready[child], id) {
			break
		}
		p.ready[i] = p.ready[child]
		p.phases[p.ready[i]].place = int32(i)
		i = child
	}
	p.ready[i] = id
	p.phases[id].place = int32(i)
}
