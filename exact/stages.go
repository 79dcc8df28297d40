package exact

import (
	"context"
	"math"
	"slices"

	"schedgap/exact/milp"
	"schedgap/models"
)

// inStages solves m by way of a relaxation, nil: at once. The relaxation's optimum bounds m's. Its integers then are fixed in m,
// whose optimum among those is one of m's points: where the two values are the same, it is m's optimum. Else both values are rows
// of the whole of m, with the tolerance of bounds on either side, so that no optimum is cut off.
func inStages(ctx context.Context, solver milp.Solver, relaxation, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	if relaxation == nil {
		return solver.Solve(ctx, m, opt)
	}
	first := opt
	if first.Improved = nil; opt.Start != nil {
		first.Start = opt.Start[:len(relaxation.Cols)]
	}
	lower, err := solver.Solve(ctx, relaxation, first)
	if err != nil || lower.Status != milp.Optimal {
		if err == nil {
			lower.X = nil // no point of m
		}
		return lower, err
	}
	if opt.Bounded != nil {
		opt.Bounded(*lower.Bound)
	}
	within := *m
	within.Cols = slices.Clone(m.Cols)
	for j, c := range relaxation.Cols {
		if c.Integer {
			within.Cols[j].Lo, within.Cols[j].Hi = lower.X[j], lower.X[j]
		}
	}
	second := opt
	second.Bounded, second.Start = nil, nil // a bound of the rest is none of m
	upper, err := solver.Solve(ctx, &within, second)
	if err != nil {
		return nil, err
	}
	upper.Nodes, upper.Seconds, upper.Bound = upper.Nodes+lower.Nodes, upper.Seconds+lower.Seconds, lower.Bound
	if upper.Status == milp.Limit || upper.Status == milp.Optimal && models.Same(upper.Objective, *lower.Bound) {
		return upper, nil
	}
	last := *m
	between := milp.Row{Name: "between", Lo: -milp.Inf, Hi: milp.Inf}
	for j, c := range m.Cols {
		if c.Cost != 0 {
			between.Terms = append(between.Terms, milp.Term{Col: j, Coef: c.Cost})
		}
	}
	least, most := *lower.Bound, milp.Inf
	if m.Maximize {
		least, most = -milp.Inf, *lower.Bound
	}
	if upper.Status == milp.Optimal {
		if opt.Start = upper.X; m.Maximize {
			least = upper.Objective
		} else {
			most = upper.Objective
		}
	}
	between.Lo = least - m.Offset - dualTolerance*max(1, math.Abs(least))
	between.Hi = most - m.Offset + dualTolerance*max(1, math.Abs(most))
	last.Rows = append(slices.Clone(m.Rows), between)
	whole, err := solver.Solve(ctx, &last, opt)
	if err != nil {
		return nil, err
	}
	whole.Nodes, whole.Seconds = whole.Nodes+upper.Nodes, whole.Seconds+upper.Seconds
	if whole.Bound == nil || whole.X == nil && whole.Status == milp.Limit {
		whole.Bound, whole.X, whole.Objective = lower.Bound, upper.X, upper.Objective
	}
	return whole, nil
}
