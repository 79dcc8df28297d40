package cloning

import (
	"math"
	"slices"

	"schedgap/models/cloning"
)

// A surrogate constraint bounds a linear measure of running copies in every slot: Σ weight(phase)·copies ≤ capacity, within
// surrogateSlack.
type surrogate struct {
	weight   []float64 // by phase
	capacity float64
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
// pattern of a server bounds its work in a slot.
func (v *preprocessed) newSurrogates() []surrogate {
	var list []surrogate
	for r, capacity := range v.in.Total() {
		g := surrogate{weight: make([]float64, len(v.phases)), capacity: capacity}
		for k := range v.phases {
			g.weight[k] = v.phases[k].Demand[r]
		}
		list = append(list, g)
	}
	demands := v.demands(maxPricedKinds + 1)
	for _, d := range demands[:min(len(demands), maxCounts)] {
		list = append(list, v.countSurrogate(d))
	}
	v.simple = len(list)
	if len(demands) <= maxPricedKinds {
		list = append(list, v.pricedSurrogates(demands)...)
	}
	return list
}

// demands are the different demands of phases, at most limit.
func (v *preprocessed) demands(limit int) [][]float64 {
	var list [][]float64
	for k := range v.phases {
		if len(list) == limit {
			break
		}
		if !slices.ContainsFunc(list, func(d []float64) bool { return same(d, v.phases[k].Demand) }) {
			list = append(list, v.phases[k].Demand)
		}
	}
	return list
}

func (v *preprocessed) countSurrogate(demand []float64) surrogate {
	g := surrogate{weight: make([]float64, len(v.phases))}
	for s := range v.in.Servers {
		g.capacity += float64(cloning.Copies(demand, v.in.Servers[s].Capacity, cloning.MostCopies))
	}
	for i := range v.phases {
		if atLeast(v.phases[i].Demand, demand) {
			g.weight[i] = 1
		}
	}
	return g
}

// pricedSurrogates are prices for all jobs' work, and for each job's where there are few. There are none when servers of too many
// kinds can be filled in too many ways.
func (v *preprocessed) pricedSurrogates(demands [][]float64) []surrogate {
	kinds := make([]kind, len(demands))
	which := make([]int, len(v.phases))
	for k := range v.phases {
		ph := &v.phases[k]
		which[k] = slices.IndexFunc(demands, func(d []float64) bool { return same(d, ph.Demand) })
		kinds[which[k]].demand = ph.Demand
		kinds[which[k]].limit += ph.Tasks * ph.most
	}
	var servers []int // by class
	var ways [][][]int
	total := 0
	for _, class := range v.classes(surrogatePatterns) {
		list := patterns(kinds, v.in.Servers[class[0]].Capacity, surrogatePatterns)
		total += len(list)
		if list == nil || total > surrogatePatterns {
			return nil
		}
		servers, ways = append(servers, len(class)), append(ways, list)
	}
	if ways == nil {
		return nil
	}
	work := func(from, to int) []float64 {
		volume := make([]float64, len(kinds))
		for k := from; k < to; k++ {
			volume[which[k]] += float64(v.phases[k].Tasks) * float64(v.phases[k].volume)
		}
		return volume
	}
	var list []surrogate
	add := func(from, to int) {
		price, capacity := prices(work(from, to), servers, ways)
		if price == nil {
			return
		}
		g := surrogate{weight: make([]float64, len(v.phases)), capacity: 1}
		for k := range g.weight {
			if w := price[which[k]] / capacity; w > leastPrice {
				g.weight[k] = w
			}
		}
		list = append(list, g)
	}
	add(0, len(v.phases))
	for j := 0; j < len(v.in.Jobs) && len(v.in.Jobs) > 1 && len(v.in.Jobs) <= maxPricedJobs; j++ {
		add(v.first[j], v.until(j))
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

func same(a, b []float64) bool { return atLeast(a, b) && atLeast(b, a) }
