package speculation

import (
	"container/heap"
	"context"
	"math"

	"schedgap/models/speculation"
)

// rounding is what sums of a matching's savings may err by, in units.
const rounding = 1e-12

// A boxSearch looks for the point of a box that is greatest in its direction. There is no other point of the box that
// dominates it. The best node comes first.
type boxSearch struct {
	*searcher
	*box
	byTime, byEnergy float64
	best             *place
	most             float64 // of best in the direction; −Inf: none yet
	queue            nodes
	done             []*node // nothing in them beats the best
}

// search returns the greatest point of the box, nil when the box holds none, and leaves the nodes of the box that may hold
// more. When the context ended, interrupted is set and the answer is meaningless.
func (s *searcher) search(ctx context.Context, b *box) *place {
	q := &boxSearch{searcher: s, box: b, most: math.Inf(-1)}
	q.byTime, q.byEnergy = b.direction()
	// Near neighbours must not make the direction's numbers small: prices would drown in rounding.
	scale := max(q.byTime, q.byEnergy)
	q.byTime, q.byEnergy = q.byTime/scale, q.byEnergy/scale
	s.searched++
	for _, n := range b.nodes {
		for k := range n.facets {
			q.offer(n.facets[k].at)
			q.offer(n.facets[k].other)
		}
	}
	for _, n := range b.nodes {
		q.keep(n)
	}
	for len(q.queue) > 0 && q.beats(q.queue[0].bound) {
		if s.interrupted = s.interrupted || ctx.Err() != nil; s.interrupted {
			return nil
		}
		q.explore(ctx, heap.Pop(&q.queue).(*node))
	}
	b.nodes = append(q.done, q.queue...)
	return q.best
}

// nodes is a heap, the greatest bound first.
type nodes []*node

func (h nodes) Len() int           { return len(h) }
func (h nodes) Less(i, k int) bool { return h[i].bound > h[k].bound }
func (h nodes) Swap(i, k int)      { h[i], h[k] = h[k], h[i] }
func (h *nodes) Push(n any)        { *h = append(*h, n.(*node)) }
func (h *nodes) Pop() any {
	last := len(*h) - 1
	n := (*h)[last]
	*h = (*h)[:last]
	return n
}

// keep keeps a node unless it has nothing in the box.
func (q *boxSearch) keep(n *node) {
	at, _, ok := highest(n.facets, q.byTime, q.byEnergy, q.corner())
	if !ok {
		return
	}
	if n.bound = q.value(&at); q.beats(n.bound) {
		heap.Push(&q.queue, n)
	} else {
		q.done = append(q.done, n)
	}
}

// corner is what the points that lie in the box exceed.
func (b *box) corner() corner { return corner{b.left.time + margin, b.right.energy + margin} }

func (q *boxSearch) value(p *place) float64 { return q.byTime*p.time + q.byEnergy*p.energy }

// offer takes p as the best point when it is.
func (q *boxSearch) offer(p *place) {
	if p == nil || !q.holds(p) {
		return
	}
	if v := q.value(p); v > q.most {
		q.best, q.most = p, v
	}
}

// beats reports whether a bound leaves room for a better point.
func (q *boxSearch) beats(bound float64) bool { return bound > q.most+rounding }

// tighten relaxes and drops cells that no matching of the node can use and lie in the box: by duality a matching with a cell
// is worth at most the relaxation less the cell's reduced cost. It is false when the node has no matching, or at a limit.
func (q *boxSearch) tighten(ctx context.Context, timeWeight, energyWeight float64, n *node) (facet, bool) {
	f, ok := q.relax(ctx, timeWeight, energyWeight, n)
	if !ok {
		return f, false
	}
	q.offer(f.at)
	m := q.relaxed
	c := q.corner()
	room := f.level - timeWeight*c.time - energyWeight*c.energy + rounding
	edge, kept := 0, n.cells[:0]
	for i, y := range m.rows.y {
		for ; edge < int(m.rows.start[i+1]); edge++ {
			if y+m.columns.y[m.rows.to[edge]]-m.rows.w[edge] <= room {
				kept = append(kept, n.cells[edge])
			}
		}
		n.must[i] = n.must[i] || y > room
	}
	n.cells = kept
	for j, y := range m.columns.y {
		n.use[j] = n.use[j] || y > room
	}
	return f, true
}

// explore refines the hull of a node where it is worth most, until nothing of it beats the best, or until it has an edge there
// that crosses a side of the box. Then the node is parted between the ends of that edge.
func (q *boxSearch) explore(ctx context.Context, n *node) {
	if n.inBox != q.searched {
		n.inBox = q.searched
		if !q.knows(n, q.byTime, q.byEnergy) && !q.refresh(ctx, n, facet{time: q.byTime, energy: q.byEnergy}) {
			return
		}
	}
	for {
		at, on, ok := highest(n.facets, q.byTime, q.byEnergy, q.corner())
		if !ok {
			return
		}
		if n.bound = q.value(&at); !q.beats(n.bound) {
			q.done = append(q.done, n)
			return
		}
		if n.facets[on].at == nil {
			if !q.refresh(ctx, n, n.facets[on]) {
				return
			}
			continue
		}
		for k := range n.facets {
			f := &n.facets[k]
			if f.other != nil && f.at.time <= at.time && at.time <= f.other.time && f.level-f.value(&at) <= rounding {
				q.part(n, f.at, f.other)
				return
			}
		}
		left, right := spanning(n.facets, at.time)
		if left == nil || left.energy <= right.energy {
			steeper := left == nil && n.facets[on].at.time <= at.time
			k := stale(n.facets, on, steeper)
			if k < 0 {
				k = stale(n.facets, on, !steeper)
			}
			if k < 0 {
				q.add(q.halves(n)...) // only rounding leaves something in the box
				return
			}
			if !q.refresh(ctx, n, n.facets[k]) {
				return
			}
			continue
		}
		f := facet{time: left.energy - right.energy, energy: right.time - left.time}
		scale := max(f.time, f.energy)
		f.time, f.energy = f.time/scale, f.energy/scale
		if q.knows(n, f.time, f.energy) {
			q.part(n, left, right) // rounding hides what is between them
			return
		}
		g, ok := q.tighten(ctx, f.time, f.energy, n)
		if !ok {
			return
		}
		if math.Abs(g.level-g.value(left)) <= rounding && math.Abs(g.level-g.value(right)) <= rounding {
			g.at, g.other = left, right
		}
		n.insert(g)
	}
}

// knows reports whether a node has a facet in a direction, with a matching on it.
func (q *boxSearch) knows(n *node, timeWeight, energyWeight float64) bool {
	for k := range n.facets {
		if f := &n.facets[k]; f.at != nil && f.time == timeWeight && f.energy == energyWeight {
			return true
		}
	}
	return false
}

// refresh relaxes a node in the direction of a facet, which takes the place of one that has it. It is false when the node has
// no matching, or at a limit.
func (q *boxSearch) refresh(ctx context.Context, n *node, f facet) bool {
	g, ok := q.tighten(ctx, f.time, f.energy, n)
	if !ok {
		return false
	}
	n.insert(g)
	return true
}

// part replaces a node by parts, neither of which has both of two matchings.
func (q *boxSearch) part(n *node, a, b *place) {
	parts := q.split(n, a.assign, b.assign)
	if parts == nil {
		parts = q.halves(n)
	}
	q.add(parts...)
}

// add takes parts of a node and keeps those that may have something in the box.
func (q *boxSearch) add(parts ...*node) {
	for _, c := range parts {
		c.inBox = 0
		q.stamp++
		for _, cell := range c.cells {
			q.marks[cell] = q.stamp
		}
		for k := range c.facets {
			f := &c.facets[k]
			if f.other != nil && !q.has(c, f.other) {
				f.other = nil
			}
			if f.at != nil && !q.has(c, f.at) {
				f.at, f.other = f.other, nil
			}
		}
		q.keep(c)
	}
}

// has reports whether a matching is one of a node's, whose cells are marked.
func (q *boxSearch) has(n *node, p *place) bool {
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
		if q.marks[q.at[i*len(q.in.Slots)+slot]-1] != q.stamp {
			return false
		}
		if n.use[slot] {
			free--
		}
	}
	return free == 0
}
