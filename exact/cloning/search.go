package cloning

import (
	"context"
	"fmt"
	"math"

	"schedgap/exact/cloning/pricing"
	"schedgap/exact/cloning/values"
	"schedgap/exact/verify/jobgraph"
	"schedgap/models"
	"schedgap/models/cloning"
)

// Limits of the search from event to event, beside that of its states on the means of tasks with clones. Larger instances keep
// their start and their bound.
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

// search is the combinatorial method of a regime.
func search(ctx context.Context, p *cloning.Pass, start *cloning.Solution, fixed bool) (cloning.Outcome, error) {
	in := p.Instance
	v := preprocess(in)
	var out cloning.Outcome
	out.Status = models.Timeout
	cost := math.MaxInt
	if start != nil {
		if s, value, err := feasible(in, *start, fixed); err == nil {
			out.Solution, out.Found, cost = s, true, int(value)
		}
	}
	if own := v.incumbent(ctx); own != nil && own.cost < cost {
		out.Solution, out.Found, cost = own.solution, true, own.cost
		p.Improved(own.solution)
	}
	lower := int(ceil(together(v.works(), len(v.surrogates)) - v.arrivals()))
	// A search whose units are larger than what decides may find a schedule in which some task lacks less than that. It proves no
	// optimum then, but its bound holds.
	value := cost
	improved := func(s cloning.Solution) {
		if s, v, err := feasible(in, s, fixed); err == nil && int(v) < value {
			out.Solution, out.Found, value = s, true, int(v)
			p.Improved(s)
		}
	}
	if lower < cost {
		var sp *sweep
		if out.Found {
			sp = newSweep(ctx, v, out.Solution, fixed, maxArcSlots, p.Threads)
		}
		out.Stats.Raw = "jobs have too many states for a search"
		if sp != nil {
			sp.best, sp.lower, sp.improved = cost, lower, improved
			sp.bounded = func(b int) { p.Bounded(float64(b)) }
			sp.run(ctx)
			lower = sp.lower
			out.Stats.Nodes, out.Stats.Raw = &sp.nodes, fmt.Sprintf("partial schedules would take more than %d MiB", maxSweepBytes>>20)
			if err := sp.relaxation.Err(); err != nil {
				out.Stats.Raw = err.Error()
			}
		} else if fixed && searchable(v) {
			// Jobs have too many states. Long tasks have few events and many slots: schedules are searched from event to event.
			space := newNonpreemptive(newStates(v))
			l := &layers{space: space, best: cost, lower: lower, bounded: func(b int) { p.Bounded(float64(b)) }}
			l.prices = func(ctx context.Context) int { return int(pricing.Bound(ctx, in, pricing.Options{}).Bound) }
			l.improved = func(n *node) { improved(space.solution(n)) }
			out.Stats.Nodes = &l.nodes
			l.run(ctx)
			lower = l.lower
			out.Stats.Raw = fmt.Sprintf("%d partial schedules of a moment are not enough", widths[len(widths)-1])
		} else if b := int(pricing.Bound(ctx, in, pricing.Options{}).Bound); b > lower {
			lower = b
			p.Bounded(float64(b))
		}
	}
	bound := float64(lower)
	out.Bound = &bound
	switch {
	case out.Found && lower >= value:
		out.Status, out.Stats.Raw = models.Optimal, ""
	case ctx.Err() != nil:
		out.Stats.Raw = ""
	default:
		out.Status = models.Feasible
	}
	if out.Found {
		claimed := float64(value)
		out.Claimed = &claimed
	}
	return out, nil
}
