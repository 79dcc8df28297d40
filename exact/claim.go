package exact

import (
	"context"
	"fmt"
	"math"
	"slices"

	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/proof"
)

const (
	// relativeError is what a solver's bound loses in proportion to its size: eight times the largest error seen where nothing else
	// explains one.
	relativeError = 2e-7
	// mostError is the largest part of a value that is taken off a claim. One that would lose more is not made.
	mostError = 1e-6
	// perGrain is how many tolerances of integrality the smallest job must have, as a bound on how many binaries a job has in one row
	// of times. Below that, a solver can do a job in the time that they leave.
	perGrain = 10
	// costBits: the largest cost that a solver sees is about 2^costBits. Costs are whole multiples of 2^-gridBits, some 1e-13 of the
	// largest: what is smaller cannot show in the objective, and lp_solve 5.5.2 calls feasible models infeasible whose costs span more.
	costBits, gridBits = 16, 28
)

// scale gives the models costs whose largest is about 2^costBits, and returns the power of two by which they grew, as tolerances of
// solvers are absolute. Whole costs up to that stay, since solvers make use of them.
func (b *BuiltModel[S]) scale() (by int) {
	most := 0.0
	for _, c := range b.Model.Cols {
		most = max(most, math.Abs(c.Cost))
	}
	if most == 0 || b.Model.WholeObjective() && most <= 1<<costBits {
		return 0
	}
	_, exponent := math.Frexp(most)
	by = costBits - exponent
	costs := func(m *milp.Model) *milp.Model {
		if m == nil {
			return nil
		}
		n := *m
		n.Offset, n.Cols = math.Ldexp(m.Offset, by), slices.Clone(m.Cols)
		for j := range n.Cols {
			n.Cols[j].Cost = math.Ldexp(math.Round(math.Ldexp(n.Cols[j].Cost, by+gridBits)), -gridBits)
		}
		return &n
	}
	b.Model, b.Relaxation = costs(b.Model), costs(b.Relaxation)
	if refine := b.Refine; refine != nil {
		b.Refine = func(x []float64) *milp.Model { return costs(refine(x)) }
	}
	return by
}

// A margin turns what a solver says about a model into what can be claimed of the instance.
type margin struct {
	by       int // power of two by which the solver's costs are larger than the instance's
	maximize bool
	whole    bool // all values are whole
	absolute float64
	wholes   float64 // bounds what integers that are whole within the solver's tolerance alone may be worth
	trivial  float64 // a bound that the columns' bounds prove
	worth    func(v float64) float64
	least    float64 // Problem.Least
	refuse   string  // why nothing is claimed; empty: that depends on the value
}

// newMargin derives it from the model before its costs were scaled, and from the solver's tolerances: a row that is violated by t is
// worth at most t·Σ|cost| of the continuous columns, as that is what it costs to have all of them larger by t; and improvements that
// are within the tolerance of the scaled objective may be passed over.
func newMargin[S any](b *BuiltModel[S], own *milp.Model, by int, solver milp.Solver, least float64) *margin {
	tol := milp.ToleranceOf(solver)
	g := &margin{by: by, maximize: own.Maximize, whole: own.WholeObjective(), worth: b.ObjectiveOf, least: least, trivial: own.Offset}
	for _, c := range own.Cols {
		if c.Cost == 0 {
			continue
		}
		if !c.Integer {
			g.absolute += tol.Rows * math.Abs(c.Cost)
		} else {
			g.wholes += tol.Integers * math.Abs(c.Cost)
		}
		if (c.Cost > 0) != own.Maximize {
			g.trivial += c.Cost * c.Lo
		} else {
			g.trivial += c.Cost * c.Hi
		}
	}
	g.absolute += math.Ldexp(tol.Integers, -by)
	if b.Grain > 0 && own.Integers() && b.Grain < perGrain*tol.Integers {
		g.refuse = fmt.Sprintf("works span 10^%.0f: the smallest is %.1g of the horizon, and %s takes numbers within %.0g of an integer for whole",
			math.Ceil(-math.Log10(b.Grain)), b.Grain, solver.Name(), tol.Integers)
	}
	return g
}

// error bounds the error of a value or bound of the scaled model.
func (g *margin) error(v float64) float64 {
	return relativeError*math.Abs(v) + math.Ldexp(g.absolute, g.by)
}

// lost bounds by how much the solver's tolerances may change a value of the scaled model, in the instance's terms.
func (g *margin) lost(v float64) float64 {
	claimed, by := math.Ldexp(v, -g.by), math.Ldexp(g.error(v), -g.by)
	return max(math.Abs(g.worth(claimed)-g.worth(claimed-by)), math.Abs(g.worth(claimed)-g.worth(claimed+by)))
}

// held is the bound that the audit holds a solver to. It is bound, unless the claim is not made, which why says: then it is looser by
// what integers within the solver's tolerance may be worth, since a value that is small beside their costs refutes nobody.
func (g *margin) held(v, bound float64, why string) float64 {
	if why == "" || g.refuse != "" {
		return bound
	}
	sign := 1.0
	if g.maximize {
		sign = -1
	}
	loose := g.worth(math.Ldexp(v, -g.by) - sign*(math.Ldexp(g.error(v), -g.by)+g.wholes))
	if g.maximize {
		return max(loose, bound)
	}
	return min(loose, bound)
}

// value is what a point of a value in the scaled model is worth.
func (g *margin) value(v float64) float64 { return g.worth(math.Ldexp(v, -g.by)) }

// bound is a solver's bound, in the instance's terms, less what it may be wrong by, or a bound that needs no solver where that is no
// worse; why says why neither can be claimed.
func (g *margin) bound(v float64) (bound float64, why string) {
	bound, why = g.safe(v)
	if trivial := g.worth(g.trivial); !g.maximize && trivial >= bound || g.maximize && trivial <= bound {
		return trivial, ""
	}
	return bound, why
}

// safe is a solver's bound, in the instance's terms, less what it may be wrong by; why says why that cannot be claimed.
func (g *margin) safe(v float64) (bound float64, why string) {
	claimed, sign, inwards := math.Ldexp(v, -g.by), 1.0, math.Ceil
	if g.maximize {
		sign, inwards = -1, math.Floor
	}
	bound = claimed - sign*math.Ldexp(g.error(v), -g.by)
	if g.whole {
		bound = inwards(bound)
	}
	if g.refuse != "" {
		return g.worth(bound), g.refuse
	}
	lost, value := math.Abs(g.worth(claimed)-g.worth(bound)), g.worth(claimed)
	if size := max(math.Abs(value), g.least); !(lost <= mostError*size) {
		return g.worth(bound), fmt.Sprintf("the value %.4g is small beside the model's numbers: the solver's tolerances are worth %.1g", value, lost)
	}
	return g.worth(bound), ""
}

// A claim is what a solver says, which the instance's page may not: its end, the value that it calls optimal and its bound less
// its tolerances, nil where it says nothing; with what it was given and what its point is worth.
type claim[S any] struct {
	who          string // solver, version and model
	end          milp.Status
	value, bound *float64
	lost         float64 // the most by which its tolerances may change the value
	own, start   *S      // solutions; nil: none
}

// audit holds the claims of a solver against all that is known: its own solution, the start, the heuristics of the class, the bounds
// that are computed at once and those by prices. It runs after the solver has ended and outside of its time; what the solver was not
// given counts as well. The first contradiction is returned. Its bound has lost the solver's tolerances, so that what refutes it is
// beyond these. What heuristics and bounds know of the instance is found out once for all audits (models.Known): it depends on nothing
// that the solver says, and the ledger of each audit checks the solutions itself.
func (t *Target[I, S]) audit(ctx context.Context, parts Deps[I, S], p *models.Pass[I, S], says claim[S]) *models.Refutation {
	in := p.Instance
	l := models.NewLedger(Rules(t.Problem, t.Reference, in, nil, p.Ask), nil, nil)
	l.Speak(says.who)
	switch {
	case says.end == milp.Infeasible:
		l.Impossible()
	case says.bound != nil:
		l.Bound(*says.bound)
	default:
		return nil
	}
	e := evidence[S]{l, says, nil}
	if says.own != nil {
		e.offer("its own solution", *says.own)
	}
	if says.start != nil {
		e.offer("the start", *says.start)
	} else if parts.Start != nil && e.found == nil {
		s, err := models.Once(ctx, p.Known, fact{t, "start"}, func() (S, error) { return parts.Start(ctx, in) })
		if err == nil {
			e.offer("the heuristic start", s)
		}
	}
	if parts.Witness != nil && e.found == nil {
		s, err := models.Once(ctx, p.Known, fact{t, "witness"}, func() (S, error) { return parts.Witness(ctx, in) })
		if err == nil {
			e.offer("the method that needs no solver", s)
		}
	}
	for _, h := range slices.Concat(parts.Heuristics, parts.Portfolio.Others) {
		if e.found != nil {
			break
		}
		if ctx.Err() != nil {
			return nil
		}
		if !t.knows(h, in) {
			continue
		}
		found, err := models.Once(ctx, p.Known, seeded{h, p.Seed}, func() (*S, error) {
			o, err := h.AtDefaults(ctx, in, p.Seed)
			if err != nil || !o.Found {
				return nil, err
			}
			return &o.Solution, nil
		})
		if err == nil && found != nil {
			e.offer(h.Name, *found)
		}
	}
	if e.found != nil {
		return e.found
	}
	return t.beyondBounds(ctx, parts, p, says)
}

// evidence looks for a solution that refutes a claim, with a ledger that holds the claim and nothing else.
type evidence[S any] struct {
	ledger *models.Ledger[S]
	says   claim[S]
	found  *models.Refutation // the first one; nil: none yet
}

// offer enters a solution, unless the claim is refuted already.
func (e *evidence[S]) offer(name string, s S) {
	if e.found != nil {
		return
	}
	e.ledger.Speak(name)
	e.ledger.Offer(s)
	for _, r := range e.ledger.Refused() {
		if math.IsNaN(r.Value) {
			continue
		}
		claimed := r.Bound
		if e.says.value != nil && e.says.end != milp.Infeasible {
			claimed = *e.says.value
		}
		e.found = &models.Refutation{Claim: claimed, Bound: r.Bound, Evidence: r.Value, Who: e.says.who, By: r.ValueBy}
		return
	}
}

// Keys of what is known of an instance, by Target or heuristic.
type (
	fact struct {
		target any
		name   string
	}
	seeded struct {
		heuristic any
		seed      uint64
	}
)

// beyondBounds holds the value that a solver calls optimal against proven bounds.
func (t *Target[I, S]) beyondBounds(ctx context.Context, parts Deps[I, S], p *models.Pass[I, S], says claim[S]) *models.Refutation {
	if says.end != milp.Optimal || says.value == nil {
		return nil
	}
	in, claim, sense := p.Instance, *says.value, t.Problem.Sense
	// Where values are small beside the model's numbers, the solver may be right and yet be beyond the bound.
	allowed := max(mostError*math.Abs(claim), says.lost, t.Problem.Accuracy(in, 0).Allowed(claim))
	check := func(name string, bound float64) *models.Refutation {
		if sense.Better(claim, bound) && !(math.Abs(claim-bound) <= allowed) {
			return &models.Refutation{Claim: claim, Bound: claim, Evidence: bound, Who: says.who, By: name, Proven: true}
		}
		return nil
	}
	if parts.Bound != nil {
		if b, err := models.Once(ctx, p.Known, fact{t, "bound"}, func() (float64, error) { return parts.Bound(ctx, in) }); err == nil {
			if r := check("the bound at once", b); r != nil {
				return r
			}
		}
	}
	if parts.Prices != nil {
		c, err := models.Once(ctx, p.Known, fact{t, "prices"}, func() (*proof.Claim, error) {
			c, err := parts.Prices(ctx, in)
			if c == nil {
				return nil, err
			}
			return &proof.Claim{Bound: c.Bound, Reference: c.Reference}, err // its lines are long
		})
		if err == nil && c != nil && c.Bound != nil && models.Within(t.Problem.References, t.Reference, c.Reference) {
			return check("the bound by prices", *c.Bound)
		}
	}
	return nil
}

// knows reports whether a heuristic's solutions are of t's class and it applies to in.
func (t *Target[I, S]) knows(h *models.Algorithm[I, S], in I) bool {
	return h.Arg == "" && models.Within(t.Problem.References, h.Smallest(), t.Reference) && (h.Applies == nil || h.Applies(in, "") == nil)
}

// relaxed is the margin of the relaxation, whose values need not be whole and which has no integers to be taken for whole.
func (g *margin) relaxed() *margin {
	r := *g
	r.whole, r.refuse = false, ""
	return &r
}
