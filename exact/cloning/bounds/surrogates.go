package bounds

import (
	"math"
	"slices"

	"schedgap/models/cloning"
)

// A Surrogate constraint bounds a linear measure of running copies in every slot: Σ weight(phase)·copies ≤ capacity, within
// surrogateSlack.
type Surrogate struct {
	Weight   []float64 // by phase
	Capacity float64
}

// surrogateSlack is more, relative to a surrogate's capacity, than the definition tolerates of servers and floating point
// makes of sums.
const surrogateSlack = 4 * cloning.FitTolerance

// Numbers of surrogates, and of what goes into them.
const (
	maxCounts         = 16
	maxPricedKinds    = 40
	maxPricedJobs     = 3
	surrogatePatterns = 300
	priceIterations   = 150
	leastPrice        = 1e-6 // of the cluster's capacity, below which a price is nothing
)

// newSurrogates are the resources; for demands d, the number of copies that demand at least d of everything, as a server has room
// for no more of them than of d itself; and prices under which the jobs' work is as large as possible while the most valuable
// pattern of a server bounds its work in a slot. The first ones, resources and counts, are simple.
func newSurrogates(v *Outlook) (list []Surrogate, simple int) {
	for r, capacity := range v.In.Total() {
		g := Surrogate{Weight: make([]float64, len(v.Phases)), Capacity: capacity}
		for k := range v.Phases {
			g.Weight[k] = v.Phases[k].Demand[r]
		}
		list = append(list, g)
	}
	different := demands(v, maxPricedKinds+1)
	for _, d := range different[:min(len(different), maxCounts)] {
		list = append(list, countSurrogate(v, d))
	}
	simple = len(list)
	if len(different) <= maxPricedKinds {
		list = append(list, pricedSurrogates(v, different)...)
	}
	return list, simple
}

// demands are the different demands of phases, at most limit.
func demands(v *Outlook, limit int) [][]float64 {
	var list [][]float64
	for k := range v.Phases {
		if len(list) == limit {
			break
		}
		if !slices.ContainsFunc(list, func(d []float64) bool { return slices.Equal(d, v.Phases[k].Demand) }) {
			list = append(list, v.Phases[k].Demand)
		}
	}
	return list
}

func countSurrogate(v *Outlook, demand []float64) Surrogate {
	g := Surrogate{Weight: make([]float64, len(v.Phases)), Capacity: float64(v.Holds(demand))}
	for i := range v.Phases {
		if atLeast(v.Phases[i].Demand, demand) {
			g.Weight[i] = 1
		}
	}
	return g
}

// pricedSurrogates are prices for all jobs' work, and for each job's where there are few. There are none when servers of too many
// kinds can be filled in too many ways.
func pricedSurrogates(v *Outlook, demands [][]float64) []Surrogate {
	most := make([]int, len(demands))
	which := make([]int, len(v.Phases))
	for k := range v.Phases {
		ph := &v.Phases[k]
		which[k] = slices.IndexFunc(demands, func(d []float64) bool { return slices.Equal(d, ph.Demand) })
		most[which[k]] += ph.Tasks * ph.Most
	}
	if len(v.Classes) > surrogatePatterns {
		return nil
	}
	var servers []int // by class
	var ways [][][]int
	total := 0
	for c := range v.Classes {
		list := v.Classes[c].Patterns(demands, most, surrogatePatterns)
		total += len(list)
		if list == nil || total > surrogatePatterns {
			return nil
		}
		servers, ways = append(servers, v.Classes[c].Servers), append(ways, list)
	}
	work := func(from, to int) []float64 {
		volume := make([]float64, len(demands))
		for k := from; k < to; k++ {
			volume[which[k]] += v.volume(k)
		}
		return volume
	}
	var list []Surrogate
	add := func(from, to int) {
		price, capacity := prices(work(from, to), servers, ways)
		if price == nil {
			return
		}
		g := Surrogate{Weight: make([]float64, len(v.Phases)), Capacity: 1}
		for k := range g.Weight {
			if w := price[which[k]] / capacity; w > leastPrice {
				g.Weight[k] = w
			}
		}
		list = append(list, g)
	}
	add(0, len(v.Phases))
	for j := 0; j < len(v.In.Jobs) && len(v.In.Jobs) > 1 && len(v.In.Jobs) <= maxPricedJobs; j++ {
		add(v.First[j], v.First[j+1])
	}
	return list
}

// prices looks for prices of kinds with the greatest value of work per slot that the cluster needs for it. Work is done by the
// most valuable patterns again and again, and what has been done most falls in price (multiplicative weights). Whatever prices
// come out, the capacity is the value of the most valuable patterns under them, so the surrogate holds.
func prices(work []float64, servers []int, ways [][][]int) (best []float64, capacity float64) {
	done := make([]float64, len(work)) // as a share of the work
	price := make([]float64, len(work))
	ratio := -1.0
	rate := 0.0
	for range priceIterations {
		value := 0.0
		for k, w := range work {
			price[k] = 0
			if w > 0 {
				price[k] = math.Exp(-rate*done[k]) / w
			}
			value += price[k] * w
		}
		slot := 0.0
		most := 0.0 // share of some kind's work done in this slot
		step := make([]float64, len(work))
		for c, list := range ways {
			top, at := 0.0, 0
			for i, pattern := range list {
				sum := 0.0
				for k, n := range pattern {
					sum += price[k] * float64(n)
				}
				if sum > top {
					top, at = sum, i
				}
			}
			slot += top * float64(servers[c])
			for k, n := range list[at] {
				if work[k] > 0 {
					step[k] += float64(n*servers[c]) / work[k]
					most = max(most, step[k])
				}
			}
		}
		if !(slot > 0) || math.IsNaN(rate) {
			break
		}
		if value/slot > ratio {
			ratio, best, capacity = value/slot, slices.Clone(price), slot
		}
		if rate == 0 {
			rate = 0.3 / most
		}
		for k := range done {
			done[k] += step[k]
		}
	}
	return best, capacity
}

func atLeast(a, b []float64) bool {
	for r := range a {
		if a[r] < b[r] {
			return false
		}
	}
	return true
}
