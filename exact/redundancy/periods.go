package redundancy

import (
	"context"
	"math"

	"schedgap/models/redundancy"
)

// periods are the times between two arrivals, the last one of which never ends, with what jobs cost at least at the prices of a relaxation
// by the period that they complete in.
type periods struct {
	in     *redundancy.Instance
	env    *envelope
	m      *multipliers
	begin  []float64
	of     []int       // by job: the period that begins with its arrival
	cost   [][]float64 // by job and period
	least  []float64   // by job
	worth  []float64   // of machines and rows from a period's beginning on; rows of moments before do not count
	done   [][]float64 // by job and period: what a job pays that completes before
	unit   []float64   // 0 and unit prices of work, ascending
	curves map[[4]int]*curve
	bound  float64 // on the sum of completion times
	ctx    context.Context
}

// A curve is a lower bound on what a job costs from the beginning of a period on, less u for each unit of work that it has left there, as
// a concave function of u: between two unit prices it is their chord.
type curve struct {
	value []float64 // by unit price
	work  float64   // the largest work that it may have left
}

func newPeriods(ctx context.Context, in *redundancy.Instance, env *envelope) *periods {
	p := &periods{in: in, env: env, ctx: ctx, curves: map[[4]int]*curve{}}
	order := byArrival(in)
	p.of = make([]int, len(order))
	for _, j := range order {
		if a := in.Jobs[j].Arrival; len(p.begin) == 0 || a > p.begin[len(p.begin)-1] {
			p.begin = append(p.begin, a)
		}
		p.of[j] = len(p.begin) - 1
	}
	return p
}

// dearUnits are the unit prices beyond the largest table, as multiples of it: work that a job cannot do is to be dear.
var dearUnits = []float64{1.25, 1.5, 2, 3, 5, 10, 30, 100, 1000, 10000}

// priced takes over prices that prove the bound root; schedules of the threshold or more need not be bounded. It is false when ctx has ended.
func (p *periods) priced(m *multipliers, root, threshold float64) bool {
	in := p.in
	p.m = m
	p.unit = append([]float64{0}, m.unit...)
	for _, f := range dearUnits {
		p.unit = append(p.unit, f*m.unit[len(m.unit)-1])
	}
	for _, t := range p.begin {
		worth := m.left(t) - m.rows
		for c := m.interval(t); c < len(m.at); c++ {
			worth += m.counts[c]
		}
		p.worth = append(p.worth, worth)
	}
	sum := 0.0
	for j := range in.Jobs {
		job := &in.Jobs[j]
		cost, done := make([]float64, len(p.begin)), make([]float64, len(p.begin))
		best := math.Inf(1)
		for i := range cost {
			cost[i] = math.Inf(1)
			done[i] = m.paid(j, p.begin[i])
			if i < p.of[j] || i > p.of[j] && lowered(root-m.coming[j]+p.begin[i], root+p.begin[i]) >= threshold && !math.IsInf(best, 1) {
				continue
			}
			if p.ctx.Err() != nil {
				return false
			}
			if c := p.tabulate(j, p.of[j], i); c.work == job.Work {
				cost[i] = c.value[0]
				for x, v := range c.value {
					cost[i] = max(cost[i], v+p.unit[x]*job.Work)
				}
			}
			best = min(best, cost[i])
		}
		p.cost, p.done, p.least = append(p.cost, cost), append(p.done, done), append(p.least, best)
		sum += best
	}
	p.bound = lowered(sum-p.worth[0], sum+p.worth[0])
	return true
}

func (p *periods) end(i int) float64 {
	if i+1 < len(p.begin) {
		return p.begin[i+1]
	}
	return math.Inf(1)
}

func (p *periods) length(i int) float64 { return p.begin[i+1] - p.begin[i] }

// may reports whether a job may complete in a period in a schedule below the threshold.
func (p *periods) may(j, i int, threshold float64) bool {
	return lowered(p.bound-p.least[j]+p.cost[j][i], p.bound+p.cost[j][i]) < threshold
}

// curve is that of job j from period k on if it completes in one of the periods from first to last.
func (p *periods) curve(j, k, first, last int, threshold float64) *curve {
	key := [4]int{j, k, first, last}
	if c := p.curves[key]; c != nil {
		return c
	}
	c := &curve{value: make([]float64, len(p.unit))}
	for i := range c.value {
		c.value[i] = math.Inf(1)
	}
	for i := first; i <= last; i++ {
		if math.IsInf(p.cost[j][i], 1) || first < last && !p.may(j, i, threshold) {
			continue
		}
		one := p.curves[[4]int{j, k, i, i}]
		if one == nil {
			one = p.tabulate(j, k, i)
		}
		c.work = max(c.work, one.work)
		for x, v := range one.value {
			c.value[x] = min(c.value[x], v)
		}
	}
	p.curves[key] = c
	return c
}

// tabulate finds a curve's values for completion in period i. If the job completes in interval c of the grid and w is left at the beginning,
// it costs what completing in c costs plus the largest u'·w − s(u') over unit prices u' up to the one in c, s being what offers
// below u' save until c. Its least value less u·w for w in [0, W] is −s(u) unless u is dearer than what the job needs for all of W.
func (p *periods) tabulate(j, k, i int) *curve {
	m := p.m
	one := &curve{value: make([]float64, len(p.unit))}
	value := one.value
	for x := range value {
		value[x] = math.Inf(1)
	}
	t, from, to := p.begin[k], p.begin[i], p.end(i)
	fastest := p.env.h[p.in.Machines]
	first, units := m.interval(t), len(m.unit)
	since := max(0, t-m.at[first])
	base, slope := m.sold[first*units:(first+1)*units], m.rate[first*units:(first+1)*units]
	for c := m.interval(from); c < len(m.at) && m.at[c] < to; c++ {
		begin := max(t, m.at[c]) + m.paying(j, c)
		until := to
		if c+1 < len(m.at) {
			until = min(to, m.at[c+1])
		}
		work := min(p.in.Jobs[j].Work, fastest*(until-t)*(1+1e-12))
		one.work = max(one.work, work)
		row := m.sold[c*units : (c+1)*units]
		saved := func(x int) float64 {
			if c == first {
				return 0
			}
			return max(0, row[x]-base[x]-since*slope[x])
		}
		// The unit price up to which all of the work is wanted.
		full, at := math.Inf(-1), 0.0
		try := func(u, s float64) {
			if v := u*work - s; v > full {
				full, at = v, u
			}
		}
		try(0, 0)
		latest := m.latest[c]
		for x := range latest + 1 {
			if m.unit[x] <= m.late[c] {
				try(m.unit[x], saved(x))
			}
		}
		if latest+1 < units && m.unit[latest] < m.late[c] {
			part := m.part[c]
			try(m.unit[latest]+part*(m.unit[latest+1]-m.unit[latest]), saved(latest)+part*(saved(latest+1)-saved(latest)))
		}
		for x, u := range p.unit {
			v := 0.0
			if u >= at {
				v = full - u*work
			} else if x > 0 {
				v = -saved(x - 1)
			}
			value[x] = min(value[x], begin+v)
		}
	}
	return one
}

// at is the curve's value at u, with the work left and its cost at which the chord has it.
func (c *curve) at(unit []float64, u float64) (value, work, cost float64) {
	last := len(unit) - 1
	if u <= 0 || math.IsInf(c.value[0], 1) {
		return c.value[0], 0, c.value[0]
	}
	if u >= unit[last] {
		v := c.value[last] - (u-unit[last])*c.work
		return v, c.work, v + u*c.work
	}
	lo, hi := 0, last // unit[lo] <= u < unit[hi]
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; unit[mid] <= u {
			lo = mid
		} else {
			hi = mid
		}
	}
	work = (c.value[lo] - c.value[hi]) / (unit[hi] - unit[lo])
	cost = c.value[lo] + unit[lo]*work
	return cost - u*work, work, cost
}
