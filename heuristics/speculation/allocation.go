package speculation

import (
	"cmp"
	"context"
	"slices"

	"schedgap/models/speculation"
)

// allocation is Algorithm 1 of the paper in progress. It may go through one instance after the other in the same memory.
type allocation struct {
	in        *speculation.Instance
	most      int    // candidates for rescheduling
	closeness string // the reading of it
	matching  speculation.Matching
	order     []applicant // most critical first
	free      []int       // slots that are not taken, by start
	top       []scored    // see candidates
	looks     int         // at pairs of a straggler and a slot
}

// An applicant is a straggler that saves something on some slot. The others never get one: there rescheduling saves nothing
// either.
type applicant struct {
	straggler    int
	critical     float64
	time, energy float64 // savings by its slot
}

type scored struct {
	place int // in order
	score float64
}

// match is valid until the next call.
func (a *allocation) match(ctx context.Context, in *speculation.Instance) speculation.Matching {
	a.in = in
	a.begin(ctx)
	a.run(ctx)
	return a.matching
}

// begin puts stragglers and slots in their orders. Ties go by file order.
func (a *allocation) begin(ctx context.Context) {
	a.free, a.order = byStart(a.in, a.free[:0]), a.order[:0]
	a.matching = a.matching[:0]
	for range a.in.Stragglers {
		a.matching = append(a.matching, speculation.None)
	}
	for i := range a.in.Stragglers {
		if ctx.Err() != nil {
			return
		}
		if a.applies(i) {
			a.order = append(a.order, applicant{straggler: i, critical: a.in.Stragglers[i].Criticalness()})
		}
	}
	slices.SortFunc(a.order, applicant.compare)
}

// applies reports whether straggler i saves something on some slot.
func (a *allocation) applies(i int) bool { return a.search(i, true) >= 0 }

func (x applicant) compare(y applicant) int {
	if x.critical == y.critical {
		return x.straggler - y.straggler
	}
	return cmp.Compare(y.critical, x.critical)
}

// byStart appends the slots in the order in which they become free.
func byStart(in *speculation.Instance, slots []int) []int {
	for j := range in.Slots {
		slots = append(slots, j)
	}
	slices.SortFunc(slots, func(j, k int) int {
		if in.Slots[j].Start == in.Slots[k].Start {
			return j - k
		}
		return cmp.Compare(in.Slots[j].Start, in.Slots[k].Start)
	})
	return slots
}

// run serves the stragglers in their order. One that finds no slot is rescheduled with at most most of those before it.
func (a *allocation) run(ctx context.Context) {
	for k := range a.order {
		if ctx.Err() != nil {
			return
		}
		if at := a.best(a.order[k].straggler); at >= 0 {
			a.take(&a.order[k], at)
		} else if a.most > 0 && a.preceded(k, a.most+1) {
			a.reschedule(k)
		}
	}
}

// preceded reports whether more than so many stragglers come before the applicant of that place, those that do not apply
// included.
func (a *allocation) preceded(place, by int) bool {
	if place > by {
		return true
	}
	before := 0
	for i := range a.in.Stragglers {
		other := applicant{straggler: i, critical: a.in.Stragglers[i].Criticalness()}
		if other.compare(a.order[place]) < 0 {
			before++
		}
	}
	return before > by
}

// best is the place in free of the slot that is best for straggler i, −1 when none saves anything. Slots are looked at by start,
// and one replaces the best so far when it is better in both savings (the skyline comparison), so the first of slots that
// cannot be compared stays. The start value (0, 0) means that both savings must be positive.
func (a *allocation) best(i int) int { return a.search(i, false) }

// search is best, or ends with the first slot that saves anything.
func (a *allocation) search(i int, first bool) int {
	at, bestTime, bestEnergy := -1, 0.0, 0.0
	finish, power, copyTime := a.in.Stragglers[i].Finish, a.in.Stragglers[i].Power, a.in.CopyTime[i]
	for k, j := range a.free {
		// Gain without the rounding that it takes off: most slots save too little, which needs no more than this to see. One
		// branch that is hardly ever taken is faster than two that nothing predicts.
		v, duration := &a.in.Slots[j], copyTime[j]
		time := finish - v.Start - duration
		energy := float64(power*time) - float64(v.Power*duration)
		if !(min(time-bestTime, energy-bestEnergy) > 0) {
			continue
		}
		if time, energy := a.in.Gain(i, j); time > bestTime && energy > bestEnergy {
			at, bestTime, bestEnergy = k, time, energy
			if first {
				break
			}
		}
	}
	if first && at >= 0 {
		a.looks += at + 1
	} else {
		a.looks += len(a.free)
	}
	return at
}

// take gives an applicant the free slot at a place.
func (a *allocation) take(p *applicant, at int) {
	a.give(p, a.free[at])
	a.free = slices.Delete(a.free, at, at+1)
}

// give matches an applicant with a slot.
func (a *allocation) give(p *applicant, slot int) {
	a.matching[p.straggler] = slot
	p.time, p.energy = a.in.Gain(p.straggler, slot)
}

// reschedule looks for room for the applicant of that place, which found no slot: it may take over the slot of an earlier one
// that finds another. The first that does so ends the search.
func (a *allocation) reschedule(place int) {
	for _, c := range a.candidates(place) {
		earlier := &a.order[c.place]
		slot := a.matching[earlier.straggler]
		at := a.best(earlier.straggler)
		if at < 0 {
			continue
		}
		a.take(earlier, at)
		a.give(&a.order[place], slot)
		return
	}
}

// candidates are the earlier applicants with the greatest scores, at most most of them, the greatest first and ties by rank.
func (a *allocation) candidates(place int) []scored {
	a.top = a.top[:0]
	for k := range place {
		earlier := &a.order[k]
		if a.matching[earlier.straggler] == speculation.None {
			continue
		}
		s, ok := a.score(earlier, &a.order[place])
		if !ok || len(a.top) == a.most && s <= a.top[a.most-1].score {
			continue
		}
		at := len(a.top)
		for at > 0 && a.top[at-1].score < s {
			at--
		}
		a.top = slices.Insert(a.top, at, scored{k, s})
		a.top = a.top[:min(len(a.top), a.most)]
	}
	return a.top
}
