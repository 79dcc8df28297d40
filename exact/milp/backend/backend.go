// Package backend holds what every MILP backend does around its solver: it settles what needs no solver, states the
// model in the one form that all of them take alike, and trusts no answer that it has not checked.
package backend

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"schedgap/exact/milp"
	"schedgap/models"
)

// Tolerance is the largest milp.Model.Violation of a point that is accepted, and the largest relative difference
// between the objective that a solver claims and the one that its point has with the integers rounded.
const Tolerance = 1e-6

// ErrNotLinked is the answer of a solver that this build does without.
var ErrNotLinked = errors.New("not part of this build: run make build, which installs and links it")

// NoOptimum says that a model is infeasible or unbounded and that the solver did not find out which. Solve does.
const NoOptimum milp.Status = -1

// An Answer is a solver's own, unchecked and in terms of the model that it was given.
type Answer struct {
	Status  milp.Status // or NoOptimum
	Raw     string      // the solver's words
	Own     string      // see milp.Result
	X       []float64   // nil: none; needed for Optimal
	Bound   float64     // proven lower bound for Limit; NaN or infinite: none
	Root    *float64    // lower bound after the root node; nil: unknown
	Nodes   int64       // -1: unknown
	Seconds float64     // 0: unknown
}

// Native runs a solver on m, which minimises, has no offset, at least one column and one row, terms with coefficients
// other than 0 in every row, and integers as bounds of integer columns. Columns are the caller's. opt has at least one
// thread, and a time limit that ends no later than the context; 0 means none.
type Native func(ctx context.Context, m *milp.Model, opt milp.Options) (Answer, error)

// Solve solves m by native as milp.Solver promises: points are rounded, repaired where rounding breaks a row, and
// checked; bounds are turned to m's sense and offset; an optimum is its own bound. An Options.Start of the wrong length
// is an error; whether a Start is good is the solver's to judge.
func Solve(ctx context.Context, m *milp.Model, opt milp.Options, native Native) (*milp.Result, error) {
	begin := time.Now()
	if err := m.Validate(); err != nil {
		return nil, err
	}
	if opt.Start != nil && len(opt.Start) != len(m.Cols) {
		return nil, fmt.Errorf("model %s: a start of %d entries for %d columns", m.Name, len(opt.Start), len(m.Cols))
	}
	s := &solve{model: m, native: native, end: endOf(ctx, begin, opt.TimeLimit), opt: opt, best: math.Inf(1)}
	answer, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	r, err := s.result(answer)
	if err != nil {
		return nil, err
	}
	s.rooted(answer, r)
	if r.Seconds == 0 {
		r.Seconds = time.Since(begin).Seconds()
	}
	return r, nil
}

// solve is one call of Solve.
type solve struct {
	model   *milp.Model
	reduced *milp.Model
	native  Native
	opt     milp.Options
	end     time.Time // zero: none
	best    float64   // value of the best point on the way, of the reduced model
}

func endOf(ctx context.Context, begin time.Time, limit time.Duration) time.Time {
	end, _ := ctx.Deadline()
	if limit > 0 && (end.IsZero() || begin.Add(limit).Before(end)) {
		end = begin.Add(limit)
	}
	return end
}

// run gets an answer whose point, if any, is feasible with integral integers.
func (s *solve) run(ctx context.Context) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{Status: milp.Limit, Raw: err.Error(), Bound: math.NaN(), Nodes: -1}, nil
	}
	reduced, why := reduce(s.model)
	if reduced == nil {
		return Answer{Status: milp.Infeasible, Raw: why, Nodes: -1}, nil
	}
	s.reduced = reduced
	if len(reduced.Rows) == 0 {
		return byBounds(reduced), nil
	}
	a, err := s.call(ctx, reduced, true)
	if err != nil {
		return a, err
	}
	if a.Status == NoOptimum || a.Status == milp.Unbounded && reduced.Integers() {
		return s.feasibility(ctx, a)
	}
	if a.Status == milp.Optimal && a.X == nil {
		return a, fmt.Errorf("model %s: %s, but without a point", s.model.Name, a.Raw)
	}
	if a.X == nil || a.Status != milp.Optimal && a.Status != milp.Limit {
		a.X = nil
		return a, nil
	}
	x, err := s.settle(ctx, a.X)
	if err != nil {
		return a, fmt.Errorf("model %s: %w of %q: %w", s.model.Name, models.ErrPoint, a.Raw, err)
	}
	claimed, value := reduced.Objective(a.X), reduced.Objective(x)
	if a.Status == milp.Optimal && math.Abs(value-claimed) > Tolerance*max(1, math.Abs(claimed)) {
		return a, fmt.Errorf("model %s: refusing %q: the optimum %.12g becomes %.12g when integers are rounded",
			s.model.Name, a.Raw, claimed, value)
	}
	a.X = x
	return a, nil
}

// call runs the solver with what is left of the time.
func (s *solve) call(ctx context.Context, m *milp.Model, first bool) (Answer, error) {
	opt := milp.Options{Threads: max(1, s.opt.Threads), Seed: s.opt.Seed}
	if first {
		opt.Start = s.opt.Start
		if s.opt.Improved != nil {
			opt.Improved = s.improved()
		}
		if s.opt.Bounded != nil {
			opt.Bounded = s.bounded()
		}
	}
	if !s.end.IsZero() {
		opt.TimeLimit = max(time.Until(s.end), time.Millisecond)
	}
	return s.native(ctx, m, opt)
}

// feasibility decides between infeasible and unbounded. Solvers prove the relaxation unbounded, which makes a feasible
// model with rational data unbounded too, but says nothing about an infeasible one.
func (s *solve) feasibility(ctx context.Context, a Answer) (Answer, error) {
	flat := *s.reduced
	flat.Cols = append([]milp.Col(nil), flat.Cols...)
	for j := range flat.Cols {
		flat.Cols[j].Cost = 0
	}
	b, err := s.call(ctx, &flat, false)
	if err != nil {
		return a, err
	}
	raw := a.Raw + "; without objective: " + b.Raw
	switch b.Status {
	case milp.Optimal:
		if b.X == nil {
			return a, fmt.Errorf("model %s: %s, but without a point", s.model.Name, raw)
		}
		if _, err := s.settle(ctx, b.X); err != nil {
			return a, fmt.Errorf("model %s: %w of %q: %w", s.model.Name, models.ErrPoint, raw, err)
		}
		return Answer{Status: milp.Unbounded, Raw: raw, Nodes: a.Nodes}, nil
	case milp.Infeasible:
		return Answer{Status: milp.Infeasible, Raw: raw, Nodes: a.Nodes}, nil
	case milp.Limit:
		return Answer{Status: milp.Limit, Raw: raw, Bound: math.NaN(), Nodes: a.Nodes}, nil
	}
	return a, fmt.Errorf("model %s: contradictory answers: %s", s.model.Name, raw)
}

// improved passes on the incumbents that hold with rounded integers, each better than the last.
func (s *solve) improved() func([]float64, float64) {
	return func(x []float64, _ float64) {
		x = s.model.Rounded(x)
		// Negated, so that a point that is not a number is refused.
		if v := s.model.Violation(x); !(v.Amount <= Tolerance) {
			return
		}
		if value := s.reduced.Objective(x); value < s.best {
			s.best = value
			s.opt.Improved(x, s.model.Objective(x))
		}
	}
}

// bounded passes on bounds in terms of the caller's model, each better than the last. One beyond a point that is known is wrong.
func (s *solve) bounded() func(float64) {
	best := math.Inf(-1)
	known := math.Inf(1)
	if x := s.opt.Start; x != nil && s.model.Violation(x).Amount <= Tolerance {
		known = s.reduced.Objective(x)
	}
	return func(b float64) {
		if value := min(known, s.best); !(b > best) || math.IsInf(b, 0) || b > value+Tolerance*max(1, math.Abs(value)) {
			return
		}
		best = b
		s.opt.Bounded(s.stated(b))
	}
}

// rooted passes on the bound of the root node: the optimum, if there was no second node. A search that was stopped there has none.
func (s *solve) rooted(a Answer, r *milp.Result) {
	switch {
	case s.opt.Rooted == nil:
	case r.Status == milp.Optimal && (a.Nodes == 0 || a.Nodes == 1 || !s.model.Integers()):
		s.opt.Rooted(r.Objective)
	case a.Root != nil && !math.IsInf(*a.Root, 0) && a.Nodes != 0 && (r.Status == milp.Optimal || r.Status == milp.Limit):
		s.opt.Rooted(s.stated(*a.Root))
	}
}

// stated is a bound on the reduced model as one on the caller's.
func (s *solve) stated(bound float64) float64 {
	if s.model.Maximize {
		bound = -bound
	}
	return bound + s.model.Offset
}

// result states a checked answer in terms of the caller's model.
func (s *solve) result(a Answer) (*milp.Result, error) {
	r := &milp.Result{Status: a.Status, Raw: a.Raw, Own: a.Own, X: a.X, Nodes: a.Nodes, Seconds: a.Seconds}
	if r.X != nil {
		r.Objective = s.model.Objective(r.X)
	}
	switch r.Status {
	case milp.Optimal:
		bound := r.Objective
		r.Bound = &bound
	case milp.Limit:
		if math.IsNaN(a.Bound) || math.IsInf(a.Bound, 0) {
			break
		}
		bound := a.Bound
		if r.X != nil {
			value := s.reduced.Objective(r.X)
			if bound > value+Tolerance*max(1, math.Abs(value)) {
				return nil, fmt.Errorf("model %s: %s: the bound %.12g contradicts the incumbent's %.12g",
					s.model.Name, a.Raw, bound, value)
			}
			bound = min(bound, value)
		}
		bound = s.stated(bound)
		r.Bound = &bound
	case milp.Infeasible, milp.Unbounded:
	default:
		return nil, fmt.Errorf("model %s: %s: %s is no answer", s.model.Name, a.Raw, a.Status)
	}
	return r, nil
}
