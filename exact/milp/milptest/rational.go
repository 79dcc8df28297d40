package milptest

import (
	"bufio"
	"bytes"
	"fmt"
	"math/big"
	"strings"
)

// A Rational is a minimisation that was read from an MPS file with every number as the decimal that stands there.
type Rational struct {
	Cols []RationalCol
	Rows []RationalRow
}

// A RationalCol is a column; a nil bound is none.
type RationalCol struct {
	Name    string
	Lo, Hi  *big.Rat
	Cost    *big.Rat
	Integer bool
}

// A RationalRow is Σ Coef·x ≤, = or ≥ RHS by its letter L, E or G.
type RationalRow struct {
	Name string
	Kind byte
	RHS  *big.Rat
	Coef map[int]*big.Rat
}

// ReadExact reads what milp.WriteMPS writes exactly; ranges are none of it.
func ReadExact(file []byte) (*Rational, error) {
	m := &Rational{}
	rows, cols := map[string]int{}, map[string]int{}
	section, integer := "", false
	lines := bufio.NewScanner(bytes.NewReader(file))
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		line := lines.Text()
		if strings.HasPrefix(line, "*") {
			continue
		}
		f := strings.Fields(line)
		if !strings.HasPrefix(line, " ") {
			section = f[0]
			continue
		}
		var v *big.Rat
		if section != "ROWS" && len(f) >= 3 && !strings.HasPrefix(f[1], "'") {
			var ok bool
			if v, ok = new(big.Rat).SetString(f[len(f)-1]); !ok && f[0] != "BV" && f[0] != "FR" && f[0] != "MI" && f[0] != "PL" {
				return nil, fmt.Errorf("%q ends with no number", line)
			}
		}
		switch section {
		case "ROWS":
			if f[0] != "N" {
				rows[f[1]] = len(m.Rows)
				m.Rows = append(m.Rows, RationalRow{f[1], f[0][0], new(big.Rat), map[int]*big.Rat{}})
			}
		case "COLUMNS":
			if f[1] == "'MARKER'" {
				integer = f[2] == "'INTORG'"
				continue
			}
			j, known := cols[f[0]]
			if !known {
				j = len(m.Cols)
				cols[f[0]] = j
				m.Cols = append(m.Cols, RationalCol{Name: f[0], Lo: new(big.Rat), Cost: new(big.Rat), Integer: integer})
			}
			if f[1] == "obj" {
				m.Cols[j].Cost = v
			} else {
				m.Rows[rows[f[1]]].Coef[j] = v
			}
		case "RHS":
			m.Rows[rows[f[1]]].RHS = v
		case "BOUNDS":
			c := &m.Cols[cols[f[2]]]
			switch f[0] {
			case "FX":
				c.Lo, c.Hi = v, v
			case "FR":
				c.Lo, c.Hi = nil, nil
			case "BV":
				c.Hi = big.NewRat(1, 1)
			case "MI":
				c.Lo = nil
			case "LO", "LI":
				c.Lo = v
			case "UP", "UI":
				c.Hi = v
			case "PL":
			default:
				return nil, fmt.Errorf("%q is no bound", line)
			}
		default:
			return nil, fmt.Errorf("%q stands in section %q", line, section)
		}
	}
	return m, nil
}

// Complete is the least objective of the points whose integer columns are those of x; nil: there is none, exactly. It is the
// simplex method in rationals, for small models.
func (m *Rational) Complete(x []float64) *big.Rat {
	s := &rationalSimplex{}
	lo, hi := make([]*big.Rat, len(m.Cols)), make([]*big.Rat, len(m.Cols))
	for j, c := range m.Cols {
		lo[j], hi[j] = c.Lo, c.Hi
		if c.Integer {
			v := new(big.Rat).SetFloat64(x[j])
			if !v.IsInt() || c.Lo != nil && v.Cmp(c.Lo) < 0 || c.Hi != nil && v.Cmp(c.Hi) > 0 {
				return nil
			}
			lo[j], hi[j] = v, v
		}
	}
	constant := new(big.Rat)
	add := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
	times := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	neg := func(a *big.Rat) *big.Rat { return new(big.Rat).Neg(a) }
	fixed := func(j int) bool { return lo[j] != nil && hi[j] != nil && lo[j].Cmp(hi[j]) == 0 }
	// Rows of one open column are bounds.
	for changed := true; changed; {
		changed = false
		for _, r := range m.Rows {
			rest, open := new(big.Rat).Set(r.RHS), -1
			for j, a := range r.Coef {
				switch {
				case fixed(j):
					rest.Sub(rest, times(a, lo[j]))
				case open == -1:
					open = j
				default:
					open = -2
				}
			}
			if open < 0 {
				continue
			}
			bound := new(big.Rat).Quo(rest, r.Coef[open])
			upper := (r.Kind == 'L') == (r.Coef[open].Sign() > 0)
			if (upper || r.Kind == 'E') && (hi[open] == nil || bound.Cmp(hi[open]) < 0) {
				hi[open], changed = bound, true
			}
			if (!upper || r.Kind == 'E') && (lo[open] == nil || bound.Cmp(lo[open]) > 0) {
				lo[open], changed = bound, true
			}
			if lo[open] != nil && hi[open] != nil && lo[open].Cmp(hi[open]) > 0 {
				return nil
			}
		}
	}
	// y ≥ 0 for the open columns: x = base + sign·y, or the difference of two where there is no bound.
	place := map[int]int{}
	for j, c := range m.Cols {
		if fixed(j) {
			constant.Add(constant, times(c.Cost, lo[j]))
			continue
		}
		place[j] = s.n
		switch {
		case lo[j] != nil:
			constant.Add(constant, times(c.Cost, lo[j]))
			s.cost = append(s.cost, c.Cost)
		case hi[j] != nil:
			constant.Add(constant, times(c.Cost, hi[j]))
			s.cost = append(s.cost, neg(c.Cost))
		default:
			s.cost = append(s.cost, c.Cost, neg(c.Cost))
		}
		s.n = len(s.cost)
	}
	for j := range m.Cols {
		if k, open := place[j]; open && lo[j] != nil && hi[j] != nil {
			s.atMost(map[int]*big.Rat{k: big.NewRat(1, 1)}, add(hi[j], neg(lo[j])))
		}
	}
	for _, r := range m.Rows {
		rest, coef := new(big.Rat).Set(r.RHS), map[int]*big.Rat{}
		for j, a := range r.Coef {
			k := place[j]
			switch {
			case fixed(j):
				rest.Sub(rest, times(a, lo[j]))
			case lo[j] != nil:
				rest.Sub(rest, times(a, lo[j]))
				coef[k] = a
			case hi[j] != nil:
				rest.Sub(rest, times(a, hi[j]))
				coef[k] = neg(a)
			default:
				coef[k], coef[k+1] = a, neg(a)
			}
		}
		if r.Kind != 'G' {
			s.atMost(coef, rest)
		}
		if r.Kind != 'L' {
			minus := map[int]*big.Rat{}
			for k, a := range coef {
				minus[k] = neg(a)
			}
			s.atMost(minus, neg(rest))
		}
	}
	value := s.solve()
	if value == nil {
		return nil
	}
	return value.Add(value, constant)
}

// A rationalSimplex minimises cost·y over a·y ≤ b, y ≥ 0 by dictionaries and Bland's rule.
type rationalSimplex struct {
	n    int
	cost []*big.Rat
	a    []map[int]*big.Rat
	b    []*big.Rat
}

func (s *rationalSimplex) atMost(a map[int]*big.Rat, b *big.Rat) {
	if len(a) == 0 && b.Sign() >= 0 {
		return
	}
	s.a, s.b = append(s.a, a), append(s.b, b)
}

// solve is nil where there is no point.
func (s *rationalSimplex) solve() *big.Rat {
	// Columns 0..n−1 are y, n the artificial one; basic variable of row i is n+1+i.
	n, rows := s.n+1, len(s.a)
	d := make([][]*big.Rat, rows+2) // basic = d[i][n] + Σ d[i][k]·nonbasic; then the objective, and that of the first phase
	for i := range d {
		d[i] = make([]*big.Rat, n+1)
		for k := range d[i] {
			d[i][k] = new(big.Rat)
		}
	}
	basis, free := make([]int, rows), make([]int, n)
	for k := range free {
		free[k] = k
	}
	least := -1
	for i := range s.a {
		basis[i] = n + i
		d[i][n].Set(s.b[i])
		d[i][s.n].SetInt64(1)
		for k, a := range s.a[i] {
			d[i][k].Neg(a)
		}
		if s.b[i].Sign() < 0 && (least < 0 || s.b[i].Cmp(s.b[least]) < 0) {
			least = i
		}
	}
	for k, c := range s.cost {
		d[rows][k].Set(c)
	}
	d[rows+1][s.n].SetInt64(1)
	pivot := func(i, k int) {
		row := d[i]
		inv := new(big.Rat).Inv(row[k])
		for q := range row {
			if q != k && row[q].Sign() != 0 {
				row[q].Mul(row[q], inv).Neg(row[q])
			}
		}
		row[k] = inv
		for r := range d {
			if r == i || d[r][k].Sign() == 0 {
				continue
			}
			f := d[r][k]
			d[r][k] = new(big.Rat)
			for q := range row {
				if row[q].Sign() != 0 {
					d[r][q].Add(d[r][q], new(big.Rat).Mul(f, row[q]))
				}
			}
		}
		basis[i], free[k] = free[k], basis[i]
	}
	run := func(objective int) {
		for {
			enter := -1
			for k := range free {
				if objective == rows && free[k] == s.n {
					continue // the artificial one stays out
				}
				if d[objective][k].Sign() < 0 && (enter < 0 || free[k] < free[enter]) {
					enter = k
				}
			}
			if enter < 0 {
				return
			}
			leave := -1
			var ratio *big.Rat
			for i := range basis {
				if d[i][enter].Sign() >= 0 {
					continue
				}
				q := new(big.Rat).Quo(d[i][n], d[i][enter])
				q.Neg(q)
				if leave < 0 || q.Cmp(ratio) < 0 || q.Cmp(ratio) == 0 && basis[i] < basis[leave] {
					leave, ratio = i, q
				}
			}
			if leave < 0 {
				panic("milptest: the objective is not bounded")
			}
			pivot(leave, enter)
		}
	}
	if least >= 0 {
		pivot(least, s.n)
		run(rows + 1)
		if d[rows+1][n].Sign() != 0 {
			return nil
		}
		for i := range basis {
			if basis[i] != s.n {
				continue
			}
			for k := range free {
				if d[i][k].Sign() != 0 {
					pivot(i, k)
					break
				}
			}
			break
		}
	}
	run(rows)
	return d[rows][n]
}
