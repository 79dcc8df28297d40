package lp_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/exact/lp"
	"schedgap/models/trials/property"
)

// A program is min costs·x with x ≥ 0 and rows coef·x ≥ rhs, in whole numbers.
type program struct {
	costs []float64
	coef  [][]float64
	rhs   []float64
}

func drawProgram(t *rapid.T) (p program) {
	whole := func(from, to int) float64 { return float64(rapid.IntRange(from, to).Draw(t, "number")) }
	n, rows := rapid.IntRange(1, 4).Draw(t, "n"), rapid.IntRange(1, 7).Draw(t, "rows")
	for range n {
		p.costs = append(p.costs, whole(0, 5))
	}
	for range rows {
		coef := make([]float64, n)
		for j := range coef {
			coef[j] = whole(-3, 4)
		}
		p.coef, p.rhs = append(p.coef, coef), append(p.rhs, whole(-6, 6))
	}
	return p
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// vertex is the least value at a corner of the first rows, where n of the rows and x ≥ 0 are tight; +Inf: there is no point.
func (p program) vertex(rows int) float64 {
	n := len(p.costs)
	coef, rhs := append([][]float64{}, p.coef[:rows]...), append([]float64{}, p.rhs[:rows]...)
	for j := range n {
		unit := make([]float64, n)
		unit[j] = 1
		coef, rhs = append(coef, unit), append(rhs, 0)
	}
	best := math.Inf(1)
	var choose func(from int, tight []int)
	choose = func(from int, tight []int) {
		if len(tight) < n {
			for i := from; i < len(coef); i++ {
				choose(i+1, append(tight[:len(tight):len(tight)], i))
			}
			return
		}
		x := solve(coef, rhs, tight)
		for i := range coef {
			if x == nil || dot(coef[i], x) < rhs[i]-1e-9 {
				return
			}
		}
		best = min(best, dot(p.costs, x))
	}
	choose(0, nil)
	return best
}

// solve is the point at which rows are tight; nil: there is none, or more than one.
func solve(coef [][]float64, rhs []float64, tight []int) []float64 {
	n := len(tight)
	m := make([][]float64, n)
	for i, r := range tight {
		m[i] = append(append([]float64{}, coef[r]...), rhs[r])
	}
	for c := range n {
		p := c
		for i := c; i < n; i++ {
			if math.Abs(m[i][c]) > math.Abs(m[p][c]) {
				p = i
			}
		}
		if math.Abs(m[p][c]) < 1e-9 {
			return nil
		}
		m[c], m[p] = m[p], m[c]
		for i := range m {
			if f := m[i][c] / m[c][c]; i != c {
				for k := range m[i] {
					m[i][k] -= f * m[c][k]
				}
			}
		}
	}
	x := make([]float64, n)
	for c := range n {
		x[c] = m[c][n] / m[c][c]
	}
	return x
}

// TestPrograms: random programs, rows in two batches with pivots between, against the least corner. The multipliers prove the value or
// that there is no point, clones are apart, and what is pruned was not tight.
func TestPrograms(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		for range 32 {
			drawProgram(t).inBatches(t)
		}
	})
}

func (p program) inBatches(t *rapid.T) {
	first := rapid.IntRange(0, len(p.rhs)).Draw(t, "first")
	d := lp.New[int](p.costs)
	add := func(d *lp.Program[int], from, to int) {
		for i := from; i < to; i++ {
			d.Add(p.coef[i], p.rhs[i], i%2 == 0, i)
		}
	}
	add(d, 0, first)
	if !p.ends(t, d, first) {
		return
	}
	value := d.Value
	if end := d.Optimize(context.Background(), value); end != lp.CutOff {
		t.Fatalf("at the cutoff it ends as %v", end)
	}
	d.Prune()
	p.holds(t, d, first)
	if e := d.Fresh(); e.Optimize(context.Background(), math.Inf(1)) != lp.Solved || math.Abs(e.Value-value) > 1e-9 {
		t.Fatalf("the rows that are left are worth %v, all are %v", e.Value, value)
	}
	e := d.Clone()
	add(e, first, len(p.rhs))
	// Rows that were pruned return.
	add(e, 0, first)
	e.Optimize(context.Background(), math.Inf(1))
	p.holds(t, d, first)
	add(d, first, len(p.rhs))
	add(d, 0, first)
	if p.ends(t, d, len(p.rhs)) && d.Value > value+1e-6 {
		d = lp.New[int](p.costs)
		add(d, 0, len(p.rhs))
		cutoff := d.Value + (value+1e-6)/2
		if end := d.Optimize(context.Background(), cutoff); end != lp.CutOff || d.Value < cutoff {
			t.Fatalf("at %v of cutoff %v it ends as %v", d.Value, cutoff, end)
		}
	}
}

// ends optimizes a program of the first rows and reports whether there is a point.
func (p program) ends(t *rapid.T, d *lp.Program[int], rows int) bool {
	want := p.vertex(rows)
	end := d.Optimize(context.Background(), math.Inf(1))
	if math.IsInf(want, 1) {
		if end != lp.NoPoint {
			t.Fatalf("ends as %v at %v, and there is no point", end, d.Value)
		}
		rhs, left := 0.0, make([]float64, len(p.costs))
		for _, m := range d.Multipliers(true) {
			rhs += m.Y * m.Rhs
			for j, a := range m.Coef {
				left[j] += m.Y * a
			}
		}
		for _, v := range left {
			if v > 1e-7 || rhs < 1e-7 {
				t.Fatalf("the multipliers say %v·x ≥ %v", left, rhs)
			}
		}
		return false
	}
	if end != lp.Solved || math.Abs(d.Value-want) > 1e-9*(1+math.Abs(want)) {
		t.Fatalf("ends as %v at %v, want %v", end, d.Value, want)
	}
	p.holds(t, d, rows)
	return true
}

// holds checks a solved program: its point, the multipliers as a proof, and bounds with one more row x_j ≥ 0 or −x_j ≥ 0, which take
// m·x_j from the value or add it as long as m keeps all reduced costs.
func (p program) holds(t *rapid.T, d *lp.Program[int], rows int) {
	n := len(p.costs)
	x, most := make([]float64, n), make([]float64, n)
	for j := range x {
		x[j], most[j] = d.X(j), 1000
	}
	for i := range rows {
		if dot(p.coef[i], x) < p.rhs[i]-1e-6 {
			t.Fatalf("row %d does not hold at %v", i, x)
		}
	}
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-7*(1+math.Abs(want)) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
	near("costs of the point", dot(p.costs, x), d.Value)
	proven, reduced := 0.0, append([]float64{}, p.costs...)
	for _, m := range d.Multipliers(false) {
		near("the row of a multiplier", m.Rhs, p.rhs[m.Tag])
		if m.Y <= 0 {
			t.Fatalf("row %d has the multiplier %v", m.Tag, m.Y)
		}
		proven += m.Y * m.Rhs
		for j, a := range m.Coef {
			reduced[j] -= m.Y * a
		}
	}
	near("what the multipliers prove", proven, d.Value)
	near("the bound", d.Bound(most), d.Value)
	row := make([]float64, n)
	for j := range n {
		near("a reduced cost", d.Reduced(j), max(0, reduced[j]))
		for _, sign := range []float64{1, -1} {
			extra := make([]float64, n)
			extra[j] = sign
			d.Express(j, sign, row)
			ratio := d.Ratio(row)
			for _, m := range []float64{ratio, ratio / 2} {
				near("a bound with one more row", d.BoundWith(row, m, extra, most), d.Value-m*sign*x[j])
			}
		}
	}
}
