package redundancy

import (
	"context"
	"math"
	"slices"
	"sort"
)

// prices are a dual solution of the linear program of the envelope over intervals of time: a price for a unit of machine
// time in each. Each job does its work where its flowtime plus what it pays is least; their sum less what all machines
// earn is a lower bound on the sum of flowtimes, whatever the prices are (docs/decisions/0041).
type prices struct {
	env   *envelope
	at    []float64 // interval i lasts from at[i] to at[i+1], the last one forever
	price []float64 // ≥ 0; 0 in the last one
	late  []float64 // least price of a unit of work that a job completes with in interval i, its time included
	lateR []int     // the machines for it
	// The largest of late, no offer above which is taken, and scratch: offers to a job, ascending, and their work.
	dearest float64
	offer   []offer
	offered float64
	offers  int // made so far, a measure of time
}

// An offer is a part of a job's work, done by one machine more in one interval.
type offer struct {
	interval int
	unit     float64 // price for a unit of work
	work     float64
	gain     float64 // work in a unit of machine time
}

func newPrices(env *envelope, at, price []float64) *prices {
	p := &prices{env: env, at: at, price: price, late: make([]float64, len(at)), lateR: make([]int, len(at))}
	p.changed()
	return p
}

// changed follows a change of prices.
func (p *prices) changed() {
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
func (p *prices) cost(from, work float64, used []float64) float64 {
	first := sort.Search(len(p.at), func(i int) bool { return p.at[i] > from }) - 1
	best, last := math.Inf(1), 0
	p.offer, p.offered = p.offer[:0], 0
	for k := max(0, first); k < len(p.at); k++ {
		wait := max(0, p.at[k]-from)
		if wait >= best {
			break
		}
		c, left := wait, work
		for i := 0; i < len(p.offer) && p.offer[i].unit < p.late[k] && left > 0; i++ {
			w := min(left, p.offer[i].work)
			c += w * p.offer[i].unit
			left -= w
		}
		c += left * p.late[k]
		if c < best {
			best, last = c, k
		}
		if k+1 < len(p.at) {
			p.add(k, p.at[k+1]-max(from, p.at[k]), work)
		}
	}
	if used != nil {
		p.offer, p.offered = p.offer[:0], 0 // those before the interval that it completes in
		for k := max(0, first); k < last; k++ {
			p.add(k, p.at[k+1]-max(from, p.at[k]), work)
		}
		left := work
		for _, o := range p.offer {
			if left <= 0 || o.unit >= p.late[last] {
				break
			}
			w := min(left, o.work)
			used[o.interval] += w / o.gain
			left -= w
		}
		used[last] += left * float64(p.lateR[last]) / p.env.h[p.lateR[last]]
	}
	return best
}

// add inserts what interval k offers in length units of time, and drops what is dearer than enough for all the work.
func (p *prices) add(k int, length, work float64) {
	for _, g := range p.env.gain {
		p.offers++
		o := offer{k, p.price[k] / g, length * g, g}
		if g <= 0 || o.unit >= p.dearest {
			return
		}
		i := sort.Search(len(p.offer), func(i int) bool { return p.offer[i].unit > o.unit })
		if i == len(p.offer) && p.offered >= work {
			return
		}
		p.offer = slices.Insert(p.offer, i, o)
		p.offered += o.work
		for last := len(p.offer) - 1; p.offered-p.offer[last].work >= work; last-- {
			p.offered -= p.offer[last].work
			p.offer = p.offer[:last]
		}
	}
}

// bound is the lower bound on the sum of flowtimes of jobs, none when ctx has ended. used, if not nil, gets the machine
// time bought.
func (p *prices) bound(ctx context.Context, jobs []pending, used []float64) float64 {
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
func (p *prices) earned(t float64) float64 {
	sum := 0.0
	for i := range len(p.at) - 1 {
		sum += p.price[i] * max(0, p.at[i+1]-max(t, p.at[i]))
	}
	return sum * float64(len(p.env.gain))
}

// ascend changes the prices by subgradients towards a bound of target, keeps the best and returns its bound.
func (p *prices) ascend(ctx context.Context, jobs []pending, target float64) float64 {
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
