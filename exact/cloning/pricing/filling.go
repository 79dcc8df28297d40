package pricing

import (
	"cmp"
	"math"
	"slices"

	"schedgap/models/cloning"
)

// A filler looks for the dearest set of copies that fits on one server.
type filler struct {
	items     []item
	size      []float64 // by item and measure
	density   []float64 // by item and measure, of that item and all after it the greatest
	most      []float64 // by measure
	all       []int64   // by item, the price of all copies of it and of all after it, at most mostWorth
	free      []float64 // by depth and measure
	count     []int32
	best      []int32 // by item
	value     int64
	bound     int64 // what branches that were left out are worth at most
	nodes     int
	ms        int
	mix       []float64 // by measure and resource
	tolerance float64
}

const mostWorth = 1 << 61

// An item is copies of one phase on a server.
type item struct {
	phase int
	price int64
	limit int
	rank  float64
}

// dearest returns an upper bound on the price of what fits on a server, and the dearest set found in filler.items and best. It is
// exact when the search ends within filler.nodes and filler.tolerance is 0.
func (f *filler) dearest(p *plan, capacity []float64, price func(k int) int64) int64 {
	f.items = f.items[:0]
	for k := range p.phases {
		if c := price(k); c > 0 {
			ph := &p.phases[k]
			if n := fitting(ph.Demand, capacity); n >= 1 {
				limit := min(float64(ph.Tasks)*float64(min(p.in.MaxCopiesPerServer, len(ph.gain))), n)
				f.items = append(f.items, item{phase: k, price: c, limit: int(limit)})
			}
		}
	}
	if len(f.items) == 0 {
		f.value = 0
		return 0
	}
	// Measures are the resources and mixtures of them, each of them at most 1 on the server: the mixture under which the
	// fractional filling is worth least orders the items.
	resources := len(capacity)
	f.ms = resources + 1
	f.mix = grow(f.mix, f.ms*resources)
	clear(f.mix)
	for r := range resources {
		f.mix[r*resources+r] = 1
	}
	f.mixture(p, capacity, f.mix[resources*resources:])
	f.most = f.most[:0]
	for range f.ms {
		f.most = append(f.most, 1+4*cloning.FitTolerance)
	}
	measure := func(d []float64, m int) float64 {
		return share(d, capacity, f.mix[m*resources:(m+1)*resources])
	}
	order := resources
	for i := range f.items {
		f.items[i].rank = float64(f.items[i].price) / measure(p.phases[f.items[i].phase].Demand, order)
	}
	slices.SortFunc(f.items, func(a, b item) int { return cmp.Or(cmp.Compare(b.rank, a.rank), a.phase-b.phase) })
	n := len(f.items)
	f.size, f.density = grow(f.size, n*f.ms), grow(f.density, (n+1)*f.ms)
	for m := range f.ms {
		f.density[n*f.ms+m] = 0
	}
	f.all = make([]int64, n+1)
	for i := n - 1; i >= 0; i-- {
		f.all[i] = mostWorth
		if it := &f.items[i]; it.price <= (mostWorth-f.all[i+1])/int64(it.limit) {
			f.all[i] = f.all[i+1] + it.price*int64(it.limit)
		}
		for m := range f.ms {
			f.size[i*f.ms+m] = measure(p.phases[f.items[i].phase].Demand, m)
			f.density[i*f.ms+m] = max(f.density[(i+1)*f.ms+m], float64(f.items[i].price)/f.size[i*f.ms+m])
		}
	}
	f.free = grow(f.free, (n+1)*f.ms)
	copy(f.free, f.most)
	f.count, f.best = growInts(f.count, n), growInts(f.best, n)
	clear(f.count)
	clear(f.best)
	f.value, f.bound = 0, 0
	if f.all[0] == mostWorth {
		return mostWorth // its sums might leave an int64
	}
	f.search(0, 0, f.free[:f.ms])
	return max(f.value, f.bound)
}

// share is a mixture of a demand's shares of a capacity.
func share(d, capacity, mix []float64) float64 {
	total := 0.0
	for r, c := range capacity {
		if c > 0 {
			total += mix[r] * (d[r] / c)
		}
	}
	return total
}

// mixture looks for the mixture of resources under which the dearest item by size is cheapest.
func (f *filler) mixture(p *plan, capacity, mix []float64) {
	top := func() float64 {
		t := 0.0
		for _, it := range f.items {
			if s := share(p.phases[it.phase].Demand, capacity, mix); s > 0 {
				t = max(t, float64(it.price)/s)
			}
		}
		return t
	}
	for r := range mix {
		mix[r] = 1 / float64(len(mix))
	}
	best := top()
	for step := 0.25 / float64(len(mix)) * 2; step > 0.004; step /= 2 {
		for again := true; again; {
			again = false
			for r := range mix {
				for q := range mix {
					if r == q || mix[q] < step {
						continue
					}
					mix[r] += step
					mix[q] -= step
					if t := top(); t < best {
						best, again = t, true
					} else {
						mix[r] -= step
						mix[q] += step
					}
				}
			}
		}
	}
}

func (f *filler) search(from int, worth int64, free []float64) {
	if worth > f.value {
		f.value = worth
		copy(f.best, f.count)
	}
	for i := from; i < len(f.items); i++ {
		// Everything that is still to come, at the best density of each measure. It is infinite where something takes nothing.
		rest := float64(mostWorth)
		for m := range f.ms {
			if d := f.density[i*f.ms+m]; d < math.MaxFloat64 {
				rest = min(rest, d*max(0, free[m]))
			}
		}
		bound := worth + min(f.all[i], int64(rest*(1+1e-12))+1)
		if bound <= f.value {
			return
		}
		if f.nodes <= 0 || bound <= f.value+int64(f.tolerance*float64(f.value)) {
			f.bound = max(f.bound, bound)
			return
		}
		fits := f.items[i].limit
		size := f.size[i*f.ms : (i+1)*f.ms]
		for m, s := range size {
			if s > 0 {
				fits = int(min(float64(fits), free[m]/s)) // which may be more than an int holds
			}
		}
		if fits <= 0 {
			continue
		}
		f.nodes--
		var local [8]float64
		left := local[:f.ms]
		if f.ms > len(local) {
			left = make([]float64, f.ms)
		}
		for c := fits; c >= 1; c-- {
			for m, s := range size {
				left[m] = free[m] - float64(c)*s
			}
			f.count[i] = int32(c)
			f.search(i+1, worth+int64(c)*f.items[i].price, left)
		}
		f.count[i] = 0
	}
}

func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n)
	}
	return s[:n]
}

func growInts(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n)
	}
	return s[:n]
}
