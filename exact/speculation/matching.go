package speculation

import (
	"context"
	"math"
)

// A weighted bipartite matching problem: rows may be matched to columns, each once. Its optimum is found by successive shortest
// augmenting paths with prices (Kuhn 1955, Jonker and Volgenant 1987), a row at a time; a row that gains nothing stays
// unmatched. It is exact up to the rounding of sums.
type matching struct {
	rows, columns int
	weight        []float64 // by row, then column; −Inf: not allowed

	ofRow, ofColumn []int     // partners, −1 for none
	price           []float64 // of columns, ≥ 0, 0 while unmatched
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

// solve matches with the weights. It is false when the context ended; ofRow is feasible then.
func (m *matching) solve(ctx context.Context) bool {
	for i := range m.ofRow {
		m.ofRow[i] = -1
	}
	for j := range m.ofColumn {
		m.ofColumn[j], m.price[j] = -1, 0
	}
	for i := range m.rows {
		if ctx.Err() != nil {
			return false
		}
		m.bid(i)
	}
	for i := range m.rows {
		if ctx.Err() != nil {
			return false
		}
		if m.ofRow[i] < 0 {
			m.serve(i)
		}
	}
	return true
}

// bid is a quick start (augmenting row reduction of Jonker and Volgenant): row i takes the column that is best for it at a price
// that makes it as good as the second best, and the row that loses the column bids in turn. It gives up after a few rounds, or
// where there is no second best to set a price; serve does the rest. Prices and surpluses stay as they have to be.
func (m *matching) bid(i int) {
	const rounds = 48
	for range rounds {
		first, second, at := 0.0, math.Inf(-1), -1
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

// bound is an upper bound on the optimum by duality: with prices on the columns no row can do better than its surplus. It holds
// for any prices ≥ 0, so also when solve was interrupted.
func (m *matching) bound() float64 {
	total := 0.0
	for i := range m.ofRow {
		total += m.best(i)
	}
	for _, price := range m.price {
		total += price
	}
	return total
}

// best is a row's surplus at the current prices.
func (m *matching) best(i int) float64 {
	best := 0.0
	for j, w := range m.weight[i*m.columns : (i+1)*m.columns] {
		best = max(best, w-m.price[j])
	}
	return best
}

// serve brings row r in along a shortest augmenting path: to a free column, or to a row that becomes unmatched instead. Lengths
// are what the rows on the path lose.
func (m *matching) serve(r int) {
	m.surplus[r] = m.best(r)
	m.scanned, m.open = m.scanned[:0], m.open[:m.columns]
	for j := range m.open {
		m.open[j], m.dist[j] = j, math.Inf(1)
	}
	length, last, leaver := math.Inf(1), -1, -1 // the best end so far: a free column or a row that leaves
	row, reached := r, 0.0                      // a row on a final path, and its length
	for {
		base := reached + m.surplus[row]
		if base < length {
			length, last, leaver = base, -1, row
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
	m.surplus[r] -= length
	for _, j := range m.scanned {
		if rise := length - m.dist[j]; rise > 0 {
			m.price[j] += rise
			m.surplus[m.ofColumn[j]] -= rise
		}
	}
	m.augment(r, last, leaver)
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
