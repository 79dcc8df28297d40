package redundancy

import (
	"math"
	"slices"
	"sort"

	"schedgap/exact/prices"
)

// A subproblem is the Lagrangian subproblem of a job, at multipliers of the linear program of the envelope over intervals
// of time: a price for a unit of machine time in each. Each job does its work where its flowtime plus payment is
// least; their sum less the earnings of all machines is a lower bound on the sum of flowtimes, whatever the prices are
// (docs/design/redundancy.md#concave-envelope).
type subproblem struct {
	env   *envelope
	at    []float64 // interval i lasts from at[i] to at[i+1], the last one forever
	price []float64 // ≥ 0; 0 in the last one
	late  []float64 // least price of a unit of work that a job completes with in interval i, its time included
	lateR []int     // the machines for it
	// The largest of late, no offer above which is taken, and scratch: offers to a job, ascending, and their work.
	dearest float64
	offer   []offer
	offered float64
	spent   float64 // on all offers
}

// An offer is a part of a job's work, done by one machine more in one interval.
type offer struct {
	interval int
	unit     float64 // price for a unit of work
	work     float64
	gain     float64 // work in a unit of machine time
}

func newSubproblem(env *envelope, at, price []float64) *subproblem {
	p := &subproblem{env: env, at: at, price: price, late: make([]float64, len(at)), lateR: make([]int, len(at))}
	p.changed()
	return p
}

// changed follows a change of prices.
func (p *subproblem) changed() {
	p.dearest = 0
	for i, v := range p.price {
		p.late[i] = math.Inf(1)
		for r := 1; r < len(p.env.h); r++ {
			if c := (1 + v*float64(r)) / p.env.h[r]; c < p.late[i] {
				p.late[i], p.lateR[i] = c, r
			}
		}
		p.dearest = max(p.dearest, p.late[i])
	}
}

// columns appends the least costs of the job by the interval that it completes in, from the first one in w on until waiting costs
// more than the least by margin; one at least. To complete in interval k costs pay[k] more, if pay is not nil.
func (p *subproblem) columns(
	from, work float64, w prices.Window, pay []float64, margin float64, list []prices.Column,
) []prices.Column {
	first := p.interval(from)
	best := math.Inf(1)
	early := max(w.From, (from+work/p.env.h[len(p.env.h)-1])*(1-1e-12))
	p.forget()
	for k := first; k < len(p.at); k++ {
		if k+1 < len(p.at) && p.at[k+1] <= early { // it is not done before the interval ends
			p.add(k, p.at[k+1]-max(from, p.at[k]), work)
			continue
		}
		wait := max(0, p.at[k]-from)
		if wait > best+margin || p.at[k] >= w.To && best < math.Inf(1) {
			break
		}
		c, left := wait, work
		if pay != nil {
			c += pay[k]
		}
		// All offers that are cheaper than completing here, from the dear end, where a few are too many.
		all, i := p.spent, len(p.offer)
		sum := p.offered
		for i > 0 && p.offer[i-1].unit >= p.late[k] {
			i--
			sum -= p.offer[i].work
			all -= p.offer[i].work * p.offer[i].unit
		}
		for i > 0 && sum > left {
			i--
			w := p.offer[i].work
			sum -= w
			all -= w * p.offer[i].unit
			if sum < left {
				all += (left - sum) * p.offer[i].unit
				sum = left
			}
		}
		c += max(0, all) + max(0, left-sum)*p.late[k]
		best = min(best, c)
		list = append(list, prices.Column{Cost: c, Interval: k})
		if k+1 < len(p.at) {
			p.add(k, p.at[k+1]-max(from, p.at[k]), work)
		}
	}
	return list
}

// forget drops all offers.
func (p *subproblem) forget() { p.offer, p.offered, p.spent = p.offer[:0], 0, 0 }

// interval is the one that holds t, the first one if t is before it.
func (p *subproblem) interval(t float64) int {
	return max(0, sort.Search(len(p.at), func(i int) bool { return p.at[i] > t })-1)
}

// buy adds the machine time that the job buys in the columns of list, in the order of their intervals and by their
// weights, to used.
func (p *subproblem) buy(from, work float64, list []prices.Column, used []float64) {
	p.forget()
	k := p.interval(from)
	for _, c := range list {
		if c.Weight == 0 {
			continue
		}
		for ; k < c.Interval; k++ {
			p.add(k, p.at[k+1]-max(from, p.at[k]), work)
		}
		left := work
		for _, o := range p.offer {
			if left <= 0 || o.unit >= p.late[k] {
				break
			}
			w := min(left, o.work)
			used[o.interval] += c.Weight * w / o.gain
			left -= w
		}
		if k < len(used) {
			used[k] += c.Weight * left * float64(p.lateR[k]) / p.env.h[p.lateR[k]]
		}
	}
}

// add inserts the offers of interval k in length units of time, and drops offers that are dearer than enough for all the work.
func (p *subproblem) add(k int, length, work float64) {
	for _, g := range p.env.Gain {
		o := offer{k, p.price[k] / g, min(work, length*g), g} // sums of more would lose the digits of little work
		if g <= 0 || o.unit >= p.dearest {
			return
		}
		i := sort.Search(len(p.offer), func(i int) bool { return p.offer[i].unit > o.unit })
		if i == len(p.offer) && p.offered >= work {
			return
		}
		p.offer = slices.Insert(p.offer, i, o)
		p.offered += o.work
		p.spent += o.work * o.unit
		for last := len(p.offer) - 1; last > 0 && p.offered-p.offer[last].work >= work; last-- {
			p.offered -= p.offer[last].work
			p.spent -= p.offer[last].work * p.offer[last].unit
			p.offer = p.offer[:last]
		}
	}
}
