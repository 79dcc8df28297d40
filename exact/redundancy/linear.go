package redundancy

import "math"

// linearTolerance is the size below which a reduced cost or a pivot counts as zero; rows are scaled to 1.
const linearTolerance = 1e-10

// A linear program asks for the least cost·x for x ≥ 0 with rows of coefficients ≤ or = right sides, none of them
// negative. It is solved by the simplex method on a dense tableau, in two phases. Programs have some dozens of rows and
// columns.
type linear struct {
	cost  []float64
	coef  [][]float64
	right []float64
	equal []bool
}

func (l *linear) row(coef []float64, right float64, equal bool) {
	scale := 0.0
	for _, v := range coef {
		scale = max(scale, math.Abs(v))
	}
	if scale == 0 {
		scale = 1
	}
	scaled := make([]float64, len(coef))
	for j, v := range coef {
		scaled[j] = v / scale
	}
	l.coef, l.right, l.equal = append(l.coef, scaled), append(l.right, right/scale), append(l.equal, equal)
}

// solve returns the best x and its cost, false if no x meets the rows.
func (l *linear) solve() ([]float64, float64, bool) {
	n, m := len(l.cost), len(l.coef)
	width := n + m + 1
	t := simplex{cells: make([][]float64, m), basis: make([]int, m), banned: make([]bool, n+m)}
	// Each row begins with a column of its own: a slack, or in an equation an artificial one, which phase 1 drives to 0.
	artificial, size := make([]float64, width), 1.0
	for i := range t.cells {
		t.cells[i] = make([]float64, width)
		copy(t.cells[i], l.coef[i])
		t.cells[i][n+i], t.cells[i][width-1], t.basis[i] = 1, l.right[i], n+i
		size = max(size, l.right[i])
		if l.equal[i] {
			for j, v := range t.cells[i] {
				artificial[j] -= v
			}
			artificial[n+i] = 0
		}
	}
	t.cost = artificial
	t.solve()
	if -t.cost[width-1] > 1e-9*size {
		return nil, 0, false
	}
	for i, equal := range l.equal {
		t.banned[n+i] = equal
	}
	t.cost = make([]float64, width)
	copy(t.cost, l.cost)
	for i, b := range t.basis {
		if t.banned[b] { // at 0: another column takes its place, or the row says nothing
			for j := range n + m {
				if !t.banned[j] && math.Abs(t.cells[i][j]) > 1e-7 {
					t.pivot(i, j)
					break
				}
			}
		}
	}
	for i, b := range t.basis {
		t.eliminate(t.cost, i, t.cost[b])
	}
	t.solve()
	x := make([]float64, n)
	for i, b := range t.basis {
		if b < n {
			x[b] = max(0, t.cells[i][width-1])
		}
	}
	v := 0.0
	for j, c := range l.cost {
		v += c * x[j]
	}
	return x, v, true
}

type simplex struct {
	cells  [][]float64 // the last column is the right side
	cost   []float64
	basis  []int
	banned []bool

	support []int // columns in which the row of the last pivot is not 0
}

// solve pivots until no column has a negative cost: the most negative first, by Bland's rule once that seems to cycle.
func (t *simplex) solve() {
	last := len(t.cost) - 1
	for round := 0; ; round++ {
		in, least := -1, -linearTolerance
		for j := range last {
			if !t.banned[j] && t.cost[j] < least {
				in = j
				if round > 20*last {
					break
				}
				least = t.cost[j]
			}
		}
		if in < 0 || round > 1000*last {
			return
		}
		out, ratio := -1, math.Inf(1)
		for i, cells := range t.cells {
			if cells[in] <= linearTolerance {
				continue
			}
			if r := max(0, cells[last]) / cells[in]; r < ratio || r == ratio && t.basis[i] < t.basis[out] {
				out, ratio = i, r
			}
		}
		if out < 0 {
			return
		}
		t.pivot(out, in)
	}
}

func (t *simplex) pivot(i, j int) {
	p := t.cells[i][j]
	t.support = t.support[:0]
	for k, v := range t.cells[i] {
		if v != 0 {
			t.cells[i][k] = v / p
			t.support = append(t.support, k)
		}
	}
	for k := range t.cells {
		if k != i {
			t.reduce(t.cells[k], t.cells[i], t.cells[k][j])
		}
	}
	t.reduce(t.cost, t.cells[i], t.cost[j])
	t.basis[i] = j
}

// eliminate subtracts factor times row i.
func (t *simplex) eliminate(cells []float64, i int, factor float64) {
	if factor == 0 {
		return
	}
	for k, v := range t.cells[i] {
		cells[k] -= factor * v
	}
}

// reduce subtracts factor times the row of the last pivot.
func (t *simplex) reduce(cells, pivot []float64, factor float64) {
	if factor == 0 {
		return
	}
	for _, k := range t.support {
		cells[k] -= factor * pivot[k]
	}
}
