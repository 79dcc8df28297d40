package speculation

import (
	"context"
	"math"

	"schedgap/models/speculation"
)

// A relaxation is the weighted bipartite matching problem of a node: stragglers to slots, over the node's pairs. It is solved by
// successive shortest augmenting paths, from the prices and the matching that a relaxation of the node or of its parent left:
// near directions leave little to do. Rows and columns have the same part, so that one procedure serves both: potentials with
// y_i + y_j ≥ w_ij, tight where i and j are matched; who stays unmatched has its base as potential.
type relaxation struct {
	rows, columns side
	scanned, open []int32 // of the other side: paths to them are final, or known
}

type side struct {
	y     []float64
	base  []float64 // 0; −Inf: has to be matched
	mate  []int32   // on the other side, −1: none
	start []int32   // by vertex: where its edges begin
	to    []int32   // by edge
	w     []float64 // by edge
	dist  []float64 // length of the shortest path so far; +Inf: none
	from  []int32   // the vertex of the other side before it on that path
}

func newRelaxation(rows, columns, edges int) *relaxation {
	return &relaxation{rows: newSide(rows, edges), columns: newSide(columns, edges)}
}

func newSide(n, edges int) side {
	s := side{
		y: make([]float64, n), base: make([]float64, n), mate: make([]int32, n), start: make([]int32, n+1),
		to: make([]int32, edges), w: make([]float64, edges), dist: make([]float64, n), from: make([]int32, n),
	}
	for v := range s.dist {
		s.dist[v] = math.Inf(1)
	}
	return s
}

// loosely is by how much an edge of an earlier matching may miss being tight and is kept.
const loosely = 1e-15

// load takes the pairs of a node, weighted, and what it knows of prices and of a matching.
func (m *relaxation) load(s *searcher, timeWeight, energyWeight float64, n *node) {
	rows, columns := &m.rows, &m.columns
	for j := range columns.y {
		columns.mate[j], columns.base[j], columns.y[j] = -1, 0, n.price[j]
		if n.use[j] {
			columns.base[j] = math.Inf(-1)
		}
		columns.y[j] = max(columns.y[j], columns.base[j])
	}
	edge := 0
	for i := range rows.y {
		rows.start[i], rows.mate[i], rows.base[i] = int32(edge), -1, 0
		if n.must[i] {
			rows.base[i] = math.Inf(-1)
		}
		best, kept := rows.base[i], math.Inf(-1)
		for ; edge < len(n.cells) && int(s.straggler[n.cells[edge]]) == i; edge++ {
			k := n.cells[edge]
			j := s.slot[k]
			w := float64(timeWeight*s.time[k]) + float64(energyWeight*s.energy[k])
			rows.to[edge], rows.w[edge] = j, w
			net := w - columns.y[j]
			best = max(best, net)
			if n.mate[i] == j {
				kept = net
			}
		}
		rows.y[i] = best
		if kept >= best-loosely && !math.IsInf(kept, -1) {
			rows.mate[i], columns.mate[n.mate[i]] = n.mate[i], int32(i)
		}
	}
	rows.start[len(rows.y)] = int32(edge)
}

// An end says how a solve ended.
type end int8

const (
	solved      end = iota
	impossible      // the rows and columns that have to be matched cannot be
	interrupted     // the context ended
)

// solve makes what is loaded optimal: it serves the rows, then the columns, whose potential is above their base, unmatched.
func (m *relaxation) solve(ctx context.Context) end {
	defer m.settle()
	turned := false
	for _, way := range [][2]*side{{&m.rows, &m.columns}, {&m.columns, &m.rows}} {
		a, b := way[0], way[1]
		for v := range a.mate {
			if a.mate[v] >= 0 || a.y[v] == a.base[v] && !math.IsInf(a.base[v], -1) {
				continue
			}
			if ctx.Err() != nil {
				return interrupted
			}
			if a == &m.columns && !turned {
				m.turn()
				turned = true
			}
			if !m.serve(a, b, int32(v)) {
				return impossible
			}
		}
	}
	return solved
}

// settle makes up for the rounding of rows' potentials, and at a limit for rows that were not served: bound holds whatever
// columns' are.
func (m *relaxation) settle() {
	for i := range m.rows.y {
		best := m.rows.base[i]
		for e := m.rows.start[i]; e < m.rows.start[i+1]; e++ {
			best = max(best, m.rows.w[e]-m.columns.y[m.rows.to[e]])
		}
		m.rows.y[i] = best
	}
}

// turn lists the edges by column.
func (m *relaxation) turn() {
	rows, columns := &m.rows, &m.columns
	edges := rows.start[len(rows.y)]
	clear(columns.start)
	for _, j := range rows.to[:edges] {
		columns.start[j+1]++
	}
	for j := range columns.y {
		columns.start[j+1] += columns.start[j]
	}
	for i := len(rows.y) - 1; i >= 0; i-- {
		for e := rows.start[i+1] - 1; e >= rows.start[i]; e-- {
			j := rows.to[e]
			columns.start[j+1]--
			at := columns.start[j+1]
			columns.to[at], columns.w[at] = int32(i), rows.w[e]
		}
	}
	// Each start has moved down to the beginning of its own column, one place too high.
	copy(columns.start, columns.start[1:])
	columns.start[len(columns.y)] = edges
}

// bound is the optimum, or at a limit an upper bound on it, from above by duality. A row's term stands beside that of its column,
// for the rounding of the sum.
func (m *relaxation) bound() float64 {
	total := 0.0
	for i, j := range m.rows.mate {
		term := m.rows.y[i]
		if j >= 0 {
			term += m.columns.y[j]
		}
		total += term
	}
	for j, i := range m.columns.mate {
		if i < 0 {
			total += m.columns.y[j]
		}
	}
	return total
}

// serve lowers the potential of vertex r along a shortest augmenting path: until it reaches its base, or is matched, at the cost
// of a vertex of its own side that reaches its base instead, or of none. It is false when there is no path.
func (m *relaxation) serve(a, b *side, r int32) bool {
	if math.IsInf(a.y[r], -1) {
		return false
	}
	m.scanned, m.open = m.scanned[:0], m.open[:0]
	// the best end so far: an unmatched vertex of b, or one of a that leaves
	length, last, leaver := math.Inf(1), int32(-1), int32(-1)
	at, reached := r, 0.0 // a vertex of a on a final path, and its length
	for {
		height := reached + a.y[at]
		if l := height - a.base[at]; l < length {
			length, last, leaver = l, -1, at
		}
		for e := a.start[at]; e < a.start[at+1]; e++ {
			v := a.to[e]
			d := max(reached, height-a.w[e]+b.y[v])
			if d >= length || d >= b.dist[v] {
				continue
			}
			if math.IsInf(b.dist[v], 1) {
				m.open = append(m.open, v)
			}
			b.dist[v], b.from[v] = d, at
			if b.mate[v] < 0 {
				length, last, leaver = d, v, -1
			}
		}
		next, k := math.Inf(1), -1
		for x, v := range m.open {
			if b.dist[v] < next {
				next, k = b.dist[v], x
			}
		}
		if k < 0 || next >= length {
			break
		}
		v := m.open[k]
		m.open[k] = m.open[len(m.open)-1]
		m.open = m.open[:len(m.open)-1]
		m.scanned = append(m.scanned, v)
		at, reached = b.mate[v], next
	}
	found := !math.IsInf(length, 1)
	if found {
		a.y[r] -= length
	}
	for _, v := range m.scanned {
		if rise := length - b.dist[v]; found && rise > 0 {
			b.y[v] += rise
			a.y[b.mate[v]] -= rise
		}
		b.dist[v] = math.Inf(1)
	}
	for _, v := range m.open {
		b.dist[v] = math.Inf(1)
	}
	if found {
		augment(a, b, r, last, leaver)
	}
	return found
}

// augment shifts the partners along the path from vertex r to an unmatched one of b, or to one of a that leaves.
func augment(a, b *side, r, last, leaver int32) {
	v := last
	if leaver >= 0 {
		a.y[leaver] = a.base[leaver]
		if leaver == r {
			return
		}
		v = a.mate[leaver]
		a.mate[leaver] = -1
	}
	for {
		u := b.from[v]
		next := a.mate[u]
		b.mate[v], a.mate[u] = u, v
		if u == r {
			return
		}
		v = next
	}
}

// relax finds the matching of a node with the greatest timeWeight·ΣΔt + energyWeight·ΣΔE; false when there is none, or when the
// context ended.
func (s *searcher) relax(ctx context.Context, timeWeight, energyWeight float64, n *node) (facet, bool) {
	m := s.relaxed
	m.load(s, timeWeight, energyWeight, n)
	s.relaxations++
	switch m.solve(ctx) {
	case interrupted:
		s.interrupted = true
		return facet{}, false
	case impossible:
		return facet{}, false
	}
	copy(n.price, m.columns.y)
	copy(n.mate, m.rows.mate)
	return facet{time: timeWeight, energy: energyWeight, level: m.bound(), at: s.placeOf(m.matching())}, true
}

// matching is who is matched to whom, in whole or at a limit in part.
func (m *relaxation) matching() speculation.Matching {
	assign := make(speculation.Matching, len(m.rows.mate))
	for i, j := range m.rows.mate {
		assign[i] = int(j)
	}
	return assign
}

func (s *searcher) placeOf(assign speculation.Matching) *place {
	time, energy := s.in.Savings(assign)
	return &place{time / s.timeUnit, energy / s.energyUnit, assign}
}
