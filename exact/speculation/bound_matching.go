package speculation

import (
	"context"
	"math"

	"schedgap/models/speculation"
)

// A relaxation is the assignment problem, stragglers (rows) to slots (columns), over the pairs that help. It is solved by
// successive shortest augmenting paths: potentials with y_i + y_j ≥ w_ij, tight where i and j are matched; who stays unmatched
// has the potential 0.
type relaxation struct {
	rows, columns side
	start, to     []int32   // by row: where its edges begin; by edge: its column
	w             []float64 // by edge
	dist          []float64 // by column: length of the shortest path so far; +Inf: none
	from          []int32   // by column: the row before it on that path
	scanned, open []int32   // columns: paths to them are final, or known
}

type side struct {
	y    []float64
	mate []int32 // on the other side, −1: none
}

func newSide(n int) side {
	s := side{y: make([]float64, n), mate: make([]int32, n)}
	for v := range s.mate {
		s.mate[v] = -1
	}
	return s
}

// newRelaxation is the problem of the scalar objective, with nobody matched and all slots free of charge.
func newRelaxation(in *speculation.Instance) *relaxation {
	m := &relaxation{
		rows: newSide(len(in.Stragglers)), columns: newSide(len(in.Slots)),
		start: []int32{0}, dist: make([]float64, len(in.Slots)), from: make([]int32, len(in.Slots)),
	}
	for j := range m.dist {
		m.dist[j] = math.Inf(1)
	}
	for i := range in.Stragglers {
		for j, value := range in.Helping(i) {
			m.to, m.w = append(m.to, int32(j)), append(m.w, value)
		}
		m.start = append(m.start, int32(len(m.to)))
	}
	m.settle()
	return m
}

// solve makes the matching optimal; false: the context ended before, and it is one of the rows that were served.
func (m *relaxation) solve(ctx context.Context) bool {
	defer m.settle()
	for i := range m.rows.mate {
		if m.rows.y[i] == 0 {
			continue
		}
		if ctx.Err() != nil {
			return false
		}
		m.serve(int32(i))
	}
	return true
}

// settle gives rows the least potentials that those of columns allow, which makes up for rounding and, at a limit, for rows that
// were not served: bound holds whatever columns' are.
func (m *relaxation) settle() {
	for i := range m.rows.y {
		best := 0.0
		for e := m.start[i]; e < m.start[i+1]; e++ {
			best = max(best, m.w[e]-m.columns.y[m.to[e]])
		}
		m.rows.y[i] = best
	}
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

// serve lowers the potential of row r along a shortest augmenting path: until it is 0, or r is matched, at the cost of a row whose
// potential reaches 0 instead, or of none.
func (m *relaxation) serve(r int32) {
	a, b := &m.rows, &m.columns
	m.scanned, m.open = m.scanned[:0], m.open[:0]
	// the best end so far: an unmatched column, or a row that leaves
	length, last, leaver := math.Inf(1), int32(-1), int32(-1)
	at, reached := r, 0.0 // a row on a final path, and its length
	for {
		height := reached + a.y[at]
		if height < length {
			length, last, leaver = height, -1, at
		}
		for e := m.start[at]; e < m.start[at+1]; e++ {
			v := m.to[e]
			d := max(reached, height-m.w[e]+b.y[v])
			if d >= length || d >= m.dist[v] {
				continue
			}
			if math.IsInf(m.dist[v], 1) {
				m.open = append(m.open, v)
			}
			m.dist[v], m.from[v] = d, at
			if b.mate[v] < 0 {
				length, last, leaver = d, v, -1
			}
		}
		next, k := math.Inf(1), -1
		for x, v := range m.open {
			if m.dist[v] < next {
				next, k = m.dist[v], x
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
	a.y[r] -= length
	for _, v := range m.scanned {
		if rise := length - m.dist[v]; rise > 0 {
			b.y[v] += rise
			a.y[b.mate[v]] -= rise
		}
		m.dist[v] = math.Inf(1)
	}
	for _, v := range m.open {
		m.dist[v] = math.Inf(1)
	}
	m.augment(r, last, leaver)
}

// augment shifts the partners along the path from row r to an unmatched column, or to a row that leaves.
func (m *relaxation) augment(r, last, leaver int32) {
	v := last
	if leaver >= 0 {
		m.rows.y[leaver] = 0
		if leaver == r {
			return
		}
		v = m.rows.mate[leaver]
		m.rows.mate[leaver] = -1
	}
	for {
		u := m.from[v]
		next := m.rows.mate[u]
		m.columns.mate[v], m.rows.mate[u] = u, v
		if u == r {
			return
		}
		v = next
	}
}

// matching is who is matched to whom, in whole or at a limit in part.
func (m *relaxation) matching() speculation.Matching {
	assign := make(speculation.Matching, len(m.rows.mate))
	for i, j := range m.rows.mate {
		assign[i] = int(j)
	}
	return assign
}
