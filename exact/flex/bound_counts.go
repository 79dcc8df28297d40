package flex

import (
	"cmp"
	"context"
	"slices"

	"schedgap/exact/prices"
	"schedgap/models/flex"
)

// Covers are looked for at mostCoverPoints grid points. Jobs of a cover need more than there is by coverMargin of all slots until
// then at least, far more than rounding.
const (
	mostCoverPoints = 400
	mostCovers      = 400
	coverMargin     = 1e-9
)

// covers lists count rows that r's columns violate by more than slack: sets of jobs that cannot all be done by a grid point
// (docs/bounds-and-proofs.md#covers).
func covers(ctx context.Context, in *flex.Instance, r *prices.Relaxation, slack float64) []prices.Row {
	var all []prices.ViolatedRow
	for k := 1; k < len(r.At) && ctx.Err() == nil; k += 1 + len(r.At)/mostCoverPoints {
		free, list := missing(in, r.At[k])
		for i := range list {
			list[i].Done = min(1, r.Done(list[i].Job, k))
		}
		for _, order := range prices.CoverOrders {
			slices.SortStableFunc(list, func(a, b prices.Candidate) int { return cmp.Compare(order(a), order(b)) })
			if row := prices.Cover(list, free+coverMargin*float64(in.Slots)*r.At[k]); row.By > slack {
				row.Point = k
				all = append(all, row)
			}
		}
	}
	return prices.RowsOf(prices.MostViolated(all, mostCovers))
}

// missing lists the jobs that may be done by t, but are not by their minima alone, with the work that they need beyond these.
// free is the slots' work until t beyond the minima.
func missing(in *flex.Instance, t float64) (free float64, list []prices.Candidate) {
	free = float64(in.Slots) * t
	for j := range in.Jobs {
		job := &in.Jobs[j]
		forced := float64(job.Min) * t
		free -= min(forced, job.Work)
		if job.Work <= float64(job.Max)*t*(1+1e-12) && job.Work > forced {
			list = append(list, prices.Candidate{Job: j, Cost: job.Work - forced})
		}
	}
	return max(0, free), list
}
