package sim

import (
	"context"
	"math"
)

// dispatch hands out free slots. A job with unlaunched tasks runs the next of them on the emptiest node; one without that
// has stragglers to copy is offered the slots that became free at this moment, and not asked again before the next.
func (e *engine) dispatch(ctx context.Context) error {
	for n := 1; e.free > 0; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		id, launches := e.nextJob()
		if id < 0 {
			break
		}
		if launches {
			s := &e.states[id]
			if s.next == 0 {
				e.beginJob(id)
			}
			e.launch(id, s.next, e.emptiest(), false)
			s.next++
			e.queueJob(id)
			continue
		}
		e.setAside(id)
		if err := e.decide(ctx, id, false); err != nil {
			return err
		}
	}
	for _, id := range e.aside {
		e.states[id].aside = false
		e.queueJob(id)
	}
	e.aside = e.aside[:0]
	return nil
}

// nextJob is the job whose turn it is, and whether it launches a task; −1: none can use a slot.
func (e *engine) nextJob() (id int32, launches bool) {
	for {
		waits := !e.waiting.Empty() && (!e.scarce() || e.free > e.held)
		wants := !e.wanting.Empty() && e.freshFree > 0
		switch {
		case !waits && !wants:
			return -1, false
		case waits && wants:
			a, b := e.waiting.Top(), e.wanting.Top()
			x, y := e.waiting.Least(), e.wanting.Least()
			launches = x < y || x == y && a < b
		default:
			launches = waits
		}
		if launches {
			id = e.waiting.Top()
		} else {
			id = e.wanting.Top()
		}
		if e.allowance(id) > 0 {
			return id, launches
		}
		e.setAside(id)
	}
}

func (e *engine) setAside(id int32) {
	e.states[id].aside = true
	e.aside = append(e.aside, id)
	e.waiting.Remove(id)
	e.wanting.Remove(id)
}

// queueJob puts a job where it belongs after a change: fair's order is by running attempts, hopper's by virtual size.
func (e *engine) queueJob(id int32) {
	s := &e.states[id]
	key := float64(len(s.running))
	if e.Hopper {
		key = e.Virtual * float64(s.left)
		e.hold(id)
	}
	unlaunched := s.phase == active && int(s.next) < e.Jobs[id].Tasks
	if s.aside {
		return
	}
	if unlaunched {
		e.waiting.Set(id, key)
	} else {
		e.waiting.Remove(id)
	}
	if s.phase == active && !unlaunched && len(s.pending) > 0 {
		e.wanting.Set(id, key)
	} else {
		e.wanting.Remove(id)
	}
}

// scarce reports whether Hopper's jobs cannot all have their virtual sizes (Ren et al., SIGCOMM 2015). Then the smallest come
// first, each up to its virtual size, and what jobs that run their last tasks do not use of theirs is held back for their
// copies; otherwise, and under fair, nothing is limited.
func (e *engine) scarce() bool {
	return e.Hopper && e.Virtual*float64(e.remaining) > float64(len(e.slots))
}

// allowance is how many further slots the job scheduler lets a job have.
func (e *engine) allowance(id int32) int {
	if !e.scarce() {
		return math.MaxInt
	}
	return e.virtualSize(id) - len(e.states[id].running)
}

func (e *engine) virtualSize(id int32) int {
	return int(math.Ceil(e.Virtual*float64(e.states[id].left) - 1e-9))
}

func (e *engine) hold(id int32) {
	s := &e.states[id]
	e.held -= s.held
	s.held = 0
	if s.phase == active && int(s.next) == e.Jobs[id].Tasks {
		s.held = max(0, e.virtualSize(id)-len(s.running))
	}
	e.held += s.held
}
