package exact

import (
	"cmp"
	"context"
	"math"
	"math/big"
	"slices"
	"strings"
	"time"

	"schedgap/exact/verify/core"
	"schedgap/models"
)

// A Portfolio is what an exact algorithm asks besides its method where the choice is its own and time is limited. All write into
// one ledger.
type Portfolio[I models.Instance, S any] struct {
	// Others are bounds that improve with time, searches for values, and exact algorithms of other classes. Of those whose solutions
	// are of the class the values count, of those whose reference holds the class the bounds.
	Others []*models.Algorithm[I, S]
	// Model names the formulation that a MILP solver is given when the method does not end soon; nil func or "": none.
	Model func(in I) string
}

// Shares of the time limit. A method that ends within the first share is asked alone. Where it has left a gap of more than near by
// then, the others follow before it goes on; else shortly before the end.
const (
	firstShare  = 0.05
	assistShare = 0.1
	near        = 0.002
)

// A band is the work of several algorithms on one ledger.
type band[I models.Instance, S any] struct {
	t     *Target[I, S]
	parts Deps[I, S]
	p     *models.Pass[I, S]
	work  map[string]models.Stats // of each that was asked, by name
	nodes *int64                  // of all together
	notes []string                // why some end early
}

// note records the reason why one ended early.
func (b *band[I, S]) note(who, why string) {
	if note := who + ": " + why; !slices.Contains(b.notes, note) {
		b.notes = append(b.notes, note)
	}
}

// enter records the work of one. What it did before, if it was resumed, is in it.
func (b *band[I, S]) enter(who string, s models.Stats) {
	if s.Nodes != nil {
		sum := *s.Nodes
		if before := b.work[who].Nodes; before != nil {
			sum -= *before
		}
		if b.nodes != nil {
			sum += *b.nodes
		}
		b.nodes = &sum
	}
	s.Solver = who
	b.work[who] = s
}

// end is that of all: with the work of the one that improved value or bound last.
func (b *band[I, S]) end(ctx context.Context, last models.End) models.End {
	s, ok := b.work[b.p.By()]
	if !ok {
		s = last.Stats
	}
	s.Nodes, s.Raw = b.nodes, cmp.Or(strings.Join(b.notes, "; "), s.Raw)
	end := models.End{Stop: last.Stop, Stats: s}
	switch {
	case ctx.Err() != nil:
		end.Stop = models.Limit
	case end.Stop == models.Done && len(b.notes) > 0:
		end.Stop = models.Cannot // the notes say why
	}
	return end
}

// OnGrid rounds a lower bound up to the next multiple of grid, since optima are multiples. A bound may err by 1e-9 of itself, the
// difference of values that are the same. So OnGrid first subtracts as much, and a millionth of the grid: a bound that is a little
// above a multiple stays there.
func OnGrid(b float64, grid *big.Rat) float64 {
	if grid == nil {
		return b
	}
	step, _ := grid.Float64()
	slack := 1e-6*step + 2e-9*math.Abs(b)
	if !(slack < step/2) {
		return b
	}
	return max(b, core.OnGrid(b-slack, grid))
}

// Above is the smallest bound that proves best optimal. A better value is at most the multiple of the grid before best. Without a
// grid Above is least, which leaves the tolerance of a search.
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

// gap is the distance of value and bound over the value.
func (b *band[I, S]) gap() float64 {
	_, value, found := b.p.Best()
	bound, proven := b.p.Proven()
	if !found || !proven {
		return math.Inf(1)
	}
	return math.Abs(value-bound) / max(math.SmallestNonzeroFloat64, math.Abs(value))
}

// ask runs an algorithm for some time and enters what it says.
func (b *band[I, S]) ask(ctx context.Context, a *models.Algorithm[I, S], most time.Duration) (closed bool) {
	in := b.p.Instance
	if a == nil || ctx.Err() != nil || a.Applies != nil && a.Applies(in, "") != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	references := b.t.Problem.References
	values, bounds := models.Within(references, a.Smallest(), b.t.Reference), models.Within(references, b.t.Reference, a.Reference)
	if a.Kind == models.Bound {
		values = false
	} else if a.Kind != models.Exact {
		bounds = false
	}
	if !values && !bounds {
		return false
	}
	out, err := a.AtDefaults(ctx, in, b.p.Seed)
	switch {
	case err != nil && ctx.Err() == nil:
		b.note(a.Name, err.Error())
		fallthrough
	case err != nil:
		return false
	case out.Status != models.Optimal && out.Stats.Raw != "":
		b.note(a.Name, out.Stats.Raw)
	}
	b.p.Speak(a.Name)
	delete(b.work, a.Name) // it began again
	b.enter(a.Name, out.Stats)
	if out.Found && values {
		b.p.Offer(out.Solution)
	}
	if bounds && out.Bound != nil {
		b.p.Bound(*out.Bound)
	}
	return b.p.Closed()
}

// assist asks the others, each for some time.
func (b *band[I, S]) assist(ctx context.Context, each time.Duration) (closed bool) {
	return slices.ContainsFunc(b.parts.Portfolio.Others, func(a *models.Algorithm[I, S]) bool { return b.ask(ctx, a, each) })
}

// portfolio is the method of an exact algorithm with all that can help it. It ends as soon as value and bound meet.
func (t *Target[I, S]) portfolio(
	ctx context.Context, parts Deps[I, S], p *models.Pass[I, S], method *Method[I, S],
) (end models.End, err error) {
	deadline, limited := ctx.Deadline()
	if o := parts.Portfolio; !limited || len(o.Others) == 0 && o.Model == nil {
		return method.run(ctx, p)
	}
	b := &band[I, S]{t: t, parts: parts, p: p, work: map[string]models.Stats{}}
	whole := time.Until(deadline)
	share := func(of float64) time.Duration { return time.Duration(of * float64(whole)) }
	// goOn has the method go on until some moment before the limit.
	goOn := func(until time.Time) error {
		ctx, cancel := context.WithDeadline(ctx, until)
		defer cancel()
		resume := end.Resume
		if resume == nil {
			resume = func(ctx context.Context) (models.End, error) { return method.run(ctx, p) }
			delete(b.work, method.Name)
		}
		p.Speak(method.Name)
		end, err = resume(ctx)
		b.enter(method.Name, end.Stats)
		if why := end.Reason(models.Exact); err == nil && why != "" && !p.Closed() {
			b.note(cmp.Or(method.Name, t.Name), why)
		}
		return err
	}
	settled := func() bool { return p.Closed() || ctx.Err() != nil }
	if settled() {
		return models.Ended(ctx, "", models.Stats{Solver: method.Name}), nil
	}
	err = goOn(time.Now().Add(share(firstShare)))
	if err != nil || settled() {
		return b.end(ctx, end), err
	}
	if t.model(ctx, b, share(0.5)) || settled() {
		return b.end(ctx, end), nil
	}
	late := b.gap() <= near
	if !late {
		b.assist(ctx, share(assistShare))
	}
	if settled() {
		return b.end(ctx, end), nil
	}
	until := deadline
	if late {
		until = until.Add(-share(assistShare))
	}
	err = goOn(until)
	if err != nil || settled() {
		return b.end(ctx, end), err
	}
	b.assist(ctx, time.Until(deadline)/2) // all that is left where the method ended by itself
	if late && end.Resume != nil && !settled() {
		err = goOn(deadline) // the others may leave some of their time
	}
	return b.end(ctx, end), err
}

// model gives the portfolio's formulation to the first solver that there is.
func (t *Target[I, S]) model(ctx context.Context, b *band[I, S], most time.Duration) (closed bool) {
	if b.parts.Portfolio.Model == nil || len(b.parts.Solvers) == 0 {
		return false
	}
	name := b.parts.Portfolio.Model(b.p.Instance)
	i := slices.IndexFunc(t.Formulations, func(f *Formulation[I, S]) bool { return f.Name == name })
	if i < 0 || t.Formulations[i].Applies != nil && t.Formulations[i].Applies(b.p.Instance) != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	solver := b.parts.Solvers[0]
	end, _, err := solveMILP(ctx, b.parts, t, t.Formulations[i], solver, b.p)
	if err != nil {
		if ctx.Err() == nil {
			b.note(solver.Name()+" on "+name, err.Error()) // the method goes on
		}
		return false
	}
	b.enter(solver.Name(), end.Stats)
	return b.p.Closed()
}
