package redundancy

import (
	"context"
	"math"
	"slices"
	"sort"

	"schedgap/exact/prices"
)

// A market is a dual solution of the linear program of the envelope over intervals of time: a price for a unit of machine
// time in each. Each job does its work where its flowtime plus what it pays is least; their sum less what all machines
// earn is a lower bound on the sum of flowtimes, whatever the prices are (docs/decisions/0041).
type market struct {
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
	offers  int     // made so far, a measure of time
	list    []prices.Column
}

// An offer is a part of a job's work, done by one machine more in one interval.
type offer struct {
	interval int
	unit     float64 // price for a unit of work
	work     float64
	gain     float64 // work in a unit of machine time
}

func newMarket(env *envelope, at, price []float64) *market {
	p := &market{env: env, at: at, price: price, late: make([]float64, len(at)), lateR: make([]int, len(at))}
	p.changed()
	return p
}

// changed follows a change of prices.
func (p *market) changed() {
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

// cost is the least flowtime plus payment of a job that has work left at time from, and may add the machine time that it
// buys to used.
func (p *market) cost(from, work float64, used []float64) float64 {
	p.list = p.columns(from, work, nil, 0, p.list[:0])
	best := p.list[0]
	for _, c := range p.list[1:] {
		if c.Cost < best.Cost {
			best = c
		}
	}
	if used != nil {
		best.Weight = 1
		p.buy(from, work, append(p.list[:0], best), used)
	}
	return best.Cost
}

// columns appends the least costs of the job by the interval that it completes in, from the first on until waiting costs more than
// the least by margin. To complete in interval k costs pay[k] more, if pay is not nil.
func (p *market) columns(from, work float64, pay []float64, margin float64, list []prices.Column) []prices.Column {
	first := p.interval(from)
	best := math.Inf(1)
	early := (from + work/p.env.h[len(p.env.h)-1]) * (1 - 1e-12)
	p.forget()
	for k := first; k < len(p.at); k++ {
		if k+1 < len(p.at) && p.at[k+1] < early { // it is not done before the interval ends
			p.add(k, p.at[k+1]-max(from, p.at[k]), work)
			continue
		}
		wait := max(0, p.at[k]-from)
		if wait > best+margin {
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
func (p *market) forget() { p.offer, p.offered, p.spent = p.offer[:0], 0, 0 }

// interval is the one that holds t, the first one if t is before it.
func (p *market) interval(t float64) int {
	return max(0, sort.Search(len(p.at), func(i int) bool { return p.at[i] > t })-1)
}

// buy adds the machine time that the job buys in the columns of list, in the order of their intervals and by their weights, to used.
func (p *market) buy(from, work float64, list []prices.Column, used []float64) {
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

// add inserts what interval k offers in length units of time, and drops what is dearer than enough for all the work.
func (p *market) add(k int, length, work float64) {
	for _, g := range p.env.gain {
		p.offers++
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

// bound is the lower bound on the sum of flowtimes of jobs, none when ctx has ended. used, if not nil, gets the machine
// time bought.
func (p *market) bound(ctx context.Context, jobs []pending, used []float64) float64 {
	clear(used)
	sum := 0.0
	for _, j := range jobs {
		if ctx.Err() != nil {
			return math.Inf(-1)
		}
		sum += p.cost(j.arrival, j.work, used)
	}
	return sum - p.earned(jobs[0].arrival)
}

// earned is what all machines earn from time t on.
func (p *market) earned(t float64) float64 {
	sum := 0.0
	for i := range len(p.at) - 1 {
		sum += p.price[i] * max(0, p.at[i+1]-max(t, p.at[i]))
	}
	return sum * float64(len(p.env.gain))
}

// ascend changes the prices by subgradients towards a bound of target, keeps the best and returns its bound.
func (p *market) ascend(ctx context.Context, jobs []pending, target float64) float64 {
	p.offers = 0
	used := make([]float64, len(p.at))
	best := p.bound(ctx, jobs, used)
	kept := slices.Clone(p.price)
	m := float64(len(p.env.gain))
	scale, stale := 1.0, 0
	current := best
	for range priceRounds {
		if ctx.Err() != nil || p.offers > priceOffers {
			break
		}
		norm := 0.0
		for i := range len(p.at) - 1 {
			l := p.at[i+1] - p.at[i]
			g := used[i] - m*l
			if l <= 0 {
				continue
			}
			if p.price[i] == 0 && g < 0 {
				g = 0
			}
			norm += g * g / l
		}
		if norm == 0 {
			break
		}
		step := scale * (target - current) / norm
		for i := range len(p.at) - 1 {
			l := p.at[i+1] - p.at[i]
			if l <= 0 {
				continue
			}
			p.price[i] = max(0, p.price[i]+step*(used[i]-m*l)/l)
		}
		p.changed()
		current = p.bound(ctx, jobs, used)
		if current > best {
			best, stale = current, 0
			copy(kept, p.price)
		} else if stale++; stale >= 5 {
			scale, stale = scale/2, 0
			copy(p.price, kept)
			p.changed()
			current = p.bound(ctx, jobs, used)
		}
	}
	copy(p.price, kept)
	p.changed()
	return best
}
