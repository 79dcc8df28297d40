package cloning

import (
	"context"
	"math"

	"schedgap/exact/cloning/pricing"
	"schedgap/exact/cloning/values"
	"schedgap/exact/verify/jobgraph"
	"schedgap/models"
	"schedgap/models/cloning"
)

// Limits of the search, beside that of states.go on the means of tasks with clones. Larger instances keep their start and their
// bound.
const (
	maxSearchTasks = 2_000
	maxSearchCells = 100_000 // tasks times servers
	maxSearchMean  = 1e6     // slots
)

func searchable(v *preprocessed) bool {
	for k := range v.phases {
		if v.phases[k].Mean > maxSearchMean || v.phases[k].most > math.MaxUint8 {
			return false
		}
	}
	return v.tasks <= maxSearchTasks && v.tasks*len(v.in.Servers) <= maxSearchCells && v.countable()
}

// maxPackSteps ends the search for a packing.
const maxPackSteps = 20_000

// newRelaxation makes the jobs' graphs, of some arcs at most, and the servers' sets of copies of a regime; nil if they are
// too large or ctx ends.
func newRelaxation(ctx context.Context, in *cloning.Instance, fixed bool, arcs int) *values.Relaxation {
	sp, err := jobgraph.New(in, fixed)
	if err != nil {
		return nil
	}
	sp.Steps = maxPackSteps
	return values.NewRelaxation(ctx, sp, arcs)
}

// byEvents takes the place of the search by slots where jobs have too many states. Long tasks have few events and many slots:
// nonpreemptive schedules are searched from event to event, which proves no bound on preemptive ones. It returns what is proven
// of the regime.
func byEvents(
	ctx context.Context, v *preprocessed, fixed bool, cost, lower int, improved func(cloning.Solution),
	p *cloning.Pass, out *cloning.Outcome,
) int {
	prices := func(ctx context.Context) int {
		return int(pricing.Bound(ctx, v.in, pricing.Options{}).Bound)
	}
	if searchable(v) {
		space := newNonpreemptive(newStates(v))
		l := &layers{space: space, best: cost, lower: lower, bounded: func(b int) { p.Bounded(float64(b)) }, prices: prices}
		l.improved = func(n *node) { improved(space.solution(n)) }
		out.Stats.Nodes = &l.nodes
		if fixed {
			l.run(ctx)
			return l.lower
		}
		l.pass(ctx, widths[0])
	}
	if b := prices(ctx); b > lower {
		lower = b
		p.Bounded(float64(b))
	}
	return lower
}

// search is the combinatorial method of a regime.
func search(ctx context.Context, p *cloning.Pass, start *cloning.Solution, fixed bool) (cloning.Outcome, error) {
	in := p.Instance
	v := preprocess(in)
	var out cloning.Outcome
	out.Status = models.Timeout
	cost := math.MaxInt
	if start != nil {
		if s, worth, err := feasible(in, *start, fixed); err == nil {
			out.Solution, out.Found, cost = s, true, int(worth)
		}
	}
	if own := v.incumbent(ctx); own != nil && own.cost < cost {
		out.Solution, out.Found, cost = own.solution, true, own.cost
		p.Improved(own.solution)
	}
	lower := int(ceil(together(v.works(), len(v.surrogates)) - v.arrivals()))
	bounded := func(b int) { p.Bounded(float64(b)) }
	// A search whose units are larger than what decides may find a schedule in which some task lacks less than that. It proves no
	// optimum then, but its bound holds.
	worth := cost
	improved := func(s cloning.Solution) {
		if s, v, err := feasible(in, s, fixed); err == nil && int(v) < worth {
			out.Solution, out.Found, worth = s, true, int(v)
			p.Improved(s)
		}
	}
	var m *values.Relaxation
	if lower < cost && out.Found {
		m = newRelaxation(ctx, in, fixed, maxArcSlots/len(firstPrices(v, out.Solution)[0]))
	}
	switch {
	case lower >= cost:
	case m != nil:
		sp := newSweep(v, m, p.Threads)
		sp.best, sp.lower, sp.bounded, sp.improved = cost, lower, bounded, improved
		sp.run(ctx, out.Solution)
		lower = sp.lower
		out.Stats.Nodes = &sp.nodes
	default:
		lower = byEvents(ctx, v, fixed, cost, lower, improved, p, &out)
	}
	bound := float64(lower)
	out.Bound = &bound
	if out.Found && lower >= worth {
		out.Status = models.Optimal
	}
	if out.Status == models.Timeout && ctx.Err() == nil {
		// No limit ended it: it has searched as widely as memory allows, or not at all.
		out.Status, out.Stats.Raw = models.Feasible, "the search cannot prove more, whatever the time"
	}
	if out.Found {
		claimed := float64(worth)
		out.Claimed = &claimed
	}
	return out, nil
}
