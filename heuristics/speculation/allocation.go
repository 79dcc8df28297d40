package speculation

import (
	"cmp"
	"context"
	"slices"

	"schedgap/models/speculation"
)

// allocation is Algorithm 1 of the paper in progress.
type allocation struct {
	in       *speculation.Instance
	matching speculation.Matching
	saved    []savings // of each straggler by its slot
	critical []float64 // criticalness of each straggler
	order    []int     // of the stragglers, most critical first
	free     []int     // slots that are not taken, by start
	starts   []float64 // of free
}

type savings struct{ time, energy float64 }

// newAllocation puts stragglers and slots in their orders. Ties go by file order.
func newAllocation(in *speculation.Instance) *allocation {
	a := &allocation{in: in, matching: speculation.NoCopies(in), critical: make([]float64, len(in.Stragglers)), free: byStart(in)}
	for _, j := range a.free {
		a.starts = append(a.starts, in.Slots[j].Start)
	}
	a.order, a.saved = make([]int, len(in.Stragglers)), make([]savings, len(in.Stragglers))
	for i := range a.order {
		a.order[i], a.critical[i] = i, in.Stragglers[i].Criticalness()
	}
	slices.SortStableFunc(a.order, func(i, k int) int { return cmp.Compare(a.critical[k], a.critical[i]) })
	return a
}

// byStart lists the slots in the order in which they become free.
func byStart(in *speculation.Instance) []int {
	slots := make([]int, len(in.Slots))
	for j := range slots {
		slots[j] = j
	}
	slices.SortStableFunc(slots, func(j, k int) int { return cmp.Compare(in.Slots[j].Start, in.Slots[k].Start) })
	return slots
}

// run serves the stragglers in their order. One that finds no slot is rescheduled with at most most of those before it.
func (a *allocation) run(ctx context.Context, most int, score func(a *allocation, earlier, late int) (float64, bool)) {
	for rank, i := range a.order {
		if ctx.Err() != nil {
			return
		}
		if at := a.best(i); at >= 0 {
			a.take(i, at)
		} else if most > 0 && most < rank-1 {
			a.reschedule(rank, most, score)
		}
	}
}

// best is the place in free of the slot that is best for straggler i, −1 when none saves anything. Slots are looked at by start,
// and one replaces the best so far when it is better in both savings (the skyline comparison), so the first of slots that
// cannot be compared stays. The start value (0, 0) means that both savings must be positive.
func (a *allocation) best(i int) int {
	at, bestTime, bestEnergy := -1, 0.0, 0.0
	finish, copyTime := a.in.Stragglers[i].Finish, a.in.CopyTime[i]
	for k, j := range a.free {
		// Most slots save too little time, which needs no more than this to see.
		if !(finish-a.starts[k]-copyTime[j] > bestTime) {
			continue
		}
		if time, energy := a.in.Gain(i, j); time > bestTime && energy > bestEnergy {
			at, bestTime, bestEnergy = k, time, energy
		}
	}
	return at
}

// take gives straggler i the free slot at a place.
func (a *allocation) take(i, at int) {
	a.give(i, a.free[at])
	a.free, a.starts = slices.Delete(a.free, at, at+1), slices.Delete(a.starts, at, at+1)
}

// give matches straggler i with a slot.
func (a *allocation) give(i, slot int) {
	a.matching[i] = slot
	a.saved[i].time, a.saved[i].energy = a.in.Gain(i, slot)
}

// reschedule looks for room for the straggler of that rank, which found no slot: it may take over the slot of an earlier one
// that finds another. The first that does so ends the search.
func (a *allocation) reschedule(rank, most int, score func(a *allocation, earlier, late int) (float64, bool)) {
	late := a.order[rank]
	for _, earlier := range a.candidates(rank, most, score) {
		slot := a.matching[earlier]
		at := a.best(earlier)
		if at < 0 {
			continue
		}
		a.take(earlier, at)
		a.give(late, slot)
		return
	}
}

// candidates are the earlier stragglers with the greatest scores, at most most of them, the greatest first and ties by rank.
func (a *allocation) candidates(rank, most int, score func(a *allocation, earlier, late int) (float64, bool)) []int {
	type candidate struct {
		straggler int
		score     float64
	}
	top := make([]candidate, 0, most+1)
	for _, earlier := range a.order[:rank] {
		if a.matching[earlier] == speculation.None {
			continue
		}
		s, ok := score(a, earlier, a.order[rank])
		if !ok || len(top) == most && s <= top[most-1].score {
			continue
		}
		at := len(top)
		for at > 0 && top[at-1].score < s {
			at--
		}
		top = slices.Insert(top, at, candidate{earlier, s})
		top = top[:min(len(top), most)]
	}
	list := make([]int, len(top))
	for k, c := range top {
		list[k] = c.straggler
	}
	return list
}
