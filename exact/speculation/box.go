package speculation

import (
	"context"
	"math"
	"slices"

	"schedgap/models/speculation"
)

// A searcher finds single points of a front by branch and bound. Savings are in units of the greatest ΣΔt and ΣΔE, so that
// both run from 0 to 1.
type searcher struct {
	in           *speculation.Instance
	pairs        *pairs
	time, energy float64 // the units
	class        []int   // by slot: the first slot that is like it for every straggler
	group        []int   // by straggler: see groups
	at           []int32 // by straggler, then slot: the pair's place in the list of pairs, from 1; 0 where it does not help
	nodes        int64
	interrupted  bool

	// A relaxation has the slots that are of use in what is searched as columns. A cell is a row's place in such a column.
	relaxed    *matching
	slots      []int     // by column
	cellTime   []float64 // the savings of each cell, in units
	cellEnergy []float64
	cellPair   []int32 // places in the list of pairs
}

// A place is the savings of a matching, in the searcher's units.
type place struct {
	time, energy float64
	assign       speculation.Matching
}

// margin is by how much a point has to be better than another in one of the savings to count as better: more than the rounding
// of sums, less than what shows.
const margin = 1e-11

// newSearcher finds the units. Some pair has to save something. It returns nil when the context ends first.
func newSearcher(ctx context.Context, pairs *pairs) *searcher {
	in := pairs.in
	s := &searcher{in: in, pairs: pairs, time: 1, energy: 1}
	s.at = make([]int32, len(in.Stragglers)*len(in.Slots))
	for k, p := range pairs.list {
		s.at[p.straggler*len(in.Slots)+p.slot] = int32(k + 1)
	}
	s.class = s.classes(ctx)
	if ctx.Err() != nil {
		return nil
	}
	all := s.activate(s.everything())
	s.relax(ctx, 1, 0, all)
	time := s.relaxed.bound()
	s.relax(ctx, 0, 1, all)
	s.time, s.energy = above(time), above(s.relaxed.bound())
	s.group = s.groups(ctx)
	if ctx.Err() != nil {
		return nil
	}
	return s
}

// everything is the places of all pairs in their list.
func (s *searcher) everything() []int32 {
	all := make([]int32, len(s.pairs.list))
	for k := range all {
		all[k] = int32(k)
	}
	return all
}

// savings says what a pair saves; 0 where it does not help.
func (s *searcher) savings(straggler, slot int) (time, energy float64) {
	k := s.at[straggler*len(s.in.Slots)+slot]
	if k == 0 {
		return 0, 0
	}
	p := &s.pairs.list[k-1]
	return p.time, p.energy
}

// classes finds slots that no objective can tell apart. Branching on them together keeps a search from going through their
// permutations. It stops early when the context ends.
func (s *searcher) classes(ctx context.Context) []int {
	class := make([]int, len(s.in.Slots))
	gains := make([][]pair, len(s.in.Slots))
	for _, p := range s.pairs.list {
		gains[p.slot] = append(gains[p.slot], pair{straggler: p.straggler, time: p.time, energy: p.energy})
	}
	for j := range class {
		if ctx.Err() != nil {
			break
		}
		class[j] = j
		for k := range j {
			if class[k] == k && slices.Equal(gains[j], gains[k]) {
				class[j] = k
				break
			}
		}
	}
	return class
}

// A node of the branch and bound.
type node struct {
	cells     []int  // that matchings may use, ascending
	must, use []bool // stragglers that get a copy, columns that get one
}

// activate makes relaxations of these pairs, and returns the node of all of them.
func (s *searcher) activate(list []int32) *node {
	column := make([]int, len(s.in.Slots))
	for _, k := range list {
		column[s.pairs.list[k].slot] = 1
	}
	s.slots = s.slots[:0]
	for j, used := range column {
		if used == 1 {
			column[j] = len(s.slots)
			s.slots = append(s.slots, j)
		}
	}
	s.relaxed = newMatching(len(s.in.Stragglers), len(s.slots))
	s.cellPair = make([]int32, len(s.relaxed.weight))
	s.cellTime, s.cellEnergy = make([]float64, len(s.relaxed.weight)), make([]float64, len(s.relaxed.weight))
	n := &node{cells: make([]int, len(list)), must: make([]bool, len(s.in.Stragglers)), use: make([]bool, len(s.slots))}
	for k, at := range list {
		p := &s.pairs.list[at]
		cell := p.straggler*len(s.slots) + column[p.slot]
		n.cells[k], s.cellTime[cell], s.cellEnergy[cell] = cell, p.time/s.time, p.energy/s.energy
		s.cellPair[cell] = at
	}
	return n
}

// shrunk makes relaxations of a node's pairs, and returns the node in their terms.
func (s *searcher) shrunk(n *node) *node {
	list := make([]int32, len(n.cells))
	for k, cell := range n.cells {
		list[k] = s.cellPair[cell]
	}
	used := make([]bool, len(s.in.Slots))
	for column, use := range n.use {
		used[s.slots[column]] = use
	}
	c := s.activate(list)
	copy(c.must, n.must)
	for column, slot := range s.slots {
		c.use[column] = used[slot]
	}
	return c
}

// relax finds the matching of a node with the greatest timeWeight·ΣΔt + energyWeight·ΣΔE; false when there is none, or when the
// context ended.
func (s *searcher) relax(ctx context.Context, timeWeight, energyWeight float64, n *node) (place, bool) {
	m := s.relaxed
	for k := range m.weight {
		m.weight[k] = math.Inf(-1)
	}
	for _, cell := range n.cells {
		m.weight[cell] = float64(timeWeight*s.cellTime[cell]) + float64(energyWeight*s.cellEnergy[cell])
	}
	m.must, m.use = n.must, n.use
	s.nodes++
	switch m.solve(ctx) {
	case interrupted:
		s.interrupted = true
		return place{}, false
	case impossible:
		return place{}, false
	}
	assign := slices.Clone(m.ofRow)
	for i, j := range assign {
		if j >= 0 {
			assign[i] = s.slots[j]
		}
	}
	time, energy := s.in.Savings(assign)
	return place{time / s.time, energy / s.energy, assign}, true
}

// A box is the part of the plane above two neighbours of a front: more time than the left one and more energy than the right
// one, both by more than margin. No point in it is worth more than level in the box's direction.
type box struct {
	left, right place
	// Nothing in the box exceeds levelTime·time + levelEnergy·energy = level; it comes from the box that this one was cut from.
	levelTime, levelEnergy, level float64
}

// direction is normal to the line from the left to the right corner; the corners are worth the same in it.
func (b *box) direction() (time, energy float64) {
	return b.left.energy - b.right.energy, b.right.time - b.left.time
}

func (b *box) empty() bool {
	return b.right.time-b.left.time <= 2*margin || b.left.energy-b.right.energy <= 2*margin
}

func (b *box) holds(p place) bool { return b.moreTime(p) > 0 && b.moreEnergy(p) > 0 }

// moreTime and moreEnergy are how far a place is inside the box by one of its two sides.
func (b *box) moreTime(p place) float64   { return p.time - b.left.time - margin }
func (b *box) moreEnergy(p place) float64 { return p.energy - b.right.energy - margin }

// area is what the points of the box can add to the hypervolume at most: the part of it below its level.
func (b *box) area() float64 {
	width, height := b.right.time-b.left.time, b.left.energy-b.right.energy
	room := b.level - b.levelTime*b.left.time - b.levelEnergy*b.right.energy
	if math.IsInf(room, 1) || b.levelTime <= 0 || b.levelEnergy <= 0 {
		return width * height
	}
	at := func(x float64) float64 { return (room - b.levelTime*x) / b.levelEnergy }
	full := min(max(0, (room-b.levelEnergy*height)/b.levelTime), width)
	last := min(max(full, room/b.levelTime), width)
	return full*height + (last-full)*(max(0, at(full))+max(0, at(last)))/2
}

// A boxSearch looks for the point of a box that is greatest in its direction. There is no other point of the box that
// dominates it.
type boxSearch struct {
	*searcher
	box
	byTime, byEnergy float64
	best             place
	worth            float64 // of best in the direction; −Inf: none yet
}

// search returns the greatest point of the box, false when the box holds none. When the context ended, interrupted is set and
// the answer is meaningless.
func (s *searcher) search(ctx context.Context, b box) (place, bool) {
	q := &boxSearch{searcher: s, box: b, worth: math.Inf(-1)}
	q.byTime, q.byEnergy = b.direction()
	// Near neighbours must not make the direction's numbers small: prices would drown in rounding.
	scale := max(q.byTime, q.byEnergy)
	q.byTime, q.byEnergy = q.byTime/scale, q.byEnergy/scale
	if s.interrupted = s.interrupted || ctx.Err() != nil; s.interrupted {
		return place{}, false
	}
	root := s.activate(s.everything())
	for left := -1; left != len(root.cells) && !s.interrupted; {
		left = len(root.cells)
		q.tighten(ctx, q.byTime, q.byEnergy, root)
		q.tighten(ctx, 1, 0, root)
		q.tighten(ctx, 0, 1, root)
	}
	if s.interrupted {
		return place{}, false
	}
	q.branch(ctx, s.shrunk(q.closed(root)), nil)
	return q.best, !math.IsInf(q.worth, -1)
}

// tighten relaxes and drops cells that no matching of the node can use and lie in the box, above its lower left corner, or be
// worth more than the best: by duality a matching with a cell is worth at most the relaxation less the cell's reduced cost.
func (q *boxSearch) tighten(ctx context.Context, timeWeight, energyWeight float64, n *node) (place, bool) {
	p, ok := q.relax(ctx, timeWeight, energyWeight, n)
	if !ok {
		return p, false
	}
	q.offer(p)
	m := q.relaxed
	floor := timeWeight*q.left.time + energyWeight*q.right.energy
	if timeWeight == q.byTime && energyWeight == q.byEnergy {
		floor = max(floor, q.worth)
	}
	room := m.bound() - floor + rounding
	kept := n.cells[:0]
	for _, cell := range n.cells {
		if m.surplus[cell/m.columns]+m.price[cell%m.columns]-m.weight[cell] <= room {
			kept = append(kept, cell)
		}
	}
	n.cells = kept
	for i := range n.must {
		n.must[i] = n.must[i] || m.surplus[i] > room
	}
	for j := range n.use {
		n.use[j] = n.use[j] || m.price[j] > room
	}
	return p, true
}

func (q *boxSearch) value(p place) float64 { return q.byTime*p.time + q.byEnergy*p.energy }

// offer takes p as the best point when it is.
func (q *boxSearch) offer(p place) {
	if v := q.value(p); q.holds(p) && v > q.worth {
		q.best, q.worth = p, v
	}
}

// beats reports whether a bound leaves room for a better point.
func (q *boxSearch) beats(bound float64) bool { return bound > q.worth+rounding }

// rounding is what sums of a matching's savings may err by, in units.
const rounding = 1e-12

// branch explores the matchings of a node, whose cells it may drop. The bound is that of the linear relaxation with the box's two
// sides as constraints, found along the convex hull of the relaxed assignment problem. known are matchings of the parent's, of
// which those of the node need not be found again: the greatest in the direction, and one inside the side that it lacks.
func (q *boxSearch) branch(ctx context.Context, n *node, known []place) {
	top, ok := place{}, false
	if len(known) > 0 && q.has(n, known[0]) {
		top = known[0]
	} else if top, ok = q.tighten(ctx, q.byTime, q.byEnergy, n); !ok {
		return
	}
	if !q.beats(q.value(top)) {
		return
	}
	e := edge{below: top}
	timeWeight, energyWeight := 0.0, 0.0
	switch enoughTime, enoughEnergy := q.moreTime(top) > 0, q.moreEnergy(top) > 0; {
	case enoughTime && enoughEnergy:
		return // the node's best
	case enoughTime:
		e.inside, e.other, energyWeight = q.moreEnergy, q.moreTime, 1
	case enoughEnergy:
		e.inside, e.other, timeWeight = q.moreTime, q.moreEnergy, 1
	default:
		// A point of the box is worth more than its lower left corner, and top, which is worth most, is worth less.
		return
	}
	if len(known) > 1 && e.inside(known[1]) > 0 && q.has(n, known[1]) {
		e.above = known[1]
	} else if e.above, ok = q.tighten(ctx, timeWeight, energyWeight, n); !ok || e.inside(e.above) <= 0 {
		return
	}
	bound := q.follow(ctx, &e, n)
	if q.interrupted || !q.beats(bound) {
		return
	}
	children := q.split(n, e.above.assign, e.below.assign)
	for _, c := range children {
		q.branch(ctx, c, []place{top, e.above})
		if q.interrupted {
			return
		}
	}
}

// has reports whether a matching is one of a node's.
func (q *boxSearch) has(n *node, p place) bool {
	free := 0
	for _, use := range n.use {
		if use {
			free++
		}
	}
	for i, slot := range p.assign {
		if slot == speculation.None {
			if n.must[i] {
				return false
			}
			continue
		}
		column, ok := slices.BinarySearch(q.slots, slot)
		if !ok {
			return false
		}
		if _, ok = slices.BinarySearch(n.cells, i*len(q.slots)+column); !ok {
			return false
		}
		if n.use[column] {
			free--
		}
	}
	return free == 0
}

// An edge of the hull crosses the side of a box that the greatest matching lacks.
type edge struct {
	below, above  place // its ends, outside and inside of that side
	inside, other func(place) float64
}

// follow moves the ends of e along the hull until they are neighbours, or until no place of the box can beat the best. It returns
// a bound on the worth of those places: what the hull is worth where it crosses the side; −Inf when all miss the other side.
func (q *boxSearch) follow(ctx context.Context, e *edge, n *node) float64 {
	for {
		byTime, byEnergy := e.above.energy-e.below.energy, e.below.time-e.above.time
		if e.below.time < e.above.time {
			byTime, byEnergy = -byTime, -byEnergy
		}
		if byTime <= 0 || byEnergy <= 0 {
			return max(q.value(e.below), q.value(e.above)) // no trade-off, rounding aside
		}
		scale := max(byTime, byEnergy)
		byTime, byEnergy = byTime/scale, byEnergy/scale
		middle, ok := q.tighten(ctx, byTime, byEnergy, n)
		if !ok {
			return math.Inf(-1) // interrupted, or no matching is left that could lie in the box
		}
		// All places lie below the line through the middle that runs as the edge does. It crosses the side by share of the edge.
		rise := max(0, byTime*(middle.time-e.below.time)+byEnergy*(middle.energy-e.below.energy))
		low, high := e.inside(e.below), e.inside(e.above)
		share := -low / (high - low)
		crossing := place{
			time:   e.below.time + share*(e.above.time-e.below.time),
			energy: e.below.energy + share*(e.above.energy-e.below.energy),
		}
		if e.inside(place{time: 1, energy: 0}) > e.inside(place{time: 0, energy: 0}) {
			crossing.energy += rise / byEnergy
		} else {
			crossing.time += rise / byTime
		}
		bound := q.value(crossing)
		if e.other(crossing) <= 0 {
			bound = math.Inf(-1)
		}
		switch {
		case rise <= rounding || !q.beats(bound):
			return bound
		case e.inside(middle) > 0:
			e.above = middle
		default:
			e.below = middle
		}
	}
}

func (s *searcher) classOf(slot int) int {
	if slot == speculation.None {
		return speculation.None
	}
	return s.class[slot]
}

// gain is in units.
func (s *searcher) gain(straggler, slot int) (time, energy float64) {
	if slot == speculation.None {
		return 0, 0
	}
	time, energy = s.in.Gain(straggler, slot)
	return time / s.time, energy / s.energy
}
