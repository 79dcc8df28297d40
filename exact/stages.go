package exact

import (
	"context"
	"fmt"
	"math"
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
	m := built.Model
	if built.Relaxation == nil {
		return solver.Solve(ctx, m, opt)
	}
	s := &stages{solver: solver, whole: m, integers: built.Relaxation.Cols, margin: g, known: &milp.Result{Status: milp.Limit}}
	if opt.Start != nil {
		s.point(opt.Start, m.Objective(opt.Start))
	}
	before := math.Inf(1)
	for relaxation := built.Relaxation; relaxation != nil; {
		x, end, err := s.lower(ctx, relaxation, opt)
		if end != nil || err != nil {
			return end, err
		}
		err = s.upper(ctx, x, opt)
		if err != nil {
			return nil, err
		}
		if s.known.X != nil && s.known.Bound != nil && (models.Accuracy{}).Same(s.known.Objective, *s.known.Bound) {
			s.known.Status = milp.Optimal
			return s.known, nil
		}
		gap := s.gap()
		if gap > stalled*before {
			break
		}
		before, relaxation = gap, built.Refine(x)
	}
	opt.Start = s.known.X
	last, err := s.solve(ctx, between(m, s.known, g), opt)
	if err != nil {
		return nil, err
	}
	last.Nodes, last.Seconds = s.known.Nodes, s.known.Seconds
	if last.Bound == nil || s.known.Bound != nil && *s.known.Bound > *last.Bound {
		last.Bound = s.known.Bound
	}
	if last.X == nil && last.Status == milp.Limit {
		last.X, last.Objective = s.known.X, s.known.Objective
	}
	return last, nil
}

// stages are a model on the way through its relaxations.
type stages struct {
	solver   milp.Solver
	whole    *milp.Model
	integers []milp.Col // columns of the first relaxation, which all others have, too
	margin   *margin
	known    *milp.Result // best point and bound so far; nodes and seconds of all solves
}

// solve adds a solve's nodes and seconds to those that are known.
func (s *stages) solve(ctx context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	r, err := s.solver.Solve(ctx, m, opt)
	if err == nil {
		s.known.Nodes, s.known.Seconds, s.known.Raw = s.known.Nodes+r.Nodes, s.known.Seconds+r.Seconds, r.Raw
	}
	return r, err
}

// point keeps a point of the whole model if it is the best.
func (s *stages) point(x []float64, objective float64) {
	if s.known.X == nil || objective < s.known.Objective {
		s.known.X, s.known.Objective = x, objective
	}
}

// lower solves a relaxation and keeps its bound. It returns the relaxation's point, or the end of all stages if there is none to go on
// from.
func (s *stages) lower(ctx context.Context, relaxation *milp.Model, opt milp.Options) (x []float64, end *milp.Result, err error) {
	opt.Improved, opt.Start = nil, nil
	r, err := s.solve(ctx, between(relaxation, s.known, s.margin), opt)
	if err != nil {
		return nil, nil, err
	}
	if s.known.Bound == nil || r.Bound != nil && *r.Bound > *s.known.Bound {
		s.known.Bound = r.Bound
	}
	switch r.Status {
	case milp.Optimal:
		return r.X, nil, nil
	case milp.Limit:
		if r.Own == "" || r.X == nil { // at a gap of its own there is a point to go on from
			return nil, s.known, nil
		}
		return r.X, nil, nil
	default: // it is not to pass for a limit
		r.Raw = fmt.Sprintf("in the stage %s: %s", relaxation.Name, r.Raw)
		return nil, r, nil
	}
}

// upper solves the whole model with the integers of a relaxation's point, and keeps the point that it finds. There may be none.
func (s *stages) upper(ctx context.Context, x []float64, opt milp.Options) error {
	opt.Bounded, opt.Start = nil, nil
	r, err := s.solve(ctx, With(s.whole, s.integers, x), opt)
	if err == nil && r.X != nil {
		s.point(r.X, r.Objective)
	}
	return err
}

// A stage that leaves more than stalled of the last one's gap is the last before the whole model.
const stalled = 0.9

// gap is the distance of the best point from the bound.
func (s *stages) gap() float64 {
	if s.known.X == nil || s.known.Bound == nil {
		return math.Inf(1)
	}
	return s.known.Objective - *s.known.Bound
}

// With is m with the integers of a relaxation, whose columns are the first of m's, as they are in its point x.
func With(m *milp.Model, relaxation []milp.Col, x []float64) *milp.Model {
	within := *m
	within.Cols = slices.Clone(m.Cols)
	for j, c := range relaxation {
		if c.Integer {
			within.Cols[j].Lo, within.Cols[j].Hi = x[j], x[j]
		}
	}
	return &within
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
