package speculation

import (
	"context"
	"math"
	"slices"

	"schedgap/models/speculation"
)

// split parts a node so that neither part has both of two matchings; nil when objectives cannot tell them apart. It decides on a
// slot, whether it gets a copy, where they differ in that; else on a straggler, whether it gets one; else on a slot, whether
// its copy is of a group of stragglers; else on a straggler's slot. Where what a copy saves is a straggler's part plus a slot's,
// for all stragglers or in groups, matchings of the same stragglers onto the same slots save the same, and only this order keeps a
// search from going through their permutations.
func (q *boxSearch) split(n *node, a, b speculation.Matching) []*node {
	with, without := n.clone(), n.clone()
	column := func(cell int) int { return cell % len(q.slots) }
	straggler := func(cell int) int { return cell / len(q.slots) }
	if j := q.slotOf(a, b); j >= 0 {
		with.use[j] = true
		q.follows(with, j)
		without.drop(func(cell int) bool { return column(cell) == j })
		return []*node{with, q.closed(without)}
	}
	i, class := q.difference(a, b)
	if i < 0 {
		return nil
	}
	if class == speculation.None {
		with.must[i] = true
		without.drop(func(cell int) bool { return straggler(cell) == i })
	} else if j, group := q.groupOf(a, b); j >= 0 {
		with.use[j] = true
		with.drop(func(cell int) bool { return column(cell) == j && q.group[straggler(cell)] != group })
		without.drop(func(cell int) bool { return column(cell) == j && q.group[straggler(cell)] == group })
	} else {
		with.must[i] = true
		with.drop(func(cell int) bool { return straggler(cell) == i && q.class[q.slots[column(cell)]] != class })
		without.drop(func(cell int) bool { return straggler(cell) == i && q.class[q.slots[column(cell)]] == class })
	}
	return []*node{q.closed(with), q.closed(without)}
}

// groupOf is a column whose copies in two matchings are of different groups, with the group of the first; −1: there is none.
func (q *boxSearch) groupOf(a, b speculation.Matching) (column, group int) {
	of := make([]int, len(q.in.Slots)) // its straggler in a, from 1
	for i, slot := range a {
		if slot != speculation.None {
			of[slot] = i + 1
		}
	}
	column, most := -1, -1.0
	for i, slot := range b {
		if slot == speculation.None || of[slot] == 0 || q.group[i] == q.group[of[slot]-1] {
			continue
		}
		if time, energy := q.gain(i, slot); time+energy > most {
			column, _ = slices.BinarySearch(q.slots, slot)
			group, most = q.group[of[slot]-1], time+energy
		}
	}
	return column, group
}

// groups finds stragglers whose savings differ by the same on all slots that help both, as those of one job that draw the same. It
// names the first of each group. It stops early when the context ends.
func (s *searcher) groups(ctx context.Context) []int {
	group := make([]int, len(s.in.Stragglers))
	for i := range group {
		if ctx.Err() != nil {
			break
		}
		group[i] = i
		for k := range i {
			if group[k] == k && s.parallel(i, k) {
				group[i] = k
				break
			}
		}
	}
	return group
}

func (s *searcher) parallel(i, k int) bool {
	const alike = 1e-9 // of the units; groups only guide the search
	first := true
	var time, energy float64
	for j := range s.in.Slots {
		pTime, pEnergy := s.savings(i, j)
		qTime, qEnergy := s.savings(k, j)
		if pTime == 0 || qTime == 0 {
			continue
		}
		if first {
			time, energy, first = pTime-qTime, pEnergy-qEnergy, false
		}
		if math.Abs(pTime-qTime-time) > alike*s.time || math.Abs(pEnergy-qEnergy-energy) > alike*s.energy {
			return false
		}
	}
	return !first
}

// slotOf is the column to decide on, of the slots that get a copy in one matching only; −1: none. Of slots that are alike closed
// matchings use the first, so that one counts whose use says that a class gets more copies than the lesser of the two gives it.
func (q *boxSearch) slotOf(a, b speculation.Matching) int {
	var uses [2][]int // by class
	size := make([]float64, len(q.in.Slots))
	for k, m := range []speculation.Matching{a, b} {
		uses[k] = make([]int, len(q.in.Slots))
		for i, slot := range m {
			if slot != speculation.None {
				class := q.class[slot]
				uses[k][class]++
				time, energy := q.gain(i, slot)
				size[class] = max(size[class], time+energy)
			}
		}
	}
	best, most := -1, 0.0
	for c := range size {
		if uses[0][c] != uses[1][c] && size[c] > most {
			best, most = c, size[c]
		}
	}
	if best < 0 {
		return -1
	}
	rank := min(uses[0][best], uses[1][best])
	for column, slot := range q.slots {
		if q.class[slot] == best {
			if rank == 0 {
				return column
			}
			rank--
		}
	}
	return -1
}

// follows makes a node use what comes before column j in its class.
func (q *boxSearch) follows(n *node, j int) {
	for k := range j {
		n.use[k] = n.use[k] || q.class[q.slots[k]] == q.class[q.slots[j]]
	}
}

// difference returns the straggler whose slots in two matchings differ most in savings, one of them none if there is such a
// straggler, and the class of that slot or of the first; −1 when objectives cannot tell the matchings apart.
func (q *boxSearch) difference(a, b speculation.Matching) (straggler, class int) {
	straggler, most, copied := -1, -1.0, true
	for i := range a {
		from, to := q.classOf(a[i]), q.classOf(b[i])
		if from == to {
			continue
		}
		both := from != speculation.None && to != speculation.None
		if both && !copied {
			continue
		}
		time, energy := q.gain(i, a[i])
		otherTime, otherEnergy := q.gain(i, b[i])
		if d := math.Abs(time-otherTime) + math.Abs(energy-otherEnergy); d > most || !both && copied {
			straggler, class, most, copied = i, from, d, both
			if to == speculation.None {
				class = speculation.None
			}
		}
	}
	return straggler, class
}

func (n *node) clone() *node {
	return &node{cells: slices.Clone(n.cells), must: slices.Clone(n.must), use: slices.Clone(n.use)}
}

func (n *node) drop(which func(cell int) bool) { n.cells = slices.DeleteFunc(n.cells, which) }

// closed drops pairs that no closed matching has: where straggler i gets no copy, no other one gets a copy on a slot where i would
// save as much in both; where slot j gets none, no straggler gets one on another slot that saves no more. Each point of the front
// has a closed matching: such an exchange loses nothing, and either saves more or, between equals, goes up in the file.
func (q *boxSearch) closed(n *node) *node {
	rows, columns := len(q.in.Stragglers), len(q.slots)
	for {
		copied, used := make([]bool, rows), make([]bool, columns)
		for _, cell := range n.cells {
			copied[cell/columns], used[cell%columns] = true, true
		}
		left := len(n.cells)
		n.drop(func(cell int) bool {
			i, j := cell/columns, cell%columns
			for k := range rows {
				if !copied[k] && q.noLess(k, q.slots[j], i, q.slots[j]) {
					return true
				}
			}
			for l := range columns {
				if !used[l] && q.noLess(i, q.slots[l], i, q.slots[j]) {
					return true
				}
			}
			return false
		})
		if len(n.cells) == left {
			return n
		}
	}
}

// noLess reports whether the pair (k, l) may be used and saves as much as (i, j) in both, and if the same, comes first.
func (s *searcher) noLess(k, l, i, j int) bool {
	aTime, aEnergy := s.savings(k, l)
	bTime, bEnergy := s.savings(i, j)
	if aTime < bTime || aEnergy < bEnergy || aTime == 0 {
		return false
	}
	return aTime > bTime || aEnergy > bEnergy || k+l < i+j
}
