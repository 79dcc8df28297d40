package cloning

// FitTolerance is the excess over a capacity, relative to it, that algorithms put down to rounding. It lies well within what
// the checker forgives.
const FitTolerance = 1e-9

// Fits reports whether demand is within what is free on a server of the given capacity, all by resource.
func Fits(demand, free, capacity []float64) bool {
	for r, d := range demand {
		if d > free[r]+FitTolerance*capacity[r] {
			return false
		}
	}
	return true
}

// Total returns the cluster's summed capacity by resource.
func (in *Instance) Total() []float64 {
	total := make([]float64, len(in.Resources))
	for i := range in.Servers {
		for r, c := range in.Servers[i].Capacity {
			total[r] += c
		}
	}
	return total
}

// Work is what the originals hold of each resource, in its units times slots, if all take their mean durations.
func (in *Instance) Work() []float64 {
	work := make([]float64, len(in.Resources))
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			p := &in.Jobs[j].Phases[k]
			for r, d := range p.Demand {
				work[r] += float64(float64(p.Tasks) * p.Mean * d)
			}
		}
	}
	return work
}

// DominantShare is d, the largest share of the cluster's capacity that demand takes of a resource (DollyMP eq. 15); total is
// Instance.Total.
func DominantShare(demand, total []float64) float64 {
	share := 0.0
	for r, d := range demand {
		if d > 0 {
			share = max(share, d/total[r])
		}
	}
	return share
}
