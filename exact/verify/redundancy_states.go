package verify

import (
	"math"
	"slices"
	"sort"
)

// eventUnits is about the number of unit prices for which eventPrices have tables.
const eventUnits = 96

// eventPrices evaluate a proof by prices at any state. For each unit price u a job's work costs at least u·work less what is sold below u
// would save; that is summed up over intervals for some unit prices, whatever they are. Every rounding is to the safe side.
type eventPrices struct {
	effort
	*relaxation
	unit     []float64
	more     []float64 // more[k·units+m]: what is sold before grid[k] saves at unit[m], from above
	less     []float64 // from below
	rate     []float64 // in a unit of time of interval k, from below
	late     []float64 // what a unit of work costs that a job completes with in interval k, its time included, from below
	latest   []int     // the largest unit price up to that, not the last one
	part     []float64 // how far it is from there to the next one, from below
	earning  []float64 // worth of all machines from grid[k] on, from above
	rows     float64   // worth of the counts, from above
	machines int
	fastest  float64
	coming   []float64 // by job: its least flowtime and payments from its arrival on
}

func newEventPrices(f *redundancyPrices, r *relaxation) *eventPrices {
	n := len(r.grid)
	p := &eventPrices{relaxation: r, machines: f.machines, fastest: f.in.Speedup[f.machines-1], late: make([]float64, n)}
	price := append(slices.Clone(r.price), 0)
	var all []float64
	dearest := 0.0
	for k, v := range price {
		p.late[k] = math.Inf(1)
		for m := 1; m <= f.machines; m++ {
			p.late[k] = min(p.late[k], down(down(1+down(v*float64(m)))/f.in.Speedup[m-1]))
		}
		all = append(all, p.late[k])
		dearest = max(dearest, p.late[k])
	}
	for _, v := range price {
		for _, g := range f.gain {
			if u := v / g; g > 0 && u < dearest {
				all = append(all, u)
			}
		}
	}
	slices.Sort(all)
	for _, u := range all {
		if k := len(p.unit); k == 0 || u > p.unit[k-1]*(1+1e-9)+dearest/eventUnits {
			p.unit = append(p.unit, u)
		}
	}
	if p.unit[len(p.unit)-1] < dearest {
		p.unit = append(p.unit, dearest)
	}
	units := len(p.unit)
	p.more, p.less, p.rate = make([]float64, n*units), make([]float64, n*units), make([]float64, n*units)
	p.latest, p.part, p.earning = make([]int, n), make([]float64, n), make([]float64, n)
	for k, v := range price {
		c := max(0, sort.Search(units, func(i int) bool { return p.unit[i] > p.late[k] })-1)
		if c == units-1 && c > 0 {
			c--
		}
		p.latest[k] = c
		if c+1 < units {
			p.part[k] = max(0, min(1, down(down(p.late[k]-p.unit[c])/up(p.unit[c+1]-p.unit[c]))))
		}
		for m, u := range p.unit {
			lo, hi := 0.0, 0.0
			for _, g := range f.gain {
				if d := up(up(u*g) - v); d > 0 {
					hi = up(hi + d)
				}
				if d := down(down(u*g) - v); d > 0 {
					lo = max(0, down(lo+d))
				}
			}
			p.rate[k*units+m] = lo
			if k+1 < n {
				length := point(r.grid[k+1]).minus(point(r.grid[k]))
				p.more[(k+1)*units+m] = above(p.more[k*units+m], up(hi*length.hi))
				p.less[(k+1)*units+m] = max(0, below(p.less[k*units+m], down(lo*length.lo)))
			}
		}
	}
	for k := n - 2; k >= 0; k-- {
		length := point(r.grid[k+1]).minus(point(r.grid[k]))
		p.earning[k] = above(p.earning[k+1], point(price[k]).times(length).times(integer(f.machines)).hi)
	}
	for _, c := range r.counts {
		p.rows = above(p.rows, point(c.theta).times(integer(c.most)).hi)
	}
	for j := range f.in.Jobs {
		p.coming = append(p.coming, below(p.cost(j, f.arrival[j].lo, f.in.Jobs[j].Work), -f.arrival[j].hi))
	}
	return p
}

// interval is the one of the grid that holds t.
func (p *eventPrices) interval(t float64) int {
	return max(0, sort.Search(len(p.grid), func(i int) bool { return p.grid[i] > t })-1)
}

// completing is what job j pays at least for completing at t or before.
func (p *eventPrices) completing(j int, t float64) float64 { return p.paid(j, p.interval(t)) }

// worth is what machines are worth from t on, and the counts, from above.
func (p *eventPrices) worth(t float64) float64 {
	k := p.interval(t)
	v := p.earning[k]
	if k+1 < len(p.grid) {
		length := point(p.grid[k+1]).minus(point(t)).positive()
		v = above(p.earning[k+1], point(p.price[k]).times(length).times(integer(p.machines)).hi)
	}
	return above(v, p.rows)
}

// cost bounds from below when job j completes, and what it pays, that has work left at t or later.
func (p *eventPrices) cost(j int, t, work float64) float64 {
	first, units := p.interval(t), len(p.unit)
	p.spend(50)
	k := max(first, p.interval(down(t+down(work/p.fastest))))
	best := math.Inf(1)
	if k == first {
		best = below(below(t, down(p.late[k]*work)), p.paid(j, k))
		k++
	}
	if k >= len(p.grid) {
		return best
	}
	since := max(0, down(t-p.grid[first]))
	less, rate := p.less[first*units:(first+1)*units], p.rate[first*units:(first+1)*units]
	value := func(row []float64, m int) float64 {
		return down(down(p.unit[m]*work) - max(0, up(row[m]-down(less[m]+down(since*rate[m])))))
	}
	row := p.more[k*units : (k+1)*units]
	m, hi := 0, units-1
	for m < hi {
		mid := (m + hi) / 2
		if value(row, mid) < value(row, mid+1) {
			m = mid + 1
		} else {
			hi = mid
		}
	}
	for ; k < len(p.grid); k++ {
		if p.grid[k] >= best {
			break
		}
		p.spend(1)
		row = p.more[k*units : (k+1)*units]
		v := value(row, m)
		for m > 0 {
			next := value(row, m-1)
			if next < v {
				break
			}
			m, v = m-1, next
		}
		if c := p.latest[k]; c < m { // the best value is concave in the unit price
			v = value(row, c)
			if w := value(row, c+1); w > v {
				v = down(v + down(p.part[k]*down(w-v)))
			}
		}
		best = min(best, below(below(p.grid[k], max(0, v)), p.paid(j, k)))
	}
	return best
}
