// Package costscale makes the absolute tolerances of MILP solvers relative to the objective. All wraps the solvers of exact/pocd
// and exact/speculation: a Solver scales the costs of a model before its solver sees them, and scales the result back.
package costscale

import (
	"context"
	"math"

	"schedgap/exact/milp"
)

// A Solver hands the solver inside a model whose largest cost is about 2^costBits and turns the answer back, so models stay in
// the units of their instances. Costs are rounded to the grid of 2^−gridBits, some 1e-13 of the largest: what is smaller cannot
// show in the objective, and lp_solve 5.5.2 calls feasible models infeasible whose costs span more than 2^46.
type Solver struct{ milp.Solver }

// All are solvers that scale costs.
func All(solvers []milp.Solver) (list []milp.Solver) {
	for _, s := range solvers {
		list = append(list, Solver{Solver: s})
	}
	return list
}

const costBits, gridBits = 12, 32

// Solve implements milp.Solver.
func (s Solver) Solve(ctx context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	largest := 0.0
	for _, c := range m.Cols {
		largest = max(largest, math.Abs(c.Cost))
	}
	if largest == 0 {
		return s.Solver.Solve(ctx, m, opt)
	}
	_, exp := math.Frexp(largest)
	up := func(v float64) float64 { return math.Ldexp(v, costBits-exp) }
	down := func(v float64) float64 { return math.Ldexp(v, exp-costBits) }

	n := *m
	n.Offset = 0
	n.Cols = append([]milp.Col(nil), m.Cols...)
	for j := range n.Cols {
		n.Cols[j].Cost = math.Ldexp(math.Round(math.Ldexp(up(n.Cols[j].Cost), gridBits)), -gridBits)
	}
	if improved := opt.Improved; improved != nil {
		opt.Improved = func(x []float64, _ float64) { improved(x, m.Objective(x)) }
	}
	unscaled := func(told func(float64)) func(float64) {
		if told == nil {
			return nil
		}
		return func(b float64) { told(m.Offset + down(b)) }
	}
	opt.Bounded, opt.Rooted = unscaled(opt.Bounded), unscaled(opt.Rooted)
	r, err := s.Solver.Solve(ctx, &n, opt)
	if err != nil {
		return nil, err
	}
	if r.X != nil {
		r.Objective = m.Objective(r.X)
	}
	if r.Bound != nil {
		b := m.Offset + down(*r.Bound)
		r.Bound = &b
	}
	return r, nil
}
