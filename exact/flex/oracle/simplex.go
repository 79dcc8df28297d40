package oracle

import "math/big"

// A linear program: minimise Σ cost·x over x ≥ 0 under the rows. Coefficients that are absent are 0.
type linear struct {
	cost map[int]*big.Rat
	rows []linearRow
	size int // number of variables
}

// A linearRow is Σ coef·x ≤ rhs, or = rhs.
type linearRow struct {
	coef  map[int]*big.Rat
	rhs   *big.Rat
	equal bool
}

func (p *linear) variable() int {
	p.size++
	return p.size - 1
}

func (p *linear) atMost(rhs *big.Rat, coef map[int]*big.Rat) {
	p.rows = append(p.rows, linearRow{coef, rhs, false})
}

func (p *linear) equals(rhs *big.Rat, coef map[int]*big.Rat) {
	p.rows = append(p.rows, linearRow{coef, rhs, true})
}

// solve returns an optimal x and its cost; ok is false if there is none, because no x is feasible or because the cost has
// no lower bound. Two-phase simplex, Bland's rule.
func (p *linear) solve() (x []*big.Rat, cost *big.Rat, ok bool) {
	t := p.tableau()
	infeasibility, costs := len(t.a)-1, len(t.a)-2
	if !t.minimise(infeasibility) || t.a[infeasibility][t.width].Sign() != 0 {
		return nil, nil, false
	}
	t.expelArtificials()
	if !t.minimise(costs) {
		return nil, nil, false
	}
	x = make([]*big.Rat, p.size)
	for j := range x {
		x[j] = new(big.Rat)
	}
	cost = new(big.Rat)
	for i, j := range t.basis {
		if j < p.size {
			x[j].SetFrac(t.a[i][t.width], t.denom)
			if c := p.cost[j]; c != nil {
				cost = add(cost, mul(c, x[j]))
			}
		}
	}
	return x, cost, true
}

// A tableau holds integers over one common denominator, the last pivot: all of them are minors of the initial integer
// matrix, so the division after each pivot is exact (Edmonds; Bareiss) and no fraction is ever reduced. The rows are the
// program's, then the reduced costs of the objective, then those of the sum of the artificial variables. The columns are
// variables and slacks, then the right-hand side. Artificial variables need no columns, since none enters again: a basis
// entry of width or more stands for one.
type tableau struct {
	a     [][]*big.Int
	basis []int
	denom *big.Int
	width int
}

func (p *linear) tableau() *tableau {
	t := &tableau{denom: big.NewInt(1), width: p.size}
	for _, r := range p.rows {
		if !r.equal {
			t.width++
		}
	}
	infeasibility := t.row(nil, nil)
	slack := p.size
	for i, r := range p.rows {
		a := t.row(r.coef, r.rhs)
		basic := t.width + i
		if !r.equal {
			a[slack].SetInt64(1)
			if r.rhs.Sign() >= 0 {
				basic = slack
			}
			slack++
		}
		if r.rhs.Sign() < 0 {
			negate(a)
		}
		if basic >= t.width {
			for k := range a {
				infeasibility[k].Sub(infeasibility[k], a[k])
			}
		}
		t.a, t.basis = append(t.a, a), append(t.basis, basic)
	}
	t.a = append(t.a, t.row(p.cost, nil), infeasibility)
	return t
}

// row scales coefficients and right-hand side to integers.
func (t *tableau) row(coef map[int]*big.Rat, rhs *big.Rat) []*big.Int {
	scale := big.NewInt(1)
	common := func(q *big.Rat) {
		g := new(big.Int).GCD(nil, nil, scale, q.Denom())
		scale.Mul(scale, g.Quo(q.Denom(), g))
	}
	a := make([]*big.Int, t.width+1)
	for k := range a {
		a[k] = new(big.Int)
	}
	if rhs == nil {
		rhs = new(big.Rat)
	}
	common(rhs)
	for _, q := range coef {
		common(q)
	}
	set := func(k int, q *big.Rat) { a[k].Mul(q.Num(), new(big.Int).Quo(scale, q.Denom())) }
	for k, q := range coef {
		set(k, q)
	}
	set(t.width, rhs)
	return a
}

func negate(a []*big.Int) {
	for _, v := range a {
		v.Neg(v)
	}
}

// minimise pivots until no reduced cost in row z is negative. It is false if the minimum has no lower bound.
func (t *tableau) minimise(z int) bool {
	for {
		c := 0
		for c < t.width && t.a[z][c].Sign() >= 0 {
			c++
		}
		if c == t.width {
			return true
		}
		r := -1
		var one, other big.Int
		for i := range t.basis {
			if t.a[i][c].Sign() <= 0 {
				continue
			}
			if r < 0 {
				r = i
				continue
			}
			one.Mul(t.a[i][t.width], t.a[r][c])
			other.Mul(t.a[r][t.width], t.a[i][c])
			if d := one.Cmp(&other); d < 0 || d == 0 && t.basis[i] < t.basis[r] {
				r = i
			}
		}
		if r < 0 {
			return false
		}
		t.pivot(r, c)
	}
}

// expelArtificials takes artificial variables, all 0 by now, out of the basis. One that cannot leave stands in a row that
// follows from the others and stays 0.
func (t *tableau) expelArtificials() {
	for r, j := range t.basis {
		if j < t.width {
			continue
		}
		for c := range t.width {
			if t.a[r][c].Sign() != 0 {
				if t.a[r][c].Sign() < 0 {
					negate(t.a[r])
				}
				t.pivot(r, c)
				break
			}
		}
	}
}

// pivot makes column c basic in row r, where it is positive.
func (t *tableau) pivot(r, c int) {
	p := new(big.Int).Set(t.a[r][c])
	var f, product big.Int
	for i, row := range t.a {
		if i == r {
			continue
		}
		f.Set(row[c])
		for k, v := range row {
			if v.Sign() != 0 {
				v.Mul(v, p)
			}
			if f.Sign() != 0 && t.a[r][k].Sign() != 0 {
				v.Sub(v, product.Mul(&f, t.a[r][k]))
			}
			if v.Sign() != 0 {
				v.Quo(v, t.denom)
			}
		}
	}
	t.basis[r], t.denom = c, p
}
