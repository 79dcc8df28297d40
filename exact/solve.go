package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"schedgap/exact/milp"
	"schedgap/models"
)

// A Built is the model of one instance with the maps between its points and solutions.
type Built[S any] struct {
	Model *milp.Model
	// Relaxation, if not nil, is solved before Model and then Model with its integers, see inStages. Its columns are the first of
	// Model's, and its optimum bounds that of Model.
	Relaxation *milp.Model
	// Refine returns a tighter relaxation, given a point of the last one, with the same columns and perhaps more after them; nil
	// says that Model itself is to be solved.
	Refine func(x []float64) *milp.Model
	// Value maps a value of the model's objective, or a bound on it, to the instance's objective; it increases. Nil: the
	// identity.
	Value func(v float64) float64
	// Decode rebuilds a solution from the decisions in x: orders and choices, never the solver's continuous values, so that
	// its tolerances do not reach the solution.
	Decode func(x []float64) (S, error)
	// Encode maps any feasible solution to a feasible point of the model. It serves as MIP start, and it lets tests check
	// model, checker and heuristics against each other without a solver.
	Encode func(s S) ([]float64, error)
}

// Worth applies Value.
func (b *Built[S]) Worth(v float64) float64 {
	if b.Value == nil {
		return v
	}
	return b.Value(v)
}

// enlarge gives the models larger costs where all are small, as solvers take costs and differences of objectives below about 1e-9
// for 0: 9.2e-6 was "optimal" where the optimum is 9.0e-6. The factor is a power of two, so no cost is rounded. A
// costscale.Solver would not do here: the models of all stages, the row between them and the allowance of bounds must be in the
// same units.
func (b *Built[S]) enlarge() {
	most := 0.0
	for _, c := range b.Model.Cols {
		most = max(most, math.Abs(c.Cost))
	}
	if most == 0 || most >= 1e-3 {
		return
	}
	by := -math.Ilogb(most)
	costs := func(m *milp.Model) *milp.Model {
		if m == nil {
			return nil
		}
		large := *m
		large.Offset, large.Cols = math.Ldexp(m.Offset, by), slices.Clone(m.Cols)
		for j := range large.Cols {
			large.Cols[j].Cost = math.Ldexp(large.Cols[j].Cost, by)
		}
		return &large
	}
	own := *b
	b.Model, b.Relaxation = costs(own.Model), costs(own.Relaxation)
	b.Value = func(v float64) float64 { return own.Worth(math.Ldexp(v, -by)) }
	if own.Refine != nil {
		b.Refine = func(x []float64) *milp.Model { return costs(own.Refine(x)) }
	}
}

// relax makes the pass that solves the first model's relaxation. Without integers that is the model, and root its optimum.
func (b *Built[S]) relax(solver milp.Solver, root *float64) func(ctx context.Context) (float64, error) {
	first := b.Model
	if b.Relaxation != nil {
		first = b.Relaxation
	}
	return func(ctx context.Context) (float64, error) {
		if root != nil && !first.Integers() {
			return *root, nil
		}
		relaxed := *first
		relaxed.Cols = slices.Clone(first.Cols)
		for j := range relaxed.Cols {
			relaxed.Cols[j].Integer = false
		}
		r, err := solver.Solve(ctx, &relaxed, milp.Options{})
		if err != nil {
			return 0, err
		}
		if r.Status != milp.Optimal {
			return 0, fmt.Errorf("relaxation of model %s: %s", first.Name, r.Raw)
		}
		return b.Worth(r.Objective), nil
	}
}

// solveMILP builds, solves, decodes. A solver's bound, that of an optimum too, loses the solver's tolerances.
func solveMILP[I models.Instance, S any](
	ctx context.Context, parts Parts[I, S], f *Formulation[I, S], solver milp.Solver, p *models.Pass[I, S], start *S,
) (models.Outcome[S], error) {
	var out models.Outcome[S]
	began := time.Now()
	built, err := f.Build(p.Instance, Form{Bare: bare(p), Context: ctx})
	if err != nil {
		return out, fmt.Errorf("build model %s: %w", f.Name, err)
	}
	built.enlarge()
	m := built.Model
	if err := m.Validate(); err != nil {
		return out, err
	}
	opt := milp.Options{Threads: p.Threads, Seed: int64(p.Seed)}
	if start != nil {
		// By rounding, a schedule may have no point in a model of many decades. The solver then does without; what it finds is compared
		// with the start all the same.
		if opt.Start, err = built.Encode(*start); err != nil {
			opt.Start = nil
		}
	}
	opt.Improved = func(x []float64, _ float64) {
		if s, err := built.Decode(x); err == nil {
			p.Improved(s)
		}
	}
	// A bound is as good as the solver's tolerance: step back by it, so that it stays on the right side
	// (docs/results.md#what-an-optimum-and-a-bound-are-worth). Then it is rounded to a whole number if all values are whole.
	inwards, whole := math.Ceil, m.WholeObjective()
	if m.Maximize {
		inwards = math.Floor
	}
	careful := func(bound float64) float64 {
		slack := dualTolerance * max(1, math.Abs(bound))
		if m.Maximize {
			slack = -slack
		}
		if bound -= slack; whole {
			bound = inwards(bound)
		}
		return built.Worth(bound)
	}
	opt.Bounded = func(b float64) { p.Bounded(careful(b)) }
	var root *float64
	opt.Rooted = func(b float64) {
		if root == nil { // of the first stage
			root = new(built.Worth(b))
		}
	}
	buildSeconds := time.Since(began).Seconds()
	cols, rows, nonzeros := int64(len(m.Cols)), int64(len(m.Rows)), int64(m.Nonzeros())
	out.Stats = models.Stats{
		Solver: solver.Name(), SolverVersion: solver.Version(), Model: f.Name,
		Work: models.Work{BuildSeconds: &buildSeconds, Columns: &cols, Rows: &rows, Nonzeros: &nonzeros},
	}
	res, err := inStages(ctx, solver, built, opt)
	if err != nil {
		if errors.Is(err, milp.ErrAccuracy) {
			return out, models.NotApplicablef("model %s does not suit %s: %v", f.Name, solver.Name(), err)
		}
		return out, fmt.Errorf("model %s by %s: %w", f.Name, solver.Name(), err)
	}
	out.Stats.Raw, out.Stats.SolverSeconds, out.Stats.RootBound = res.Raw, &res.Seconds, root
	out.Relax = built.relax(parts.Solvers[0], root)
	if res.Nodes >= 0 {
		out.Stats.Nodes = &res.Nodes
	}
	switch res.Status {
	case milp.Optimal:
		out.Status = models.Optimal
	case milp.Infeasible:
		out.Status = models.Infeasible
	case milp.Limit:
		out.Status = models.Timeout
	default:
		return out, fmt.Errorf("model %s by %s: unexpected end %v (%s)", f.Name, solver.Name(), res.Status, res.Raw)
	}
	if res.Bound != nil && !math.IsInf(*res.Bound, 0) {
		out.Bound = res.Bound
	}
	// An interrupted solver may have nothing as good as its start.
	kept := start != nil && out.Status == models.Timeout && (res.X == nil || opt.Start != nil && betterPoint(m, opt.Start, res.X))
	switch {
	case kept:
		out.Solution, out.Found = *start, true
	case res.X != nil:
		if out.Solution, err = built.Decode(res.X); err != nil {
			return out, fmt.Errorf("model %s by %s: %w: %w", f.Name, solver.Name(), models.ErrPoint, err)
		}
		claimed := built.Worth(res.Objective)
		out.Found, out.Claimed = true, &claimed
	}
	if out.Bound != nil {
		b := careful(*out.Bound)
		out.Bound = &b
		p.Bounded(b)
	}
	return out, nil
}

func betterPoint(m *milp.Model, a, b []float64) bool {
	if m.Maximize {
		return m.Objective(a) > m.Objective(b)
	}
	return m.Objective(a) < m.Objective(b)
}

// dualTolerance is the error that a solver's bound is granted, relative to it or, for small ones, to 1.
const dualTolerance = 2e-7
