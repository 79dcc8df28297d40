package cloning

import (
	"schedgap/exact/cloning/values"
	"schedgap/models/cloning"
)

// firstPrices are prices of copies to begin an ascent with: a slot of the whole cluster is worth the jobs that wait for it in the
// incumbent, and a copy its dominant share of that.
func firstPrices(v *preprocessed, s cloning.Solution) values.Prices {
	ends, last := make([]int, len(v.in.Jobs)), 0
	for _, c := range s.Copies {
		ends[c.Task.Job] = max(ends[c.Task.Job], c.End)
		last = max(last, c.End)
	}
	total := v.in.Total()
	prices := make(values.Prices, len(v.phases))
	for k := range prices {
		prices[k] = make([]int32, last)
		share := cloning.DominantShare(v.phases[k].Demand, total)
		for t := range last {
			waiting := 0
			for j := range ends {
				if v.in.Jobs[j].Arrival <= t && ends[j] > t {
					waiting++
				}
			}
			prices[k][t] = int32(values.Unit * share * float64(waiting))
		}
	}
	return prices
}
