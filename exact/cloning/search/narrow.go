package search

import (
	"context"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/schedule"
	"schedgap/models/cloning"
)

// Efforts of a narrow pass.
const (
	maxNarrowTasks    = 40
	maxNarrowArcSlots = 2_000_000
)

// Narrowed is the best list schedule, improved by one narrow pass of the search; nil where there is none. No context bounds it, as it
// precedes a model. Nothing is taken from the pass but a schedule.
func Narrowed(v *bounds.Outlook, fixed bool) *schedule.Incumbent {
	ctx := context.Background()
	best := schedule.First(ctx, v)
	if best == nil || v.Tasks > maxNarrowTasks {
		return best
	}
	sp := newLayeredSearch(ctx, v, best.Solution, fixed, maxNarrowArcSlots, 1)
	if sp == nil {
		return best
	}
	sp.best, sp.bounded, sp.improved = best.Cost, func(int) {}, func(s cloning.Solution) {
		if s, cost, err := schedule.Feasible(v.In, s, fixed); err == nil && int(cost) < best.Cost {
			best = &schedule.Incumbent{Solution: s, Cost: int(cost)}
		}
	}
	sp.narrow(ctx, efforts[0])
	return best
}
