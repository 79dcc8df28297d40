package schedule

import (
	"slices"

	"schedgap/models/cloning"
)

// A Recorder turns slots with copies into copies with starts and ends.
type Recorder struct {
	now    int
	slot   map[Place]int // copies of the slot that is being filled
	open   map[Place][]int
	copies []cloning.Copy
}

// A Place is where a task's copies run.
type Place struct {
	Task   cloning.Task
	Server int
}

// Add puts one more copy into the next slot.
func (r *Recorder) Add(t cloning.Task, server int) {
	if r.slot == nil {
		r.slot = map[Place]int{}
	}
	r.slot[Place{t, server}]++
}

// Flush ends the slot (now−1, now].
func (r *Recorder) Flush(now int) { r.Until(now-1, now) }

// Until has what was added run in all slots (from, now]. What ran right before goes on; moments that are skipped are idle.
func (r *Recorder) Until(from, now int) {
	if r.open == nil {
		r.open = map[Place][]int{}
	}
	for at, starts := range r.open {
		keep := r.slot[at]
		if r.now != from {
			keep = 0
		}
		for len(starts) > keep {
			r.copies = append(r.copies, cloning.Copy{Task: at.Task, Server: at.Server, Start: starts[len(starts)-1], End: r.now})
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

// Finish returns all copies in a fixed order.
func (r *Recorder) Finish() []cloning.Copy {
	clear(r.slot)
	r.Flush(r.now + 1)
	slices.SortFunc(r.copies, cloning.Copy.Compare)
	return r.copies
}
