package backend

import (
	"math"

	"schedgap/exact/milp"
)

// slack is how far the two sides of a row without terms may be apart; solvers run with the same feasibility tolerance.
const slack = 1e-9

// reduce returns m in the form that Native promises, with m's columns, or nil and the reason why m is infeasible.
func reduce(m *milp.Model) (reduced *milp.Model, why string) {
	r := &milp.Model{Name: m.Name}
	sign := 1.0
	if m.Maximize {
		sign = -1
	}
	for _, c := range m.Cols {
		lo, hi := c.Range()
		if lo > hi {
			return nil, "no integer between the bounds of column " + c.Name
		}
		c.Lo, c.Hi, c.Cost = lo, hi, sign*c.Cost
		r.AddCol(c)
	}
	for _, row := range m.Rows {
		terms := make([]milp.Term, 0, len(row.Terms))
		for _, t := range row.Terms {
			if t.Coef != 0 {
				terms = append(terms, t)
			}
		}
		switch {
		case len(terms) == 0 && (row.Lo > slack || row.Hi < -slack):
			return nil, "row " + row.Name + " has no terms and excludes 0"
		case len(terms) > 0 && !(math.IsInf(row.Lo, -1) && math.IsInf(row.Hi, 1)):
			r.AddRow(row.Name, row.Lo, row.Hi, terms...)
		}
	}
	return r, ""
}

// byBounds solves a model without rows: each column on its own.
func byBounds(m *milp.Model) Answer {
	x := make([]float64, len(m.Cols))
	for j, c := range m.Cols {
		switch {
		case c.Cost > 0:
			x[j] = c.Lo
		case c.Cost < 0:
			x[j] = c.Hi
		default:
			x[j] = min(max(0, c.Lo), c.Hi)
		}
		if math.IsInf(x[j], 0) {
			return Answer{Status: milp.Unbounded, Raw: "no rows, and column " + c.Name + " has no bound", Nodes: -1}
		}
	}
	return Answer{Status: milp.Optimal, Raw: "no rows: each column at its better bound", X: x, Nodes: -1}
}
