// Package exact turns formulations and combinatorial methods into algorithms that prove optimality.
//
// A problem's exact package states a Target: an optimum with its Formulations (MILP models) and Methods (searches of its own).
// bench/catalog gives it the Deps from outside, such as solvers and heuristics, and gets an algorithm that the harness runs. If
// nobody names a solver or a model, the algorithm is a portfolio of all that can help (Portfolio).
package exact

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"

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
	Build   func(in I, as BuildOptions) (*BuiltModel[S], error)
}

// BuildOptions say for which solve a model is built.
type BuildOptions struct {
	// NoStart omits everything that is derived from bounds or heuristics.
	NoStart bool
	// Context ends what builds a model or decodes a point of it, where that is a command; nil: nothing does.
	Context context.Context
}

// A Row is a family of rows of a model.
type Row struct {
	Name      string
	Statement string // in the symbols of the problem's page under docs/problems
	Cut       bool   // it leaves an optimum, and the others state the problem without it
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
	Problem          *models.Problem[I, S]
	Reference, Class string
	Applies          func(in I, arg string) error
	Formulations     []*Formulation[I, S]
	Methods          []*Method[I, S]
	// Choose returns the names of the method and of the formulation that are best for in. The method is used when nothing is
	// asked for, the formulation when there is none or a MILP solver is asked for.
	Choose func(in I) (method, formulation string)
	// Insoluble says that instances may have no solution, so that a solver's "infeasible" is an answer. Without it, it is an error,
	// unless a solution refutes it.
	Insoluble bool
	// Params of the target, such as options of the methods.
	Params []models.Param
}

// Deps are the solvers and heuristics that a Target gets from outside, since imports go the other way.
type Deps[I models.Instance, S any] struct {
	Solvers []milp.Solver // the first available one is the default
	// Start returns a good feasible solution to start from; nil func: none.
	Start func(ctx context.Context, in I) (S, error)
	// Witness returns a solution of a method that needs no solver. Claims of solvers are held against it, and solvers are never given it.
	// A nil func means that there is none.
	Witness func(ctx context.Context, in I) (S, error)
	// Heuristics are run before the search, those of the target's class: the search starts
	// from the best value, and nothing worse ends as optimal.
	Heuristics []*models.Algorithm[I, S]
	// Bound returns a proven bound on the target's optimum at once; nil func: none.
	Bound func(ctx context.Context, in I) (float64, error)
	// Grid is a number of which all values of in are whole multiples, exactly; nil, and nil func: none is known.
	Grid      func(in I) *big.Rat
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
func (t *Target[I, S]) Algorithm(parts Deps[I, S]) *models.Algorithm[I, S] {
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

// run has the ledger filled and reads the outcome off it.
func (t *Target[I, S]) run(ctx context.Context, parts Deps[I, S], p *models.Pass[I, S]) (out models.Outcome[S], err error) {
	method, solver, formulation, err := t.pick(parts, p)
	if err != nil {
		return out, err
	}
	var grid *big.Rat
	if parts.Grid != nil {
		grid = parts.Grid(p.Instance)
	}
	pass := *p
	pass.Ledger = models.NewLedger(Rules(t.Problem, t.Reference, p.Instance, grid, p.Ask), p.Improved, p.Bounded)
	pass.Improved, pass.Bounded = nil, nil // methods speak through the ledger
	end, err := t.ask(ctx, parts, &pass, method, solver, formulation)
	out.Stats = end.Stats
	if err != nil {
		return out, err
	}
	return t.outcome(parts, &pass, method, end), nil
}

// ask runs what was picked, after what is known at once.
func (t *Target[I, S]) ask(
	ctx context.Context, parts Deps[I, S], p *models.Pass[I, S], method *Method[I, S], solver milp.Solver, formulation *Formulation[I, S],
) (end models.End, err error) {
	if !bare(p) {
		if method != nil {
			p.Speak(method.Name)
		}
		if err := t.start(ctx, parts, p); err != nil {
			return end, err
		}
		if parts.Bound != nil {
			b, err := parts.Bound(ctx, p.Instance)
			if err != nil {
				return end, fmt.Errorf("bound of %s: %w", t.Name, err)
			}
			p.Bound(b)
		}
		if !p.Closed() {
			t.rivals(ctx, parts, p)
		}
		if _, _, found := p.Best(); found && ctx.Err() != nil {
			return models.End{Stop: models.Limit}, nil
		}
	}
	switch {
	case method == nil:
		end, says, err := solveMILP(ctx, parts, t, formulation, solver, p)
		end.Audit = func(ctx context.Context) *models.Refutation { return t.audit(ctx, parts, p, says) }
		return end, err
	case p.Solver == "" && p.Model == "" && !bare(p):
		return t.portfolio(ctx, parts, p, method)
	}
	return method.run(ctx, p)
}

// run is a method alone.
func (m *Method[I, S]) run(ctx context.Context, p *models.Pass[I, S]) (models.End, error) {
	p.Speak(m.Name)
	end, err := m.Solve(ctx, p)
	end.Stats.Solver = m.Name
	return end, err
}

// Alone runs one of t's methods, from a solution or none, on a ledger of its own.
func (t *Target[I, S]) Alone(ctx context.Context, m *Method[I, S], p *models.Pass[I, S], start *S) (models.Outcome[S], error) {
	pass := *p
	pass.Ledger = models.NewLedger(Rules(t.Problem, t.Reference, p.Instance, nil, p.Ask), p.Improved, p.Bounded)
	if start != nil {
		pass.Offer(*start)
	}
	end, err := m.run(ctx, &pass)
	return t.outcome(Deps[I, S]{}, &pass, m, end), err
}

// outcome is what a ledger says after an end.
func (t *Target[I, S]) outcome(parts Deps[I, S], p *models.Pass[I, S], method *Method[I, S], end models.End) models.Outcome[S] {
	out := models.Outcome[S]{Stats: end.Stats, Claimed: end.Claimed, Relax: end.Relax, Audit: end.Audit}
	var why string
	out.Status, why = p.Status(models.Exact, end)
	if out.Stats.Raw == "" {
		out.Stats.Raw = why
	} else if why != "" {
		out.Stats.Raw += "; " + why
	}
	out.Solution, _, out.Found = p.Best()
	if !out.Found {
		out.Solution, out.Found = p.Invalid() // for the judge to say what is wrong with it
	}
	if b, ok := p.Proven(); ok && !math.IsInf(b, 0) {
		out.Bound = &b
	}
	if method != nil && p.Prove {
		out.Prove = method.proof(parts, t.Problem.Sense, p.Instance, out)
	}
	return out
}

// proof is the pass that proves an outcome: the method's own where there is a solution and it has one, else that of prices.
func (m *Method[I, S]) proof(
	parts Deps[I, S], sense models.Sense, in I, out models.Outcome[S],
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
				bound = math.Inf(-int(sense))
				if out.Bound != nil {
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
func (t *Target[I, S]) pick(parts Deps[I, S], p *models.Pass[I, S]) (
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
	method, err = t.method(methodName, p)
	if method != nil || err != nil {
		return method, nil, nil, err
	}
	formulation, err = t.formulation(modelName, p)
	if err != nil {
		return nil, nil, nil, err
	}
	for _, s := range parts.Solvers {
		if p.Solver == "" || s.Name() == p.Solver {
			return nil, s, formulation, nil
		}
	}
	return nil, nil, nil, fmt.Errorf("no MILP solver %q", p.Solver)
}

// method is the method of that name; nil means that the target has none, so that a MILP solver is meant. It is an error if the method
// does not apply to the instance, or if the pass names a model.
func (t *Target[I, S]) method(name string, p *models.Pass[I, S]) (*Method[I, S], error) {
	k := slices.IndexFunc(t.Methods, func(m *Method[I, S]) bool { return m.Name == name })
	if k < 0 {
		return nil, nil
	}
	m := t.Methods[k]
	if p.Model != "" {
		return nil, models.NotApplicablef("%s by %s has no use for a model, %q", t.Name, m.Name, p.Model)
	}
	if m.Applies != nil {
		if err := m.Applies(p.Instance); err != nil {
			return nil, models.NotApplicablef("%s by %s: %v", t.Name, m.Name, err)
		}
	}
	return m, nil
}

// formulation is the first one that applies to the instance, the preferred one before all others. If the pass names a model no other
// one will do.
func (t *Target[I, S]) formulation(preferred string, p *models.Pass[I, S]) (*Formulation[I, S], error) {
	isPreferred := func(f *Formulation[I, S]) bool { return f.Name == preferred }
	var list []*Formulation[I, S]
	if k := slices.IndexFunc(t.Formulations, isPreferred); k >= 0 {
		list = append(list, t.Formulations[k])
	}
	if p.Model == "" {
		list = append(list, slices.DeleteFunc(slices.Clone(t.Formulations), isPreferred)...)
	}
	var why error // of the first one
	for _, f := range list {
		var not error
		if f.Applies != nil {
			not = f.Applies(p.Instance)
		}
		if not == nil {
			return f, nil
		}
		if why == nil {
			why = not
		}
	}
	switch {
	case why == nil:
		return nil, models.NotApplicablef("%s has no model for this instance", t.Name)
	case p.Model != "":
		return nil, models.NotApplicablef("model %s: %v", preferred, why)
	}
	return nil, models.NotApplicablef("%s has no model for this instance: %v", t.Name, why)
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

// Exporter writes the formulations of a problem.
func Exporter[I models.Instance, S any](formulations ...*Formulation[I, S]) *models.Exporter[I] {
	e := &models.Exporter[I]{}
	for _, f := range formulations {
		e.Models = append(e.Models, f.Name)
	}
	e.Write = func(w io.Writer, in I, model, format string) error {
		for _, f := range formulations {
			if f.Name != model {
				continue
			}
			if f.Applies != nil {
				if err := f.Applies(in); err != nil {
					return models.NotApplicablef("model %s: %v", f.Name, err)
				}
			}
			built, err := f.Build(in, BuildOptions{})
			if err != nil {
				return fmt.Errorf("build model %s: %w", f.Name, err)
			}
			switch format {
			case "mps":
				return milp.WriteMPS(w, built.Model)
			case "lp":
				return milp.WriteLP(w, built.Model)
			}
			return fmt.Errorf("unknown format %q; it must be mps or lp", format)
		}
		return fmt.Errorf("unknown model %q", model)
	}
	return e
}
