package exact

import (
	"context"
	"fmt"
	"slices"

	"schedgap/exact/milp"
	"schedgap/models"
)

// inStages solves a model that minimises by way of its relaxations, if it has any. A relaxation's optimum bounds the model's. Its
// integers then are fixed in the model. Its optimum among those is one of its points, and it may have none: an order of completions that
// shares of copies meet within a period may take longer in whole ones. Where the best of these values and the bound are the same, it
// is the optimum. Else a tighter relaxation follows, and at last the model itself. Value and bound are a row of these, with the
// tolerance of bounds on either side, so that no optimum is cut off.
func inStages[S any](ctx context.Context, solver milp.Solver, built *BuiltModel[S], g *margin, opt milp.Options) (*milp.Result, error) {
	m, relaxation := built.Model, built.Relaxation
	if relaxation == nil {
		return solver.Solve(ctx, m, opt)
	}
	known := &milp.Result{Status: milp.Limit}
	if opt.Start != nil {
		known.X, known.Objective = opt.Start, m.Objective(opt.Start)
	}
	solve := func(m *milp.Model, opt milp.Options) (*milp.Result, error) {
		r, err := solver.Solve(ctx, m, opt)
		if err == nil {
			known.Nodes, known.Seconds, known.Raw = known.Nodes+r.Nodes, known.Seconds+r.Seconds, r.Raw
		}
		return r, err
	}
	bounds, points := opt, opt // of relaxations and of points of the model
	bounds.Improved, bounds.Start, points.Bounded, points.Start = nil, nil, nil, nil
	for relaxation != nil {
		lower, err := solve(between(relaxation, known, g), bounds)
		if err != nil {
			return nil, err
		}
		if known.Bound == nil || lower.Bound != nil && *lower.Bound > *known.Bound {
			known.Bound = lower.Bound
		}
		switch lower.Status {
		case milp.Optimal:
		case milp.Limit:
			if lower.Own == "" || lower.X == nil { // at a gap of its own there is a point to go on from
				return known, nil
			}
		default: // it is not to pass for a limit
			lower.Raw = fmt.Sprintf("in the stage %s: %s", relaxation.Name, lower.Raw)
			return lower, nil
		}
		within := *m
		within.Cols = slices.Clone(m.Cols)
		for j, c := range built.Relaxation.Cols {
			if c.Integer {
				within.Cols[j].Lo, within.Cols[j].Hi = lower.X[j], lower.X[j]
			}
		}
		upper, err := solve(&within, points)
		if err != nil {
			return nil, err
		}
		if upper.X != nil && (known.X == nil || upper.Objective < known.Objective) {
			known.X, known.Objective = upper.X, upper.Objective
		}
		if known.X != nil && (models.Accuracy{}).Same(known.Objective, *known.Bound) {
			known.Status = milp.Optimal
			return known, nil
		}
		relaxation = built.Refine(lower.X)
	}
	opt.Start = nil
	if known.X != nil {
		opt.Start = known.X
	}
	whole, err := solve(between(m, known, g), opt)
	if err != nil {
		return nil, err
	}
	whole.Nodes, whole.Seconds = known.Nodes, known.Seconds
	if whole.Bound == nil || whole.X == nil && whole.Status == milp.Limit {
		whole.Bound, whole.X, whole.Objective = known.Bound, known.X, known.Objective
	}
	return whole, nil
}

// between is m with what is known of its optimum as a row, if anything is.
func between(m *milp.Model, known *milp.Result, g *margin) *milp.Model {
	lo, hi := -milp.Inf, milp.Inf
	if known.Bound != nil {
		lo = *known.Bound - m.Offset - g.error(*known.Bound)
	}
	if known.X != nil {
		hi = known.Objective - m.Offset + g.error(known.Objective)
	}
	with := *m
	with.Rows = slices.Clip(m.Rows)
	with.Relate("between", lo, hi, m.Costs())
	return &with
}
