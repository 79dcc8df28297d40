package speculation

import (
	"context"
	"math"
)

// A weighted bipartite matching problem: rows may be matched to columns, each once. Its optimum is found by successive shortest
// augmenting paths with prices (Kuhn 1955, Jonker and Volgenant 1987), a row at a time; a row that gains nothing stays
// unmatched unless it must not. It is exact up to the rounding of sums.
type matching struct {
	rows, columns int
	weight        []float64 // by row, then column; −Inf: not allowed
	must          []bool    // the row has to be matched; nil: none has to
	use           []bool    // the column has to be matched; nil: none has to

	ofRow, ofColumn []int     // partners, −1 for none
	price           []float64 // of columns, ≥ 0, 0 while unmatched; if it has to be matched ≥ −bonus, −bonus while unmatched
	surplus         []float64 // of rows served: the most that weight − price reaches, 0 for staying unmatched included

	dist    []float64 // by column: length of the shortest path from the row that is served
	from    []int     // by column: the row before it on that path
	scanned []int     // columns whose paths are final, in the order of their lengths
	open    []int     // the others
}

func newMatching(rows, columns int) *matching {
	return &matching{
		rows: rows, columns: columns, weight: make([]float64, rows*columns),
		ofRow: make([]int, rows), ofColumn: make([]int, columns),
		price: make([]float64, columns), surplus: make([]float64, rows),
		dist: make([]float64, columns), from: make([]int, columns),
		scanned: make([]int, 0, columns), open: make([]int, 0, columns),
	}
}

// bonus draws rows to columns that have to be matched. Matchings where such columns occur are worth from 0 to less than half of it,
// so no optimum leaves one of them free that can be matched.
const bonus = 5

// An end says how a solve ended.
type end int8

const (
	solved      end = iota
	impossible      // the rows and columns that have to be matched cannot be
	interrupted     // the context ended; ofRow is feasible except for rows and columns that have to be matched
)

// solve matches again with the current weights.
func (m *matching) solve(ctx context.Context) end {
	for i := range m.ofRow {
		m.ofRow[i] = -1
	}
	for j := range m.ofColumn {
		m.ofColumn[j], m.price[j] = -1, 0
		if m.use != nil && m.use[j] {
			m.price[j] = -bonus
		}
	}
	for i := range m.rows {
		if ctx.Err() != nil {
			return interrupted
		}
		m.bid(i)
	}
	for i := range m.rows {
		if ctx.Err() != nil {
			return interrupted
		}
		if m.ofRow[i] < 0 && !m.serve(i) {
			return impossible
		}
	}
	for j, row := range m.ofColumn {
		if row < 0 && m.use != nil && m.use[j] {
			return impossible
		}
	}
	return solved
}

// bid is a quick start (augmenting row reduction of Jonker and Volgenant): row i takes the column that is best for it at a price
// that makes it as good as the second best, and the row that loses the column bids in turn. It gives up after a few rounds, or
// where there is no second best to set a price; serve does the rest. Prices and surpluses stay as they have to be.
func (m *matching) bid(i int) {
	const rounds = 48
	for range rounds {
		first, second, at := m.stay(i), math.Inf(-1), -1
		for j, w := range m.weight[i*m.columns : (i+1)*m.columns] {
			if net := w - m.price[j]; net > first {
				first, second, at = net, first, j
			} else if net > second {
				second = net
			}
		}
		if at < 0 || math.IsInf(second, -1) {
			return
		}
		m.price[at] += first - second
		m.surplus[i] = second
		loser := m.ofColumn[at]
		m.ofColumn[at], m.ofRow[i] = i, at
		if loser < 0 {
			return
		}
		m.ofRow[loser], i = -1, loser
	}
}

// stay is what a row gains by staying unmatched.
func (m *matching) stay(i int) float64 {
	if m.must == nil || !m.must[i] {
		return 0
	}
	return math.Inf(-1)
}

// bound is an upper bound on the optimum by duality: with prices on the columns no row can do better than its surplus. It holds
// for any prices that are ≥ 0 where a column may stay free, so also when solve was interrupted. A row's term stands beside that of
// its column, so that a bonus leaves less rounding in the sum.
func (m *matching) bound() float64 {
	total := 0.0
	for i, j := range m.ofRow {
		best := m.best(i)
		if j >= 0 {
			best += m.price[j]
		}
		total += best
	}
	for j, row := range m.ofColumn {
		if row < 0 {
			total += m.price[j]
		}
	}
	return total
}

// best is a row's surplus at the current prices.
func (m *matching) best(i int) float64 {
	best := m.stay(i)
	for j, w := range m.weight[i*m.columns : (i+1)*m.columns] {
		best = max(best, w-m.price[j])
	}
	return best
}

// serve brings row r in along a shortest augmenting path: to a free column, or to a row that becomes unmatched instead. Lengths
// are what the rows on the path lose. It is false when there is no path.
func (m *matching) serve(r int) bool {
	m.surplus[r] = m.best(r)
	if math.IsInf(m.surplus[r], -1) {
		return false
	}
	m.scanned, m.open = m.scanned[:0], m.open[:m.columns]
	for j := range m.open {
		m.open[j], m.dist[j] = j, math.Inf(1)
	}
	length, last, leaver := math.Inf(1), -1, -1 // the best end so far: a free column or a row that leaves
	row, reached := r, 0.0                      // a row on a final path, and its length
	for {
		base := reached + m.surplus[row]
		if l := base - m.stay(row); l < length {
			length, last, leaver = l, -1, row
		}
		weight := m.weight[row*m.columns : (row+1)*m.columns]
		next, at := math.Inf(1), -1
		for k, j := range m.open {
			if d := base - weight[j] + m.price[j]; d < m.dist[j] {
				m.dist[j], m.from[j] = d, row
				if m.ofColumn[j] < 0 && d < length {
					length, last, leaver = d, j, -1
				}
			}
			if m.dist[j] < next {
				next, at = m.dist[j], k
			}
		}
		if at < 0 || next >= length {
			break
		}
		j := m.open[at]
		m.open[at] = m.open[len(m.open)-1]
		m.open = m.open[:len(m.open)-1]
		m.scanned = append(m.scanned, j)
		row, reached = m.ofColumn[j], next
	}
	if math.IsInf(length, 1) {
		return false
	}
	m.surplus[r] -= length
	for _, j := range m.scanned {
		if rise := length - m.dist[j]; rise > 0 {
			m.price[j] += rise
			m.surplus[m.ofColumn[j]] -= rise
		}
	}
	m.augment(r, last, leaver)
	return true
}

// augment shifts the partners along the path from row r to a free column, or to a row that leaves.
func (m *matching) augment(r, last, leaver int) {
	if leaver == r {
		return
	}
	j := last
	if leaver >= 0 {
		j = m.ofRow[leaver]
		m.ofRow[leaver] = -1
	}
	for {
		row := m.from[j]
		m.ofColumn[j], m.ofRow[row], j = row, j, m.ofRow[row]
		if row == r {
			return
		}
	}
}
