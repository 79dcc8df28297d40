package oracle

import "math/big"

// A program is a linear one: least cost·x for x ≥ 0 with rows of ≤ or =, right sides not negative, by the simplex method
// of two phases with Bland's rule.
type program struct {
	cost []*big.Rat
	rows []row
}

type row struct {
	coef  map[int]*big.Rat
	equal bool
	right *big.Rat
}

func newProgram(columns int) *program {
	p := &program{cost: make([]*big.Rat, columns)}
	for j := range p.cost {
		p.cost[j] = new(big.Rat)
	}
	return p
}

func (p *program) row(coef map[int]*big.Rat, equal bool, right *big.Rat) {
	p.rows = append(p.rows, row{coef, equal, right})
}

// minimum returns the least cost, false if no x satisfies the rows. It must be bounded.
func (p *program) minimum() (*big.Rat, bool) {
	n, m := len(p.cost), len(p.rows)
	// Every row has a column of its own to begin with: a slack or, in an equation, an artificial one.
	t := &tableau{cells: make([][]*big.Rat, m), basis: make([]int, m), usable: n + m}
	artificial := make([]*big.Rat, n+m+1)
	for j := range artificial {
		artificial[j] = new(big.Rat)
	}
	for i, r := range p.rows {
		t.cells[i] = make([]*big.Rat, n+m+1)
		for j := range t.cells[i] {
			t.cells[i][j] = new(big.Rat)
		}
		for j, v := range r.coef {
			t.cells[i][j].Set(v)
		}
		t.cells[i][n+i].SetInt64(1)
		t.cells[i][n+m].Set(r.right)
		t.basis[i] = n + i
		if r.equal {
			for j, v := range t.cells[i] {
				if j != n+i {
					artificial[j].Sub(artificial[j], v)
				}
			}
		}
	}
	t.cost = artificial
	t.solve()
	if t.cost[n+m].Sign() != 0 {
		return nil, false
	}
	t.banned = make([]bool, n+m)
	for i, r := range p.rows {
		t.banned[n+i] = r.equal
	}
	cost := make([]*big.Rat, n+m+1)
	for j := range cost {
		cost[j] = new(big.Rat)
		if j < n {
			cost[j].Set(p.cost[j])
		}
	}
	for i, b := range t.basis {
		if t.banned[b] { // at 0: let any other column take its place, or the row says nothing
			for j := range n + m {
				if !t.banned[j] && t.cells[i][j].Sign() != 0 {
					t.pivot(i, j)
					break
				}
			}
		}
	}
	for i, b := range t.basis {
		eliminate(cost, t.cells[i], new(big.Rat).Set(cost[b]))
	}
	t.cost = cost
	t.solve()
	return new(big.Rat).Neg(t.cost[n+m]), true
}

type tableau struct {
	cells  [][]*big.Rat // the last column is the right side
	cost   []*big.Rat
	basis  []int
	usable int
	banned []bool
}

// solve pivots until no column has a negative cost.
func (t *tableau) solve() {
	for {
		in := -1
		for j := range t.usable {
			if t.cost[j].Sign() < 0 && (t.banned == nil || !t.banned[j]) {
				in = j
				break
			}
		}
		if in < 0 {
			return
		}
		out, ratio := -1, new(big.Rat)
		for i, cells := range t.cells {
			if cells[in].Sign() <= 0 {
				continue
			}
			r := new(big.Rat).Quo(cells[t.usable], cells[in])
			if c := r.Cmp(ratio); out < 0 || c < 0 || c == 0 && t.basis[i] < t.basis[out] {
				out, ratio = i, r
			}
		}
		t.pivot(out, in)
	}
}

func (t *tableau) pivot(i, j int) {
	inverse := new(big.Rat).Inv(t.cells[i][j])
	for _, v := range t.cells[i] {
		if v.Sign() != 0 {
			v.Mul(v, inverse)
		}
	}
	for k := range t.cells {
		if k != i {
			eliminate(t.cells[k], t.cells[i], new(big.Rat).Set(t.cells[k][j]))
		}
	}
	eliminate(t.cost, t.cells[i], new(big.Rat).Set(t.cost[j]))
	t.basis[i] = j
}

// eliminate subtracts factor times the pivot row.
func eliminate(cells, pivot []*big.Rat, factor *big.Rat) {
	if factor.Sign() == 0 {
		return
	}
	for j, v := range pivot {
		if v.Sign() != 0 {
			cells[j].Sub(cells[j], new(big.Rat).Mul(factor, v))
		}
	}
}
