package cloning

import (
	"slices"

	"schedgap/models/cloning"
)

// A recorder turns slots with copies into copies with starts and ends.
type recorder struct {
	now    int
	slot   map[place]int // copies of the slot that is being filled
	open   map[place][]int
	copies []cloning.Copy
}

// A place is where a task's copies run.
type place struct {
	task   cloning.Task
	server int
}

// add puts one more copy into the next slot.
func (r *recorder) add(t cloning.Task, server int) {
	if r.slot == nil {
		r.slot = map[place]int{}
	}
	r.slot[place{t, server}]++
}

// flush ends the slot (now−1, now].
func (r *recorder) flush(now int) { r.until(now-1, now) }

// until has what was added run in all slots (from, now]. What ran right before goes on; moments that are skipped are idle.
func (r *recorder) until(from, now int) {
	if r.open == nil {
		r.open = map[place][]int{}
	}
	for at, starts := range r.open {
		keep := r.slot[at]
		if r.now != from {
			keep = 0
		}
		for len(starts) > keep {
			r.copies = append(r.copies, cloning.Copy{Task: at.task, Server: at.server, Start: starts[len(starts)-1], End: r.now})
			starts = starts[:len(starts)-1]
		}
		r.open[at] = starts
	}
	for at, n := range r.slot {
		for len(r.open[at]) < n {
			r.open[at] = append(r.open[at], from)
		}
	}
	clear(r.slot)
	r.now = now
}

// finish returns all copies in a fixed order.
func (r *recorder) finish() []cloning.Copy {
	clear(r.slot)
	r.flush(r.now + 1)
	slices.SortFunc(r.copies, compareCopies)
	return r.copies
}
