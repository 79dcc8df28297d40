package schedule

import (
	"context"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/values"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
)

// Prices are prices of copies to begin an ascent with: a slot of the whole cluster is worth the jobs that wait for it in the
// incumbent, and a copy its dominant share of that.
func Prices(v *bounds.Outlook, s cloning.Solution) values.Prices {
	ends, last := make([]int, len(v.In.Jobs)), 0
	for _, c := range s.Copies {
		ends[c.Task.Job] = max(ends[c.Task.Job], c.End)
		last = max(last, c.End)
	}
	total := v.In.Total()
	prices := make(values.Prices, len(v.Phases))
	for k := range prices {
		prices[k] = make([]int32, last)
		share := cloning.DominantShare(v.Phases[k].Demand, total)
		for t := range last {
			waiting := 0
			for j := range ends {
				if v.In.Jobs[j].Arrival <= t && ends[j] > t {
					waiting++
				}
			}
			prices[k][t] = int32(values.Unit * share * float64(waiting))
		}
	}
	return prices
}

// MaxPackSteps ends the search for a packing.
const MaxPackSteps = 20_000

// Relaxation makes the jobs' graphs, of some arcs at most, and the servers' sets of copies of a regime; nil if they are
// too large or ctx ends.
func Relaxation(ctx context.Context, in *cloning.Instance, fixed bool, arcs int) *values.Relaxation {
	sp, err := kernel.New(in, fixed)
	if err != nil {
		return nil
	}
	sp.Steps = MaxPackSteps
	return values.NewRelaxation(ctx, sp, arcs)
}
