package search

import (
	"context"
	"fmt"
	"math"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/pricing"
	"schedgap/exact/cloning/schedule"
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

func searchable(v *bounds.Outlook) bool {
	for k := range v.Phases {
		if v.Phases[k].Mean > maxSearchMean || v.Phases[k].Most > math.MaxUint8 {
			return false
		}
	}
	return v.Tasks <= maxSearchTasks && v.Tasks*len(v.In.Servers) <= maxSearchCells && countable(v.Listing)
}

// Solve is the combinatorial method of a regime.
func Solve(ctx context.Context, p *cloning.Pass, fixed bool) (models.End, error) {
	v := bounds.Of(p.Instance)
	if own := schedule.First(ctx, v); own != nil {
		p.Offer(schedule.Member(own.Solution, fixed))
	}
	best, value, found := p.Best()
	cost := math.MaxInt
	if found {
		cost = int(value)
	}
	lower := int(bounds.Ceil(bounds.Together(v.Works(), len(v.Surrogates)) - v.Arrivals()))
	p.Bound(float64(lower))
	if lower >= cost {
		return models.Ended(ctx, "", models.Stats{}), nil
	}
	bounded, improved := func(b int) { p.Bound(float64(b)) }, func(s cloning.Solution) { p.Offer(schedule.Member(s, fixed)) }
	lone := newLoneJob(v, fixed)
	if lone != nil {
		if lone.search(ctx, cost, firstDeadEnds, bounded, improved) {
			return lone.end(ctx), nil
		}
		best, value, found = p.Best()
		if found {
			cost = int(value)
		}
	}
	if found {
		if sp := newLayeredSearch(ctx, v, schedule.Member(best, fixed), fixed, maxArcSlots, p.Threads); sp != nil {
			// A layered search whose units are larger than what decides may find a schedule in which some task lacks less than that. It proves no
			// optimum then, but its bound holds.
			sp.best, sp.lower, sp.improved, sp.bounded = cost, lower, improved, bounded
			sp.run(ctx)
			cost = sp.best
			why := fmt.Sprintf("partial schedules would take more than %d MiB", maxLayersBytes>>20)
			if err := sp.relaxation.Err(); err != nil {
				why = err.Error()
			}
			if lone == nil || sp.lower >= cost {
				return models.Ended(ctx, why, models.Stats{Work: models.Work{Nodes: &sp.nodes}}), nil
			}
		}
	}
	if lone != nil {
		lone.search(ctx, cost, math.MaxInt64, bounded, improved)
		return lone.end(ctx), nil
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
