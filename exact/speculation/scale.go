package speculation

import (
	"context"
	"math"

	"schedgap/exact/milp"
)

// scaled makes a solver's absolute tolerances relative to the objective: it hands the solver a model whose largest cost is
// about 2^costBits and turns the answer back, so models stay in the units of their instances. Costs are rounded to the grid
// of 2^−gridBits, some 1e-13 of the largest, as solvers get lost in costs that span more.
type scaled struct{ milp.Solver }

const costBits, gridBits = 12, 32

func (s scaled) Solve(ctx context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	largest := 0.0
	for _, c := range m.Cols {
		largest = max(largest, math.Abs(c.Cost))
	}
	if largest == 0 {
		return s.Solver.Solve(ctx, m, opt)
	}
	_, exp := math.Frexp(largest)
	n := *m
	n.Cols = append([]milp.Col(nil), m.Cols...)
	for j := range n.Cols {
		n.Cols[j].Cost = math.Ldexp(math.Round(math.Ldexp(n.Cols[j].Cost, gridBits+costBits-exp)), -gridBits)
	}
	if improved := opt.Improved; improved != nil {
		opt.Improved = func(x []float64, _ float64) { improved(x, m.Objective(x)) }
	}
	r, err := s.Solver.Solve(ctx, &n, opt)
	if err != nil {
		return nil, err
	}
	if r.X != nil {
		r.Objective = m.Objective(r.X)
	}
	if r.Bound != nil {
		b := math.Ldexp(*r.Bound, exp-costBits)
		r.Bound = &b
	}
	return r, nil
}
