package speculation

import (
	"math"

	"schedgap/models/speculation"
)

// split parts a node so that neither part has both of two matchings; nil when they are the same. It decides on a slot, whether it
// gets a copy, where they differ in that; else on a straggler, whether it gets one; else on what a straggler's pair leaves over
// of its time, where that is one of few; else on a slot, whether its copy is of a group of stragglers; else on a straggler's
// slot. Where what a copy saves is a straggler's part plus a slot's, for all stragglers or in groups, matchings of the same
// stragglers onto the same slots save the same, and only this order keeps a search from going through their permutations.
func (q *boxSearch) split(n *node, a, b speculation.Matching) []*node {
	with, without := n.clone(), n.clone()
	if j := q.slotOf(a, b); j >= 0 {
		with.use[j] = true
		without.drop(func(cell int32) bool { return q.slot[cell] == j })
		return []*node{with, without}
	}
	i, slot := q.difference(a, b)
	if i < 0 {
		return nil
	}
	of := func(cell int32) bool { return q.straggler[cell] == i }
	if slot == speculation.None {
		with.must[i] = true
		without.drop(of)
		return []*node{with, without}
	}
	if i, residual, ok := q.residualOf(n, a, b); ok {
		has := func(cell int32) bool { return math.Abs(q.residual[cell]-residual) <= 2*alike }
		of := func(cell int32) bool { return q.straggler[cell] == i }
		with.must[i] = true
		with.drop(func(cell int32) bool { return of(cell) && !has(cell) })
		without.drop(func(cell int32) bool { return of(cell) && has(cell) })
		return []*node{with, without}
	}
	if j, group := q.groupOf(a, b); j >= 0 {
		of := func(cell int32) bool { return q.slot[cell] == j }
		with.use[j] = true
		with.drop(func(cell int32) bool { return of(cell) && q.group[q.straggler[cell]] != group })
		without.drop(func(cell int32) bool { return of(cell) && q.group[q.straggler[cell]] == group })
		return []*node{with, without}
	}
	with.must[i] = true
	with.drop(func(cell int32) bool { return of(cell) && int(q.slot[cell]) != slot })
	without.drop(func(cell int32) bool { return of(cell) && int(q.slot[cell]) == slot })
	return []*node{with, without}
}

// halves parts a node where nothing tells how: by whether the first straggler with a choice gets its copy on the first of its
// slots.
func (q *boxSearch) halves(n *node) []*node {
	for k, cell := range n.cells {
		i := q.straggler[cell]
		if n.must[i] && (k+1 == len(n.cells) || q.straggler[n.cells[k+1]] != i) && (k == 0 || q.straggler[n.cells[k-1]] != i) {
			continue
		}
		with, without := n.clone(), n.clone()
		with.must[i] = true
		with.drop(func(c int32) bool { return q.straggler[c] == i && c != cell })
		without.drop(func(c int32) bool { return c == cell })
		return []*node{with, without}
	}
	return nil // its only matching has been found
}

// gain is in units.
func (s *searcher) gain(straggler, slot int) (time, energy float64) {
	if slot == speculation.None {
		return 0, 0
	}
	k := s.at[straggler*len(s.in.Slots)+slot] - 1
	return s.time[k], s.energy[k]
}

// groupOf is a slot whose copies in two matchings are of different groups, with the group of the first; −1: there is none.
func (q *boxSearch) groupOf(a, b speculation.Matching) (slot int32, group int) {
	of := make([]int, len(q.in.Slots)) // its straggler in a, from 1
	for i, j := range a {
		if j != speculation.None {
			of[j] = i + 1
		}
	}
	slot = -1
	most := -1.0
	for i, j := range b {
		if j == speculation.None || of[j] == 0 || q.group[i] == q.group[of[j]-1] {
			continue
		}
		if time, energy := q.gain(i, j); time+energy > most {
			slot, group, most = int32(j), q.group[of[j]-1], time+energy
		}
	}
	return slot, group
}

// slotOf is the slot to decide on: of those that get a copy in one matching only the one whose copy saves most; −1: none.
func (q *boxSearch) slotOf(a, b speculation.Matching) int32 {
	in := make([]int, len(q.in.Slots))
	for k, m := range []speculation.Matching{a, b} {
		for _, slot := range m {
			if slot != speculation.None {
				in[slot] |= 1 << k
			}
		}
	}
	best, most := int32(-1), 0.0
	for _, m := range []speculation.Matching{a, b} {
		for i, slot := range m {
			if slot == speculation.None || in[slot] == 3 {
				continue
			}
			if time, energy := q.gain(i, slot); time+energy > most {
				best, most = int32(slot), time+energy
			}
		}
	}
	return best
}

// difference returns the straggler whose slots in two matchings differ most in savings, one of them none if there is such a
// straggler, and that slot or the first; −1 when the matchings are the same.
func (q *boxSearch) difference(a, b speculation.Matching) (straggler int32, slot int) {
	straggler = -1
	most, copied := -1.0, true
	for i := range a {
		if a[i] == b[i] {
			continue
		}
		both := a[i] != speculation.None && b[i] != speculation.None
		if both && !copied {
			continue
		}
		time, energy := q.gain(i, a[i])
		otherTime, otherEnergy := q.gain(i, b[i])
		if d := math.Abs(time-otherTime) + math.Abs(energy-otherEnergy); d > most || !both && copied {
			straggler, slot, most, copied = int32(i), a[i], d, both
			if b[i] == speculation.None {
				slot = speculation.None
			}
		}
	}
	return straggler, slot
}
