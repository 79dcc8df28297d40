package milp

import "slices"

// A Sum is a linear expression. A term without a column, of a negative number, is a constant.
type Sum []Term

// Of is a column times a factor.
func Of(col int, factor float64) Sum { return Sum{{Col: col, Coef: factor}} }

// Const is a constant.
func Const(v float64) Sum { return Of(-1, v) }

// Total adds up columns; numbers below 0 stand for none.
func Total(cols ...int) (s Sum) {
	for _, c := range cols {
		if c >= 0 {
			s = append(s, Term{Col: c, Coef: 1})
		}
	}
	return s
}

// Chosen is the place of the first of the columns that is 1 in a point, or 0; numbers below 0 stand for none.
func Chosen(x []float64, cols []int) int {
	return max(0, slices.IndexFunc(cols, func(c int) bool { return c >= 0 && x[c] > 0.5 }))
}

// Times is the sum times a factor.
func (s Sum) Times(factor float64) Sum {
	out := make(Sum, len(s))
	for i, t := range s {
		out[i] = Term{Col: t.Col, Coef: factor * t.Coef}
	}
	return out
}

// Relate adds the row lo ≤ Σ sums ≤ hi, its constants moved to the bounds and terms of 0 left out.
func (m *Model) Relate(name string, lo, hi float64, sums ...Sum) {
	row := Row{Name: name, Lo: lo, Hi: hi}
	for _, s := range sums {
		for _, t := range s {
			switch {
			case t.Col < 0:
				row.Lo, row.Hi = row.Lo-t.Coef, row.Hi-t.Coef
			case t.Coef != 0:
				row.Terms = append(row.Terms, t)
			}
		}
	}
	m.Rows = append(m.Rows, row)
}

// Pay makes the sum a part of the objective.
func (m *Model) Pay(s Sum) {
	for _, t := range s {
		if t.Col < 0 {
			m.Offset += t.Coef
		} else {
			m.Cols[t.Col].Cost += t.Coef
		}
	}
}

// Costs are the objective without its offset.
func (m *Model) Costs() Sum {
	s := make(Sum, len(m.Cols))
	for j, c := range m.Cols {
		s[j] = Term{Col: j, Coef: c.Cost}
	}
	return s
}

// Point has the fixed columns at their values, all others at 0.
func (m *Model) Point() []float64 {
	x := make([]float64, len(m.Cols))
	for j, c := range m.Cols {
		if c.Lo == c.Hi {
			x[j] = c.Lo
		}
	}
	return x
}
