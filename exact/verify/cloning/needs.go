package cloning

import (
	"math"
	"slices"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/exact/verify/core"
	"schedgap/models/cloning"
)

// Needs are what the phases of an instance take at least in any of its schedules. The rules of proofs and the search for prices
// (exact/cloning/pricing) both take them from here.
type Needs struct {
	*kernel.Listing
	Need   []Need          // by phase
	totals []core.Interval // by resource, of all servers
}

// A Need is what a phase takes at least. Spans are lower bounds, so heads and tails by longest paths are, too.
type Need struct {
	*kernel.Listed
	Gain             []float64 // of each copy that matters, from above, descending
	Units            int       // copies times slots that a task takes
	Profiles         [][]int   // minimal vectors: by r, the slots with at least r copies; nil means too many
	Span, Head, Tail int       // slots that all tasks take, that must pass before them, and after them until their job is done
}

// Measure finds the needs of an instance. Phases with more than so many profiles, or slots of a task in one copy, have none listed.
func Measure(in *cloning.Instance, profiles int) *Needs {
	c := &Needs{Listing: kernel.List(in), totals: make([]core.Interval, len(in.Resources))}
	for r := range c.totals {
		for _, l := range c.Classes {
			c.totals[r] = c.totals[r].Plus(core.Point(cloning.Limit(l.Capacity[r])).Times(core.Integer(l.Servers)))
		}
	}
	span := make([]int, len(c.Phases))
	for k := range c.Phases {
		ph := &c.Phases[k]
		n := Need{Listed: ph, Gain: core.Gains(ph.Speedup[:ph.Useful]), Units: ph.Volume(ph.Useful)}
		n.Profiles, n.Span = n.listProfiles(profiles), ph.Least
		n.Span = max(n.Span, whole(n.volume().Over(core.Integer(c.Holds(ph.Demand)))))
		c.Need, span[k] = append(c.Need, n), n.Span
	}
	head, tail := c.Paths(span)
	for k := range c.Need {
		c.Need[k].Head, c.Need[k].Tail = head[k], tail[k]
	}
	return c
}

// volume is copies times slots that all tasks take.
func (n *Need) volume() core.Interval { return core.Integer(n.Tasks).Times(core.Integer(n.Units)) }

// whole is ⌈v.Lo⌉ for v ≥ 0, at most kernel.Farthest.
func whole(v core.Interval) int { return int(min(kernel.Farthest, math.Ceil(v.Lo))) }

// mostProfiles is the largest number of profiles with which tasks are verified.
const mostProfiles = 64

// listProfiles lists the minimal vectors of the numbers of slots with at least 1, 2, … copies that complete a task.
func (n *Need) listProfiles(most int) [][]int {
	if n.Alone > most {
		return nil
	}
	var list [][]int
	now := make([]int, len(n.Gain)+1) // and none with more
	// try chooses how many slots have at least r + 1 copies. done is the progress of the slots with more. Vectors come in the order of
	// these choices, so none is below an earlier one.
	var try func(r int, done cloning.Progress)
	try = func(r int, done cloning.Progress) {
		if r == 0 {
			now[0] = now[1]
			if !n.Done(done) {
				now[0] += n.Slots(done, 1)
			}
			if profile := now[:len(now)-1]; !slices.ContainsFunc(list, func(w []int) bool { return kernel.NoMore(w, profile) }) {
				list = append(list, slices.Clone(profile))
			}
			return
		}
		for slots := now[r+1]; len(list) <= most; slots++ {
			now[r] = slots
			after := n.After(done, slots-now[r+1], r+1)
			try(r-1, after)
			if n.Done(after) {
				return
			}
		}
	}
	try(len(n.Gain)-1, cloning.Progress{})
	if len(list) > most {
		return nil
	}
	return list
}
