// Package exact turns formulations and combinatorial methods into algorithms that prove optimality.
//
// A problem's exact package states a Target: an optimum with its Formulations (MILP models) and Methods (searches of its own).
// bench/catalog gives it the Parts from outside, such as solvers and heuristics, and gets an algorithm that the harness runs. If
// nobody names a solver or a model, the algorithm is a portfolio of all that can help (Portfolio).
package exact

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/proof"
)

// A Formulation states a problem's instances as MILPs. Every instance that it applies to has a solution.
type Formulation[I models.Instance, S any] struct {
	Name string // as in --model
	Doc  string // title line, blank line, derivation or source
	// Rows are the families of rows that Build makes. A row is called FAMILY or FAMILY[index,…]; a family that bears the name of
	// a constraint states that constraint, all others are auxiliary.
	Rows []Row
	// Applies returns why the formulation cannot state in; nil func or nil: it can.
	Applies func(in I) error
	Build   func(in I, as Form) (*Built[S], error)
}

// A Form says for whom a model is built.
type Form struct {
	// Bare: for solves without a start, without what bounds and heuristics know.
	Bare bool
	// Exactly: for solvers that compute in rationals. Numbers are whole or the instance's own, and what has to be rounded, bounds
	// and tolerances, is rounded so that no solution is lost.
	Exactly bool
}

// A Row is a family of rows of a model.
type Row struct {
	Name      string
	Statement string // in the symbols of the problem's page under docs/problems
	Cut       bool   // it leaves an optimum, and the others state the problem without it
}

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

// A Method is a combinatorial exact method.
type Method[I models.Instance, S any] struct {
	Name    string // as in --solver; empty for an only method
	Doc     string
	Applies func(in I) error
	Solve   Solving[I, S]
	// Prove makes a proof that exact/verify accepts, in a pass of its own after the search: s is the best solution found, value
	// its objective by the checker, and bound the search's bound: the value, if s is optimal, infinite if there is none. The
	// claim proves that bound or, if ctx ends too early, a worse one. A nil func means that the method has no proofs, a nil
	// claim that it has none of in.
	Prove func(ctx context.Context, in I, s S, value, bound float64) (*proof.Claim, error)
}

// A Target is an optimum with all the ways to it.
type Target[I models.Instance, S any] struct {
	Name, Doc        string
	Reference, Class string
	Applies          func(in I, arg string) error
	Formulations     []*Formulation[I, S]
	Methods          []*Method[I, S]
	// Choose returns the names of the method and of the formulation that are best for in. The method is used when nothing is
	// asked for, the formulation when there is none or a MILP solver is asked for.
	Choose func(in I) (method, formulation string)
	// Params of the target, such as options of the methods.
	Params []models.Param
}

// Parts are the solvers and heuristics that a Target gets from outside, since imports go the other way.
type Parts[I models.Instance, S any] struct {
	Solvers []milp.Solver // the first available one is the default
	// Start returns a good feasible solution to start from; nil func: none.
	Start func(ctx context.Context, in I) (S, error)
	// Heuristics are run before the search, those of the target's class: the search starts
	// from the best value by the checker of Problem, and nothing worse ends as optimal. Problem may be nil: then Start alone
	// counts, unchecked.
	Heuristics []*models.Algorithm[I, S]
	Problem    *models.Problem[I, S]
	// Bound returns a proven bound on the target's optimum at once; nil func: none. Sense says on which side it is.
	Bound     func(ctx context.Context, in I) (float64, error)
	Sense     models.Sense
	Portfolio Portfolio[I, S]
	// Prices proves a bound on the optimum of the widest reference where a method has no proof; nil func: nothing does.
	Prices func(ctx context.Context, in I) (*proof.Claim, error)
}

// Bound is a bound that is computed at once as an algorithm.
func Bound[I models.Instance, S any](
	name, doc, reference string, value func(ctx context.Context, in I) (float64, error),
) *models.Algorithm[I, S] {
	return &models.Algorithm[I, S]{
		Name: name, Doc: doc, Kind: models.Bound, Reference: reference,
		Run: func(ctx context.Context, p *models.Pass[I, S]) (out models.Outcome[S], err error) {
			b, err := value(ctx, p.Instance)
			if err != nil {
				return out, err
			}
			p.Bounded(b)
			return models.Outcome[S]{Status: models.Feasible, Bound: &b}, nil
		},
	}
}

// PricesOf takes the proof of a bound algorithm.
func PricesOf[I models.Instance, S any](a *models.Algorithm[I, S]) func(ctx context.Context, in I) (*proof.Claim, error) {
	return func(ctx context.Context, in I) (*proof.Claim, error) {
		out, err := a.AtDefaults(ctx, in, 0)
		if err != nil || out.Proof == nil {
			return nil, err
		}
		claim := *out.Proof
		claim.Bound, claim.Reference = out.Bound, a.Reference
		return &claim, nil
	}
}

// Algorithm makes t an algorithm like any other.
func (t *Target[I, S]) Algorithm(parts Parts[I, S]) *models.Algorithm[I, S] {
	a := &models.Algorithm[I, S]{
		Name: t.Name, Doc: t.Doc, Kind: models.Exact, Reference: t.Reference, Class: t.Class, Applies: t.Applies, Params: t.Params,
	}
	for _, m := range t.Methods {
		proves := m.Prove != nil || parts.Prices != nil
		a.Proves = a.Proves || proves
		if m.Name == "" {
			continue
		}
		a.Solvers = append(a.Solvers, m.Name)
		if proves {
			a.Provers = append(a.Provers, m.Name)
		}
	}
	if len(t.Formulations) > 0 {
		a.Params = append(slices.Clone(t.Params), Start)
		for _, s := range parts.Solvers {
			a.Solvers = append(a.Solvers, s.Name())
		}
	}
	for _, f := range t.Formulations {
		a.Models = append(a.Models, f.Name)
	}
	a.Run = func(ctx context.Context, p *models.Pass[I, S]) (models.Outcome[S], error) {
		return t.run(ctx, parts, p)
	}
	return a
}

func (t *Target[I, S]) run(ctx context.Context, parts Parts[I, S], p *models.Pass[I, S]) (models.Outcome[S], error) {
	var none models.Outcome[S]
	method, solver, formulation, err := t.pick(parts, p)
	if err != nil {
		return none, err
	}
	var start *S
	if !bare(p) {
		if start, err = t.start(ctx, parts, p); err != nil {
			return none, err
		}
	}
	var known *float64
	if parts.Bound != nil && !bare(p) {
		b, err := parts.Bound(ctx, p.Instance)
		if err != nil {
			return none, fmt.Errorf("bound of %s: %w", t.Name, err)
		}
		known = &b
		p.Bounded(b)
	}
	if ctx.Err() != nil && start != nil {
		return models.Outcome[S]{Solution: *start, Found: true, Status: models.Timeout, Bound: known}, nil
	}
	var out models.Outcome[S]
	if method != nil && p.Solver == "" && p.Model == "" && !bare(p) {
		out, err = t.portfolio(ctx, parts, p, method, start, known)
	} else if method != nil {
		out, err = method.Solve(ctx, p, start)
		out.Stats.Solver = method.Name
	} else {
		out, err = solveMILP(ctx, parts, formulation, solver, p, start)
	}
	if err == nil && start != nil && parts.Problem != nil {
		t.compare(ctx, parts.Problem, p.Instance, *start, &out)
	}
	if err == nil && method == nil && out.Status == models.Infeasible {
		err = fmt.Errorf("model %s by %s: refusing \"infeasible\": every instance has a solution (%s)", formulation.Name, solver.Name(),
			out.Stats.Raw)
	}
	// At a limit the better of two bounds counts.
	if out.Status != models.Optimal && known != nil && (out.Bound == nil || parts.Sense.Better(*out.Bound, *known)) {
		out.Bound = known
	}
	if err == nil && parts.Problem != nil {
		t.close(parts.Problem, p.Instance, &out)
	}
	if method != nil && p.Prove {
		out.Prove = method.proof(parts, p.Instance, out)
	}
	return out, err
}

// proof is the pass that proves an outcome: the method's own where there is a solution and it has one, else that of prices.
func (m *Method[I, S]) proof(
	parts Parts[I, S], in I, out models.Outcome[S],
) func(ctx context.Context, value float64) (*proof.Claim, error) {
	own := m.Prove
	if !out.Found {
		own = nil
	}
	if own == nil && parts.Prices == nil {
		return nil
	}
	return func(ctx context.Context, value float64) (claim *proof.Claim, err error) {
		if own != nil {
			bound := value
			if out.Status != models.Optimal {
				if bound = math.Inf(-int(parts.Sense)); out.Bound != nil {
					bound = *out.Bound
				}
			}
			claim, err = own(ctx, in, out.Solution, value, bound)
		}
		if claim == nil && err == nil && parts.Prices != nil {
			claim, err = parts.Prices(ctx, in)
		}
		return claim, err
	}
}

// pick settles on a method, or on a formulation with a solver.
func (t *Target[I, S]) pick(parts Parts[I, S], p *models.Pass[I, S]) (
	method *Method[I, S], solver milp.Solver, formulation *Formulation[I, S], err error,
) {
	methodName, modelName := p.Solver, p.Model
	if modelName == "" {
		best, formulation := t.Choose(p.Instance)
		if p.Prove {
			best = t.prover(p.Instance, best)
		}
		if methodName == "" {
			methodName = best
		}
		modelName = formulation
	}
	for _, m := range t.Methods {
		if m.Name != methodName {
			continue
		}
		if p.Model != "" {
			return nil, nil, nil, models.NotApplicablef("%s by %s has no use for a model, %q", t.Name, m.Name, p.Model)
		}
		if m.Applies != nil {
			if err := m.Applies(p.Instance); err != nil {
				return nil, nil, nil, models.NotApplicablef("%s by %s: %v", t.Name, m.Name, err)
			}
		}
		return m, nil, nil, nil
	}
	var why error
	for _, chosen := range []bool{true, false} {
		for _, f := range t.Formulations {
			if chosen != (f.Name == modelName) || formulation != nil || !chosen && p.Model != "" {
				continue
			}
			var not error
			if f.Applies != nil {
				not = f.Applies(p.Instance)
			}
			switch {
			case not == nil:
				formulation = f
			case p.Model != "":
				return nil, nil, nil, models.NotApplicablef("model %s: %v", f.Name, not)
			case why == nil:
				why = not
			}
		}
	}
	if formulation == nil {
		if why != nil {
			return nil, nil, nil, models.NotApplicablef("%s has no model for this instance: %v", t.Name, why)
		}
		return nil, nil, nil, models.NotApplicablef("%s has no model for this instance", t.Name)
	}
	for _, s := range parts.Solvers {
		if p.Solver == "" || s.Name() == p.Solver {
			return nil, s, formulation, nil
		}
	}
	return nil, nil, nil, fmt.Errorf("no MILP solver %q", p.Solver)
}

// prover names a method for in that proves; best, if there is none or best does.
func (t *Target[I, S]) prover(in I, best string) string {
	other := best
	for _, m := range t.Methods {
		if m.Prove == nil || m.Applies != nil && m.Applies(in) != nil {
			continue
		}
		if m.Name == best {
			return best
		}
		if other == best {
			other = m.Name
		}
	}
	return other
}

// solveMILP builds, solves, decodes. A solver's bound, that of an optimum too, loses the solver's tolerances.
func solveMILP[I models.Instance, S any](
	ctx context.Context, parts Parts[I, S], f *Formulation[I, S], solver milp.Solver, p *models.Pass[I, S], start *S,
) (models.Outcome[S], error) {
	var out models.Outcome[S]
	began := time.Now()
	built, err := f.Build(p.Instance, Form{Bare: bare(p)})
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

// Exporter writes the formulations of a problem.
func Exporter[I models.Instance, S any](formulations ...*Formulation[I, S]) *models.Exporter[I] {
	e := &models.Exporter[I]{}
	for _, f := range formulations {
		e.Models = append(e.Models, f.Name)
	}
	e.Write = func(w io.Writer, in I, model, format string, exactly bool) error {
		for _, f := range formulations {
			if f.Name != model {
				continue
			}
			if f.Applies != nil {
				if err := f.Applies(in); err != nil {
					return models.NotApplicablef("model %s: %v", f.Name, err)
				}
			}
			built, err := f.Build(in, Form{Exactly: exactly})
			if err != nil {
				return fmt.Errorf("build model %s: %w", f.Name, err)
			}
			switch format {
			case "mps":
				return milp.WriteMPS(w, built.Model, exactly)
			case "lp":
				return milp.WriteLP(w, built.Model, exactly)
			}
			return fmt.Errorf("unknown format %q; it must be mps or lp", format)
		}
		return fmt.Errorf("unknown model %q", model)
	}
	return e
}
