package flex

import (
	"context"
	"math"
	"slices"
)

// A dictionary is a linear program, min c·x with x ≥ 0 and rows a·x ≥ b, c ≥ 0, in the form that the dual simplex method
// keeps: basic variables and the objective as functions of the nonbasic ones. Rows are added as they are found to be
// violated, and a copy goes on from where its original stopped; that, and a size of a few dozen rows, is why a solver
// library is not asked.
type dictionary struct {
	n        int    // structural variables, 0..n-1; slacks count on from there
	lasting  []bool // of each slack given out so far: whether prune must leave its row
	rows     []row  // of each slack given out so far: what was added
	costs    []float64
	a        []float64
	b        []float64 // values of the basic variables
	c        []float64 // reduced costs, ≥ 0
	value    float64
	basic    []int
	nonbasic []int
	where    []int // of structural variables: row, or −1−column
}

// A row is coef·x ≥ rhs.
type row struct {
	coef   []float64
	rhs    float64
	origin *rowOrigin
}

// A rowOrigin says what makes a row valid: a line of a proof, or that job i completes no later than j. A row of coefficients
// that were divided has a multiplier of unit times as much in the proof. Nil: the ranges of the variables do, or no proof is
// written.
type rowOrigin struct {
	line any
	i, j int
	unit float64
}

// pivotTolerance is the most that a basic variable may be negative, in units that the caller has scaled to about 1.
const pivotTolerance = 1e-11

// leastPivot is the least size of a pivot: what is less may be what rounding left of 0, and dividing by it would make numbers
// of nothing. A row without one cannot hold if it is violated by more than noPointTolerance, which is more than all that is
// so small could mend.
const (
	leastPivot       = 1e-9
	noPointTolerance = 1e-7
)

func newDictionary(costs []float64) *dictionary {
	n := len(costs)
	d := &dictionary{n: n, costs: slices.Clone(costs), c: slices.Clone(costs), nonbasic: make([]int, n), where: make([]int, n)}
	for j := range n {
		d.nonbasic[j], d.where[j] = j, -1-j
	}
	return d
}

func (d *dictionary) clone() *dictionary {
	e := *d
	e.a, e.b, e.c = slices.Clone(d.a), slices.Clone(d.b), slices.Clone(d.c)
	e.basic, e.nonbasic, e.where = slices.Clone(d.basic), slices.Clone(d.nonbasic), slices.Clone(d.where)
	e.lasting, e.rows = slices.Clip(d.lasting), slices.Clip(d.rows)
	return &e
}

// x is the value of structural variable j.
func (d *dictionary) x(j int) float64 {
	if r := d.where[j]; r >= 0 {
		return d.b[r]
	}
	return 0
}

// add appends the row coef·x ≥ rhs. A row that is not lasting may be dropped by prune, to be found again when it matters.
func (d *dictionary) add(coef []float64, rhs float64, lasting bool) {
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
	d.rows = append(d.rows, row{coef: slices.Clone(coef), rhs: rhs})
	d.b = append(d.b, value)
	d.basic = append(d.basic, d.n+len(d.lasting))
	d.lasting = append(d.lasting, lasting)
}

// from says what the row is that was added last.
func (d *dictionary) from(o *rowOrigin) { d.rows[len(d.rows)-1].origin = o }

// prune drops rows that are far from tight and not lasting.
func (d *dictionary) prune() {
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

// An ending says how optimize stopped; in every case the value is a valid lower bound.
type ending int8

const (
	solved    ending = iota // the rows hold
	cutOff                  // the value has reached the cutoff
	noPoint                 // no x satisfies the rows
	exhausted               // out of pivots or time: the rows may not hold
)

// optimize runs the dual simplex method until the rows hold, the value has reached cutoff, or ctx ends.
func (d *dictionary) optimize(ctx context.Context, cutoff float64) ending {
	for iter := 0; ; iter++ {
		if d.value >= cutoff {
			return cutOff
		}
		if iter%4 == 3 && ctx.Err() != nil {
			return exhausted
		}
		// The most violated row is the quickest way; Bland's rule, the first variable, ends a cycle, should there be one.
		bland := iter > 50*(d.n+10)
		if iter > 1000*(d.n+10) {
			return exhausted
		}
		r, worst := -1, -pivotTolerance
		for i, v := range d.b {
			if bland && v < -pivotTolerance && (r < 0 || d.basic[i] < d.basic[r]) || !bland && v < worst {
				r, worst = i, v
			}
		}
		if r < 0 {
			return solved
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
				return noPoint
			}
			d.b[r] = 0 // by rounding: without the row the value is a bound all the same
			continue
		}
		d.pivot(r, e)
	}
}

func (d *dictionary) pivot(r, e int) {
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
		d.value += f * value
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

// bound is a bound on the program for x ≤ most, from the rows as they were added and their multipliers: what pivots have
// rounded on the way is not in it.
func (d *dictionary) bound(most []float64) float64 { return d.boundWith(nil, 0, nil, most) }

// boundWith is the bound with one more row, extra·x ≥ 0, which is row in the nonbasic variables, at a multiplier; nil: none.
func (d *dictionary) boundWith(row []float64, multiplier float64, extra, most []float64) float64 {
	reduced := slices.Clone(d.costs)
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
		value += m * d.rows[v-d.n].rhs
		for j, a := range d.rows[v-d.n].coef {
			reduced[j] -= m * a
		}
	}
	for j, v := range reduced {
		value += min(0, v) * most[j]
	}
	return value
}

// fresh is the program with the rows that d still has, before any pivot.
func (d *dictionary) fresh() *dictionary {
	e := newDictionary(d.costs)
	for _, list := range [][]int{d.basic, d.nonbasic} {
		for _, v := range list {
			if v >= d.n {
				e.add(d.rows[v-d.n].coef, d.rows[v-d.n].rhs, d.lasting[v-d.n])
				e.from(d.rows[v-d.n].origin)
			}
		}
	}
	return e
}

// A multiplier is one of a row.
type multiplier struct {
	row
	y float64
}

// multipliers are those above 0 of the rows that a proof knows, at the present basis or, after optimize found no point, such
// as have the rows contradict x ≥ 0.
func (d *dictionary) multipliers(empty bool) (list []multiplier) {
	add := func(v int, y float64) {
		if v >= d.n && y > 0 && d.rows[v-d.n].origin != nil {
			list = append(list, multiplier{d.rows[v-d.n], y})
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
