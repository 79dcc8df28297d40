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
func search(ctx context.Context, p *cloning.Pass, fixed bool) (models.End, error) {
	v := preprocess(p.Instance)
	if own := v.incumbent(ctx); own != nil {
		p.Offer(member(own.solution, fixed))
	}
	best, value, found := p.Best()
	cost := math.MaxInt
	if found {
		cost = int(value)
	}
	lower := int(ceil(together(v.works(), len(v.surrogates)) - v.arrivals()))
	p.Bound(float64(lower))
	if lower >= cost {
		return models.Ended(ctx, "", models.Stats{}), nil
	}
	bounded, improved := func(b int) { p.Bound(float64(b)) }, func(s cloning.Solution) { p.Offer(member(s, fixed)) }
	if found {
		if sp := newLayeredSearch(ctx, v, member(best, fixed), fixed, maxArcSlots, p.Threads); sp != nil {
			// A layered search whose units are larger than what decides may find a schedule in which some task lacks less than that. It proves no
			// optimum then, but its bound holds.
			sp.best, sp.lower, sp.improved, sp.bounded = cost, lower, improved, bounded
			sp.run(ctx)
			why := fmt.Sprintf("partial schedules would take more than %d MiB", maxLayersBytes>>20)
			if err := sp.relaxation.Err(); err != nil {
				why = err.Error()
			}
			return models.Ended(ctx, why, models.Stats{Work: models.Work{Nodes: &sp.nodes}}), nil
		}
	}
	price := func(ctx context.Context) int { return int(pricing.Bound(ctx, p.Instance, pricing.Options{}).Bound) }
	if !fixed || !searchable(v) {
		bounded(price(ctx))
		return models.Ended(ctx, "jobs have too many states for a search", models.Stats{}), nil
	}
	// Jobs have too many states. Long tasks have few events and many slots: schedules are searched from event to event.
	space := newNonpreemptive(newStates(v))
	l := &layers{space: space, best: cost, lower: lower, prices: price, bounded: bounded}
	l.improved = func(n *node) { improved(space.solution(n)) }
	l.run(ctx)
	why := fmt.Sprintf("%d partial schedules of a moment are not enough", widths[len(widths)-1])
	return models.Ended(ctx, why, models.Stats{Work: models.Work{Nodes: &l.nodes}}), nil
}
