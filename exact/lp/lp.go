package lp

import (
	"context"
	"math"
	"slices"
)

// A Program is min c·x with x ≥ 0 and rows a·x ≥ b, c ≥ 0, as a dictionary: basic variables and the objective as functions of the
// nonbasic ones. Rows are tagged with what their user knows them by.
type Program[T any] struct {
	Costs []float64 // c
	Value float64   // of the present dictionary: a lower bound on the program's at any time

	n        int      // structural variables, 0..n-1; slacks count on from there
	lasting  []bool   // of each slack given out so far: whether Prune must leave its row
	rows     []Row[T] // of each slack given out so far: the row that was added
	a        []float64
	b        []float64 // values of the basic variables
	c        []float64 // reduced costs, ≥ 0
	basic    []int
	nonbasic []int
	where    []int // of structural variables: row, or −1−column
}

// A Row is Coef·x ≥ Rhs.
type Row[T any] struct {
	Coef []float64
	Rhs  float64
	Tag  T
}

// PivotTolerance is the most that a basic variable may be negative, in units that the caller has scaled to about 1.
const PivotTolerance = 1e-11

// leastPivot is the least size of a pivot: a smaller number may be a rounding error of 0, and dividing by it would make numbers
// of nothing. A row without one cannot hold if it is violated by more than noPointTolerance, which is more than all that is
// so small could mend.
const (
	leastPivot       = 1e-9
	noPointTolerance = 1e-7
)

// New returns a program without rows.
func New[T any](costs []float64) *Program[T] {
	n := len(costs)
	d := &Program[T]{n: n, Costs: slices.Clone(costs), c: slices.Clone(costs), nonbasic: make([]int, n), where: make([]int, n)}
	for j := range n {
		d.nonbasic[j], d.where[j] = j, -1-j
	}
	return d
}

func (d *Program[T]) Clone() *Program[T] {
	e := *d
	e.a, e.b, e.c = slices.Clone(d.a), slices.Clone(d.b), slices.Clone(d.c)
	e.basic, e.nonbasic, e.where = slices.Clone(d.basic), slices.Clone(d.nonbasic), slices.Clone(d.where)
	e.lasting, e.rows = slices.Clip(d.lasting), slices.Clip(d.rows)
	return &e
}

// X is the value of structural variable j.
func (d *Program[T]) X(j int) float64 {
	if r := d.where[j]; r >= 0 {
		return d.b[r]
	}
	return 0
}

// Add appends the row coef·x ≥ rhs. A row that is not lasting may be dropped by Prune, to be found again when it matters.
func (d *Program[T]) Add(coef []float64, rhs float64, lasting bool, tag T) {
	end := len(d.a)
	d.a = slices.Grow(d.a, d.n)[:end+d.n]
	in := d.a[end:]
	clear(in)
	value := -rhs
	for j, v := range coef {
		if v == 0 {
			continue
		}
		if r := d.where[j]; r >= 0 {
			value += v * d.b[r]
			for k, a := range d.a[r*d.n : (r+1)*d.n] {
				in[k] += v * a
			}
		} else {
			in[-1-r] += v
		}
	}
	d.rows = append(d.rows, Row[T]{slices.Clone(coef), rhs, tag})
	d.b = append(d.b, value)
	d.basic = append(d.basic, d.n+len(d.lasting))
	d.lasting = append(d.lasting, lasting)
}

// Prune drops rows that are far from tight and not lasting.
func (d *Program[T]) Prune() {
	keep := 0
	for r, v := range d.basic {
		if v >= d.n && !d.lasting[v-d.n] && d.b[r] > 1e-6 {
			continue
		}
		if keep != r {
			copy(d.a[keep*d.n:(keep+1)*d.n], d.a[r*d.n:(r+1)*d.n])
			d.b[keep], d.basic[keep] = d.b[r], v
		}
		if v < d.n {
			d.where[v] = keep
		}
		keep++
	}
	d.a, d.b, d.basic = d.a[:keep*d.n], d.b[:keep], d.basic[:keep]
}

// An Ending says how Optimize stopped; in every case the value is a valid lower bound.
type Ending int8

const (
	Solved    Ending = iota // the rows hold
	CutOff                  // the value has reached the cutoff
	NoPoint                 // no x satisfies the rows
	Exhausted               // out of pivots or time: the rows may not hold
)

// Optimize runs the dual simplex method until the rows hold, the value has reached cutoff, or ctx ends.
func (d *Program[T]) Optimize(ctx context.Context, cutoff float64) Ending {
	for iter := 0; ; iter++ {
		if d.Value >= cutoff {
			return CutOff
		}
		if iter%4 == 3 && ctx.Err() != nil {
			return Exhausted
		}
		// The most violated row is the quickest way; Bland's rule, the first variable, ends a cycle, should there be one.
		bland := iter > 50*(d.n+10)
		if iter > 1000*(d.n+10) {
			return Exhausted
		}
		r, worst := -1, -PivotTolerance
		for i, v := range d.b {
			if bland && v < -PivotTolerance && (r < 0 || d.basic[i] < d.basic[r]) || !bland && v < worst {
				r, worst = i, v
			}
		}
		if r < 0 {
			return Solved
		}
		row := d.a[r*d.n : (r+1)*d.n]
		e, best := -1, math.Inf(1)
		for k, a := range row {
			if a <= leastPivot {
				continue
			}
			ratio := d.c[k] / a
			if ratio < best || ratio == best && (bland && d.nonbasic[k] < d.nonbasic[e] || !bland && a > row[e]) {
				e, best = k, ratio
			}
		}
		if e < 0 {
			if d.b[r] < -noPointTolerance {
				return NoPoint
			}
			d.b[r] = 0 // by rounding: without the row the value is a bound all the same
			continue
		}
		d.pivot(r, e)
	}
}

func (d *Program[T]) pivot(r, e int) {
	row := d.a[r*d.n : (r+1)*d.n]
	inv := 1 / row[e]
	value := -d.b[r] * inv
	for k := range row {
		row[k] *= -inv
	}
	row[e] = inv
	d.b[r] = value
	for i := range d.b {
		if i == r {
			continue
		}
		other := d.a[i*d.n : (i+1)*d.n]
		f := other[e]
		if f == 0 {
			continue
		}
		other[e] = 0
		for k, v := range row {
			other[k] += f * v
		}
		d.b[i] += f * value
	}
	if f := d.c[e]; f != 0 {
		d.c[e] = 0
		for k, v := range row {
			d.c[k] = max(0, d.c[k]+f*v)
		}
		d.Value += f * value
	}
	in, out := d.nonbasic[e], d.basic[r]
	d.nonbasic[e], d.basic[r] = out, in
	if in < d.n {
		d.where[in] = r
	}
	if out < d.n {
		d.where[out] = -1 - e
	}
}

// Bound is a bound on the program for x ≤ most, from the rows as they were added and their multipliers: what pivots have
// rounded on the way is not in it.
func (d *Program[T]) Bound(most []float64) float64 { return d.BoundWith(nil, 0, nil, most) }

// BoundWith is the bound with one more row, extra·x ≥ 0, which is row in the nonbasic variables, at a multiplier; nil: none.
func (d *Program[T]) BoundWith(row []float64, multiplier float64, extra, most []float64) float64 {
	reduced := slices.Clone(d.Costs)
	for j, v := range extra {
		reduced[j] -= multiplier * v
	}
	value := 0.0
	for k, v := range d.nonbasic {
		m := d.c[k]
		if row != nil {
			m -= multiplier * row[k]
		}
		if v < d.n || m <= 0 {
			continue
		}
		value += m * d.rows[v-d.n].Rhs
		for j, a := range d.rows[v-d.n].Coef {
			reduced[j] -= m * a
		}
	}
	for j, v := range reduced {
		value += min(0, v) * most[j]
	}
	return value
}

// Fresh is the program with the rows that d still has, before any pivot.
func (d *Program[T]) Fresh() *Program[T] {
	e := New[T](d.Costs)
	for _, list := range [][]int{d.basic, d.nonbasic} {
		for _, v := range list {
			if v >= d.n {
				row := &d.rows[v-d.n]
				e.Add(row.Coef, row.Rhs, d.lasting[v-d.n], row.Tag)
			}
		}
	}
	return e
}

// A Multiplier is a row with its multiplier Y.
type Multiplier[T any] struct {
	Row[T]
	Y float64
}

// Multipliers are those above 0 at the present basis or, after Optimize found no point, such as have the rows contradict x ≥ 0.
func (d *Program[T]) Multipliers(empty bool) (list []Multiplier[T]) {
	add := func(v int, y float64) {
		if v >= d.n && y > 0 {
			list = append(list, Multiplier[T]{d.rows[v-d.n], y})
		}
	}
	if !empty {
		for k, v := range d.nonbasic {
			add(v, d.c[k])
		}
		return list
	}
	best, worst := -1, 0.0
	for r, b := range d.b {
		if b < worst && !slices.ContainsFunc(d.a[r*d.n:(r+1)*d.n], func(a float64) bool { return a > leastPivot }) {
			best, worst = r, b
		}
	}
	if best < 0 {
		return nil
	}
	add(d.basic[best], 1)
	for k, a := range d.a[best*d.n : (best+1)*d.n] {
		add(d.nonbasic[k], -a)
	}
	return list
}

// Reduced is the reduced cost of structural variable j, 0 if it is basic.
func (d *Program[T]) Reduced(j int) float64 {
	if k := d.where[j]; k < 0 {
		return d.c[-1-k]
	}
	return 0
}

// Express fills row with sign times structural variable j as a function of the nonbasic variables, its value left out.
func (d *Program[T]) Express(j int, sign float64, row []float64) {
	clear(row)
	r := d.where[j]
	if r < 0 {
		row[-1-r] = sign
		return
	}
	for k, v := range d.a[r*d.n : (r+1)*d.n] {
		row[k] = sign * v
	}
}

// Ratio is the largest multiplier that a row, given in the nonbasic variables, may have; 0: none, or any.
func (d *Program[T]) Ratio(row []float64) float64 {
	rho := math.Inf(1)
	for k, a := range row {
		if a > leastPivot && d.c[k] < rho*a {
			rho = d.c[k] / a
		}
	}
	if math.IsInf(rho, 1) {
		return 0
	}
	return rho
}
