package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"schedgap/exact/milp"
	"schedgap/models"
)

// A BuiltModel is the model of one instance with the maps between its points and solutions.
type BuiltModel[S any] struct {
	Model *milp.Model
	// Relaxation, if not nil, is solved before Model and then Model with its integers, see inStages. Its columns are the first of
	// Model's, and its optimum bounds that of Model.
	Relaxation *milp.Model
	// Refine returns a tighter relaxation, given a point of the last one, with the same columns and perhaps more after them; nil
	// says that Model itself is to be solved.
	Refine func(x []float64) *milp.Model
	// Narrow, if not nil, is asked before Model is solved. It solves relaxations, begins with start, nil: none, and returns a model of
	// the schedules that are not worse than the best one that it found, with that one. A nil model says that Model is to be solved.
	Narrow func(ctx context.Context, start *S, solve func(m *milp.Model) (*milp.Result, error)) (*BuiltModel[S], *S, error)
	// Grain is the smallest work of a job in the units of the model's rows, which are of the size 1; 0: the model has none.
	Grain float64
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

// ObjectiveOf is the instance's objective at the value v of the model's.
func (b *BuiltModel[S]) ObjectiveOf(v float64) float64 {
	if b.Value == nil {
		return v
	}
	return b.Value(v)
}

// ask makes Decode, which may be a command of the problem, be asked by Pass.Ask.
func (b *BuiltModel[S]) ask(ask func(func() error) error) {
	decode := b.Decode
	b.Decode = func(x []float64) (s S, err error) {
		err = ask(func() (err error) {
			s, err = decode(x)
			return err
		})
		return s, err
	}
}

// relax makes the pass that solves the first model's relaxation and takes the solver's tolerances off. Without integers that is the
// model, and root its optimum.
func (b *BuiltModel[S]) relax(solver milp.Solver, g *margin, root *float64) func(ctx context.Context) (float64, error) {
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
		bound, why := g.relaxed().bound(r.Objective)
		if why != "" {
			return 0, fmt.Errorf("relaxation of model %s: %s", first.Name, why)
		}
		return bound, nil
	}
}

// solveMILP builds, solves, decodes, and enters what that proves: a solver's bound, that of an optimum too, loses the solver's
// tolerances. What it says besides is for the audit.
func solveMILP[I models.Instance, S any](
	ctx context.Context, parts Deps[I, S], t *Target[I, S], f *Formulation[I, S], solver milp.Solver, p *models.Pass[I, S],
) (out models.End, says claim[S], err error) {
	p.Speak(solver.Name())
	began := time.Now()
	built, err := f.Build(p.Instance, BuildOptions{NoStart: bare(p), Context: ctx})
	if err != nil {
		return out, says, fmt.Errorf("build model %s: %w", f.Name, err)
	}
	built, spent, err := narrowed(ctx, built, solver, p, &says)
	if err != nil {
		return out, says, fmt.Errorf("narrow model %s: %w", f.Name, err)
	}
	built.ask(p.Ask)
	own := built.Model
	by := built.scale()
	least := 0.0
	if t.Problem.Least != nil {
		least = t.Problem.Least(p.Instance)
	}
	g := newMargin(built, own, by, solver, least)
	m := built.Model
	if err := m.Validate(); err != nil {
		return out, says, err
	}
	opt := milp.Options{Threads: p.Threads, Seed: int64(p.Seed)}
	if says.start != nil {
		// By rounding, a schedule may have no point in a model of many decades. The solver then does without; what it finds is compared
		// with the start all the same.
		opt.Start, err = built.Encode(*says.start)
		if err != nil {
			opt.Start = nil
		}
	}
	opt.Improved = func(x []float64, _ float64) {
		if s, err := built.Decode(x); err == nil {
			p.Offer(s)
		}
	}
	opt.Bounded = func(b float64) {
		if bound, why := g.bound(b); why == "" {
			p.Claim(g.value(b), bound)
		}
	}
	var root *float64
	rooted := false
	opt.Rooted = func(b float64) {
		if bound, why := g.bound(b); why == "" && !rooted { // of the first stage
			root = &bound
		}
		rooted = true
	}
	buildSeconds := time.Since(began).Seconds()
	cols, rows, nonzeros := int64(len(m.Cols)), int64(len(m.Rows)), int64(m.Nonzeros())
	out.Stats = models.Stats{
		Solver: solver.Name(), SolverVersion: solver.Version(), Model: f.Name,
		Work: models.Work{BuildSeconds: &buildSeconds, Columns: &cols, Rows: &rows, Nonzeros: &nonzeros},
	}
	res, err := inStages(ctx, solver, built, g, opt)
	if err != nil {
		if errors.Is(err, milp.ErrAccuracy) {
			return out, says, models.NotApplicablef("model %s does not suit %s: %v", f.Name, solver.Name(), err)
		}
		return out, says, fmt.Errorf("model %s by %s: %w", f.Name, solver.Name(), err)
	}
	res.Seconds += spent
	out.Stats.Raw, out.Stats.SolverSeconds, out.Stats.RootBound = res.Raw, &res.Seconds, root
	out.Relax = built.relax(parts.Solvers[0], g, root)
	if res.Nodes >= 0 {
		out.Stats.Nodes = &res.Nodes
	}
	err = t.conclude(p, &out, fmt.Sprintf("model %s by %s", f.Name, solver.Name()), res)
	if err != nil {
		return out, says, err
	}
	says.end, says.who = res.Status, fmt.Sprintf("%s %s on model %s", solver.Name(), solver.Version(), f.Name)
	if res.X != nil {
		s, err := built.Decode(res.X)
		if err != nil {
			return out, says, fmt.Errorf("model %s by %s: %w: %w", f.Name, solver.Name(), models.ErrPoint, err)
		}
		says.own, says.value, says.lost = &s, new(g.value(res.Objective)), g.lost(res.Objective)
		if says.offer(p.Ledger) {
			out.Claimed = says.value
		}
	}
	if res.Bound != nil && !math.IsInf(*res.Bound, 0) && res.Status != milp.Infeasible {
		says.enter(p.Ledger, g, &out, *res.Bound)
	}
	return out, says, nil
}

// narrowed is what is left of a model that can be narrowed, else the model, with the seconds that its relaxations took. The best
// solution, the pass's or one that the solver's own points led to, is the start of what follows.
func narrowed[I models.Instance, S any](
	ctx context.Context, built *BuiltModel[S], solver milp.Solver, p *models.Pass[I, S], says *claim[S],
) (left *BuiltModel[S], spent float64, err error) {
	if start, _, ok := p.Best(); ok {
		says.start = &start
	}
	if built.Narrow == nil {
		return built, 0, nil
	}
	left, best, err := built.Narrow(ctx, says.start, func(m *milp.Model) (*milp.Result, error) {
		r, err := solver.Solve(ctx, m, milp.Options{Threads: p.Threads, Seed: int64(p.Seed)})
		if err == nil {
			spent += r.Seconds
		}
		return r, err
	})
	switch {
	case errors.Is(err, models.ErrPoint) || errors.Is(err, milp.ErrAccuracy):
		left = nil // a relaxation beyond the solver says nothing
	case err != nil:
		return nil, spent, err
	}
	if best != nil {
		says.start = best
		p.Offer(*best)
	}
	if left == nil {
		left = built
	}
	return left, spent, nil
}

// conclude says why a solver stopped. That a model has no point is an error where the instance has a solution.
func (t *Target[I, S]) conclude(p *models.Pass[I, S], end *models.End, who string, res *milp.Result) error {
	switch res.Status {
	case milp.Optimal:
	case milp.Infeasible:
		if _, _, known := p.Best(); !known && !t.Insoluble {
			return fmt.Errorf("%s: refusing \"infeasible\": every instance has a solution (%s)", who, res.Raw)
		}
		p.Impossible()
	case milp.Limit:
		end.Stop = models.Limit
	default:
		return fmt.Errorf("%s: unexpected end %v (%s)", who, res.Status, res.Raw)
	}
	if res.X != nil && res.Own != "" {
		end.Stop, end.Why = models.Cannot, res.Own
	}
	return nil
}

// offer enters the solution in the solver's point, and reports whether none that is known is better.
func (c *claim[S]) offer(l *models.Ledger[S]) bool {
	l.Offer(*c.own)
	value, _, _ := l.Value(*c.own)
	_, best, found := l.Best()
	return !found || best == value
}

// OtherValue ends the sentence about a claim that is not made since the decoded solution is worth something else: model, decoding and
// checker disagree, or numbers are beyond the solver's tolerances.
const OtherValue = "its solution's value another"

// enter writes a solver's last bound into the ledger, less what it may be wrong by, or says why it is not claimed. The claim of an
// optimum is about the solution in the solver's point: where the two agree within the solver's tolerances, it is the solution's value.
func (c *claim[S]) enter(l *models.Ledger[S], g *margin, end *models.End, says float64) {
	bound, why := g.bound(says)
	c.bound = new(g.held(says, bound, why))
	if why == "" {
		claimed := g.value(says)
		if c.own != nil && c.end == milp.Optimal {
			if value, _, ok := l.Value(*c.own); ok && math.Abs(value-claimed) <= 2*math.Abs(claimed-bound) {
				claimed = value
			}
		}
		l.Claim(claimed, bound)
		if end.Stop != models.Done || l.Closed() {
			return
		}
		_, why = g.safe(says)
		if why == "" {
			why = fmt.Sprintf("the solver's optimum is %v, %s", g.value(says), OtherValue)
		}
	}
	end.Claimed = nil
	if end.Stop == models.Done {
		end.Stop, end.Why = models.Cannot, "not claimed: "+why
		return
	}
	end.Stats.Raw = strings.TrimPrefix(end.Stats.Raw+"; not claimed: "+why, "; ")
}
