package speculation

import (
	"context"
	"math"
	"slices"

	"schedgap/models/speculation"
)

// split parts a node so that neither part has both of two matchings; nil when objectives cannot tell them apart. It decides on a
// slot, whether it gets a copy, where they differ in that; else on a straggler, whether it gets one; else on what a straggler's
// pair leaves over of its time, where that is one of few; else on a slot, whether its copy is of a group of stragglers; else on a
// straggler's slot. Where what a copy saves is a straggler's part plus a slot's, for all stragglers or in groups, matchings of the
// same stragglers onto the same slots save the same, and only this order keeps a search from going through their permutations.
func (q *boxSearch) split(n *node, a, b speculation.Matching) []*node {
	with, without := n.clone(), n.clone()
	if j := q.slotOf(a, b); j >= 0 {
		with.use[j] = true
		q.follows(with, j)
		without.drop(func(cell int32) bool { return q.slot[cell] == j })
		return []*node{with, without}
	}
	i, class := q.difference(a, b)
	if i < 0 {
		return nil
	}
	of := func(cell int32) bool { return q.straggler[cell] == i }
	if class == speculation.None {
		with.must[i] = true
		without.drop(of)
		return []*node{with, without}
	}
	if i, rest, ok := q.restOf(n, a, b); ok {
		has := func(cell int32) bool { return math.Abs(q.parts.rest[cell]-rest) <= 2*alike }
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
	with.drop(func(cell int32) bool { return of(cell) && q.class[q.slot[cell]] != class })
	without.drop(func(cell int32) bool { return of(cell) && q.class[q.slot[cell]] == class })
	return []*node{with, without}
}

// halves parts a node where nothing tells how: by whether the first straggler with a choice gets its copy on the first of its slots.
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

// restOf is the straggler whose pairs in two matchings have different rests and differ most in savings, with the first one's rest. It
// has to be a straggler with few different rests.
func (q *boxSearch) restOf(n *node, a, b speculation.Matching) (straggler int32, rest float64, ok bool) {
	many := q.manyRests(n)
	most := -1.0
	for i := range a {
		if a[i] == speculation.None || b[i] == speculation.None || many[i] {
			continue
		}
		k, l := q.at[i*len(q.in.Slots)+a[i]]-1, q.at[i*len(q.in.Slots)+b[i]]-1
		if math.Abs(q.parts.rest[k]-q.parts.rest[l]) <= 4*alike {
			continue
		}
		if d := math.Abs(q.time[k]-q.time[l]) + math.Abs(q.energy[k]-q.energy[l]); d > most {
			straggler, rest, most, ok = int32(i), q.parts.rest[k], d, true
		}
	}
	return straggler, rest, ok
}

// manyRests tells the stragglers whose pairs in a node leave over more than a few different times.
func (q *boxSearch) manyRests(n *node) []bool {
	const few = 4
	many := make([]bool, len(q.in.Stragglers))
	var rests [few]float64
	count, last := 0, int32(-1)
	for _, cell := range n.cells {
		if i := q.straggler[cell]; i != last {
			count, last = 0, i
		}
		rest := q.parts.rest[cell]
		if many[last] || slices.ContainsFunc(rests[:count], func(r float64) bool { return math.Abs(r-rest) <= 4*alike }) {
			continue
		}
		if many[last] = count == few; !many[last] {
			rests[count] = rest
			count++
		}
	}
	return many
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

// slotOf is the slot to decide on, of those that get a copy in one matching only; −1: none. Of slots that are alike closed
// matchings use the first, so that one counts whose use says that a class gets more copies than the lesser of the two gives it.
func (q *boxSearch) slotOf(a, b speculation.Matching) int32 {
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
	for slot, class := range q.class {
		if class == best {
			if rank == 0 {
				return int32(slot)
			}
			rank--
		}
	}
	return -1
}

// follows makes a node use what comes before slot j in its class.
func (q *boxSearch) follows(n *node, j int32) {
	for k := range j {
		n.use[k] = n.use[k] || q.class[k] == q.class[j]
	}
}

// difference returns the straggler whose slots in two matchings differ most in savings, one of them none if there is such a
// straggler, and the class of that slot or of the first; −1 when objectives cannot tell the matchings apart.
func (q *boxSearch) difference(a, b speculation.Matching) (straggler int32, class int) {
	straggler = -1
	most, copied := -1.0, true
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
			straggler, class, most, copied = int32(i), from, d, both
			if to == speculation.None {
				class = speculation.None
			}
		}
	}
	return straggler, class
}

func (s *searcher) classOf(slot int) int {
	if slot == speculation.None {
		return speculation.None
	}
	return s.class[slot]
}

// exchanges tell of each pair which others may take its place at no loss: (k, j) of the same slot, (i, l) of the same straggler.
type exchanges struct {
	words   int      // of 64 stragglers, then of 64 slots, each pair has
	rows    int      // how many of them are of stragglers
	instead []uint64 // by pair, then word
	free    []uint64 // scratch: stragglers and slots without a pair
}

// exchanges finds what saves as much in both, and comes first if the same. It returns nil for instances that are too large, or when
// the context ends.
func (s *searcher) exchanges(ctx context.Context) *exchanges {
	const most = 1 << 27
	rows, columns := len(s.in.Stragglers), len(s.in.Slots)
	if len(s.time)*(rows+columns) > most {
		return nil
	}
	e := &exchanges{rows: (rows + 63) / 64}
	e.words = e.rows + (columns+63)/64
	e.instead, e.free = make([]uint64, e.words*len(s.time)), make([]uint64, e.words)
	for c := range s.time {
		if c%1024 == 0 && ctx.Err() != nil {
			return nil
		}
		i, j := int(s.straggler[c]), int(s.slot[c])
		words := e.instead[c*e.words : (c+1)*e.words]
		for k := range rows {
			if s.noLess(k, j, i, j) {
				words[k/64] |= 1 << (k % 64)
			}
		}
		for l := range columns {
			if s.noLess(i, l, i, j) {
				words[e.rows+l/64] |= 1 << (l % 64)
			}
		}
	}
	return e
}

// noLess reports whether the pair (k, l) may be used and saves as much as (i, j) in both, and if the same, comes first.
func (s *searcher) noLess(k, l, i, j int) bool {
	a, b := s.at[k*len(s.in.Slots)+l]-1, s.at[i*len(s.in.Slots)+j]-1
	if a < 0 || s.time[a] < s.time[b] || s.energy[a] < s.energy[b] {
		return false
	}
	return s.time[a] > s.time[b] || s.energy[a] > s.energy[b] || k+l < i+j
}

// closed drops pairs that no closed matching has: where straggler i gets no copy, no other one gets a copy on a slot where i would
// save as much in both; where slot j gets none, no straggler gets one on another slot that saves no more. Each point of the front
// has a closed matching: such an exchange loses nothing, and either saves more or, between equals, goes up in the file.
func (q *boxSearch) closed(n *node) {
	e := q.better
	if e == nil {
		return
	}
	for left := -1; left != len(n.cells); {
		left = len(n.cells)
		for w := range e.free {
			e.free[w] = ^uint64(0)
		}
		for _, cell := range n.cells {
			i, j := q.straggler[cell], q.slot[cell]
			e.free[i/64] &^= 1 << (i % 64)
			e.free[e.rows+int(j/64)] &^= 1 << (j % 64)
		}
		n.drop(func(cell int32) bool {
			for w, word := range e.instead[int(cell)*e.words : (int(cell)+1)*e.words] {
				if word&e.free[w] != 0 {
					return true
				}
			}
			return false
		})
	}
}
