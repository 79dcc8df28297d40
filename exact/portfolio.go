package exact

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"schedgap/exact/verify"
	"schedgap/models"
)

// A Portfolio is what an exact algorithm asks besides its method where the choice is its own and time is limited. All share one
// ledger: the best value and the best bound that any of them knows.
type Portfolio[I models.Instance, S any] struct {
	// Others are bounds that improve with time, searches for values, and exact algorithms of other classes. Of those whose solutions
	// are of the class the values count, of those whose reference holds the class the bounds.
	Others []*models.Algorithm[I, S]
	// Model names the formulation that a MILP solver is given when the method does not end soon; nil func or "": none.
	Model func(in I) string
	// Grid is a number of which all optima of in are whole multiples, exactly; nil, and nil func: none is known.
	Grid func(in I) *big.Rat
}

// Shares of the time limit. A method that ends within the first share is asked alone. Where it has left a gap of more than near by
// then, the others follow before it goes on; else at the end.
const (
	firstShare  = 0.05
	assistShare = 0.1
	near        = 0.002
)

// A ledger holds the best value and the best bound of an instance.
type ledger[I models.Instance, S any] struct {
	t     *Target[I, S]
	parts Parts[I, S]
	p     *models.Pass[I, S]
	out   models.Outcome[S] // the best of all: solution, bound, and the work of all together
	value float64           // of its solution
	grid  *big.Rat
	notes []string // why some end early
}

// note records the reason why a method ended early or was refused.
func (l *ledger[I, S]) note(who, why string) {
	if note := who + ": " + why; !slices.Contains(l.notes, note) {
		l.notes = append(l.notes, note)
	}
}

// enter takes from an outcome what is better than what is known, and reports whether the optimum is proven. Who is named as the
// solver is the one that improved value or bound last.
func (l *ledger[I, S]) enter(out models.Outcome[S], by string) bool {
	sense := l.parts.Sense
	improved := false
	// What a known solution contradicts is refused: an optimum that is worse, and a bound beyond its value.
	if l.out.Found && out.Status == models.Optimal && out.Found {
		v, ok := l.t.value(l.parts.Problem, l.p.Instance, out.Solution)
		if !ok || sense.Better(l.value, v) && !l.t.same(l.parts.Problem, l.p.Instance, l.value, v) {
			out.Status, out.Bound = models.Feasible, nil
		}
	}
	if l.out.Found && out.Bound != nil && sense.Better(l.value, *out.Bound) && !l.t.same(l.parts.Problem, l.p.Instance, l.value, *out.Bound) {
		out.Bound = nil
	}
	if out.Found {
		if v, ok := l.t.value(l.parts.Problem, l.p.Instance, out.Solution); ok && (!l.out.Found || sense.Better(v, l.value)) {
			l.out.Solution, l.out.Found, l.out.Claimed, l.value, improved = out.Solution, true, nil, v, true
			l.p.Improved(out.Solution)
		}
	}
	if out.Bound != nil && !math.IsInf(*out.Bound, 0) {
		b := l.rounded(*out.Bound)
		if l.out.Bound == nil || sense.Better(*l.out.Bound, b) {
			l.out.Bound, improved = &b, true
			l.p.Bounded(b)
		}
	}
	nodes := l.out.Stats.Nodes
	if out.Stats.Nodes != nil {
		sum := *out.Stats.Nodes
		if nodes != nil {
			sum += *nodes
		}
		nodes = &sum
	}
	if improved || l.out.Stats.Solver == "" {
		l.out.Stats = out.Stats
		l.out.Stats.Solver = by
	}
	l.out.Stats.Nodes = nodes
	if l.out.Status = out.Status; out.Status == models.Optimal {
		l.out.Bound = out.Bound // nil stands for the value, and what was known before is no better
	} else {
		l.t.close(l.parts.Problem, l.p.Instance, &l.out)
	}
	return l.out.Status == models.Optimal
}

// OnGrid is a bound, from below, on the grid of values: a value between two multiples is none. A bound may err by what values are
// the same up to, 1e-9 of it, so as much and a millionth of the grid is left: one that is a little above a multiple is not taken
// to the next one.
func OnGrid(b float64, grid *big.Rat) float64 {
	if grid == nil {
		return b
	}
	step, _ := grid.Float64()
	slack := 1e-6*step + 2e-9*math.Abs(b)
	if !(slack < step/2) {
		return b
	}
	return max(b, verify.OnGrid(b-slack, grid))
}

// Above is the value from which on a bound says that nothing is better than best: what is better is no more than the multiple of
// the grid before best. Without a grid it is least, which leaves the tolerance of a search.
func Above(best, least float64, grid *big.Rat) float64 {
	if grid == nil {
		return least
	}
	step, _ := grid.Float64()
	slack := 1e-6*step + 2e-9*math.Abs(best)
	if !(slack < step/4) {
		return least
	}
	return min(least, OnGrid(best-2*slack, grid)-step+2*slack)
}

// rounded is a bound on the grid.
func (l *ledger[I, S]) rounded(b float64) float64 {
	if l.parts.Sense == models.Maximize {
		return -OnGrid(-b, l.grid)
	}
	return OnGrid(b, l.grid)
}

// gap is the distance of value and bound over the value.
func (l *ledger[I, S]) gap() float64 {
	if !l.out.Found || l.out.Bound == nil {
		return math.Inf(1)
	}
	return math.Abs(l.value-*l.out.Bound) / max(math.SmallestNonzeroFloat64, math.Abs(l.value))
}

// ask runs an algorithm for some time and enters what it says.
func (l *ledger[I, S]) ask(ctx context.Context, a *models.Algorithm[I, S], most time.Duration) (proven bool) {
	in := l.p.Instance
	if a == nil || ctx.Err() != nil || a.Applies != nil && a.Applies(in, "") != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	references := l.parts.Problem.References
	values, bounds := models.Within(references, a.Smallest(), l.t.Reference), models.Within(references, l.t.Reference, a.Reference)
	if a.Kind == models.Bound {
		values = false
	} else if a.Kind != models.Exact {
		bounds = false
	}
	if !values && !bounds {
		return false
	}
	out, err := a.AtDefaults(ctx, in, l.p.Seed)
	switch {
	case err != nil && ctx.Err() == nil:
		l.note(a.Name, err.Error())
		fallthrough
	case err != nil:
		return false
	case out.Status != models.Optimal && out.Stats.Raw != "":
		l.note(a.Name, out.Stats.Raw)
	}
	out.Status = models.Timeout
	if out.Found = out.Found && values; !bounds {
		out.Bound = nil
	}
	return l.enter(out, a.Name)
}

// assist asks the others, each for some time.
func (l *ledger[I, S]) assist(ctx context.Context, each time.Duration) (proven bool) {
	return slices.ContainsFunc(l.parts.Portfolio.Others, func(a *models.Algorithm[I, S]) bool { return l.ask(ctx, a, each) })
}

// portfolio is the method of an exact algorithm with all that can help it. Status is Optimal as soon as value and bound meet.
func (t *Target[I, S]) portfolio(
	ctx context.Context, parts Parts[I, S], p *models.Pass[I, S], method *Method[I, S], start *S, known *float64,
) (result models.Outcome[S], err error) {
	deadline, limited := ctx.Deadline()
	if o := parts.Portfolio; !limited || parts.Problem == nil || len(o.Others) == 0 && o.Model == nil {
		out, err := method.Solve(ctx, p, start)
		out.Stats.Solver = method.Name
		return out, err
	}
	l := &ledger[I, S]{t: t, parts: parts, p: p}
	if parts.Portfolio.Grid != nil {
		l.grid = parts.Portfolio.Grid(p.Instance)
	}
	if start != nil || known != nil {
		first := models.Outcome[S]{Bound: known, Status: models.Timeout}
		if start != nil {
			first.Solution, first.Found = *start, true
		}
		if l.enter(first, method.Name) {
			return l.out, nil
		}
	}
	whole := time.Until(deadline)
	share := func(of float64) time.Duration { return time.Duration(of * float64(whole)) }
	// solve asks the method until some moment before the limit.
	solve := func(until time.Time) (models.Outcome[S], error) {
		ctx, cancel := context.WithDeadline(ctx, until)
		defer cancel()
		pass, bound := *p, l.out.Bound
		pass.Bounded = func(b float64) {
			if b = l.rounded(b); bound == nil || parts.Sense.Better(*bound, b) {
				p.Bounded(b)
			}
		}
		var best *S
		if l.out.Found {
			best = &l.out.Solution
		}
		out, err := method.Solve(ctx, &pass, best)
		if err == nil && out.Status != models.Optimal && ctx.Err() == nil {
			l.note(cmp.Or(method.Name, t.Name), cmp.Or(out.Stats.Raw, "it ended by itself before its time"))
		}
		return out, err
	}
	var out models.Outcome[S] // of the method
	defer func() {
		if l.out.Status != models.Optimal {
			if l.out.Status = out.Status; out.Status == models.Optimal {
				l.out.Status = models.Feasible // it was refused
			}
			if ctx.Err() != nil {
				l.out.Status = models.Timeout
			}
		}
		if len(l.notes) > 0 && (l.out.Stats.Raw == "" || l.out.Status != models.Optimal) {
			l.out.Stats.Raw = strings.Join(l.notes, "; ")
		}
		result = l.out
	}()
	out, err = solve(time.Now().Add(share(firstShare)))
	if err != nil || l.enter(out, method.Name) || ctx.Err() != nil {
		return l.out, err
	}
	if t.model(ctx, l, share(0.5)) || ctx.Err() != nil {
		return l.out, nil
	}
	late := l.gap() <= near
	if !late && l.assist(ctx, share(assistShare)) || ctx.Err() != nil {
		return l.out, nil
	}
	until := deadline
	if late {
		until = until.Add(-share(assistShare))
	}
	if out, err = solve(until); err != nil || l.enter(out, method.Name) || ctx.Err() != nil {
		return l.out, err
	}
	l.assist(ctx, time.Until(deadline)/2) // all that is left where the method ended by itself
	return l.out, nil
}

// model gives the portfolio's formulation to the first solver that there is.
func (t *Target[I, S]) model(ctx context.Context, l *ledger[I, S], most time.Duration) (proven bool) {
	if l.parts.Portfolio.Model == nil || len(l.parts.Solvers) == 0 {
		return false
	}
	name := l.parts.Portfolio.Model(l.p.Instance)
	i := slices.IndexFunc(t.Formulations, func(f *Formulation[I, S]) bool { return f.Name == name })
	if i < 0 || t.Formulations[i].Applies != nil && t.Formulations[i].Applies(l.p.Instance) != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var start *S
	if l.out.Found {
		start = &l.out.Solution
	}
	pass := *l.p
	pass.Improved, pass.Bounded = func(S) {}, func(float64) {}
	out, _, err := solveMILP(ctx, l.parts, t.Formulations[i], l.parts.Solvers[0], &pass, start)
	solver := l.parts.Solvers[0].Name()
	switch who := solver + " on " + name; {
	case err != nil:
		if ctx.Err() == nil {
			l.note(who, err.Error()) // the method goes on
		}
		return false
	case out.Status == models.Infeasible:
		l.note(who, `refusing "infeasible": every instance has a solution`)
		return false
	}
	return l.enter(out, solver)
}
