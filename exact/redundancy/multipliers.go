package redundancy

import (
	"context"
	"math"
	"slices"
	"sort"

	"schedgap/exact/prices"
	"schedgap/models/redundancy"
)

// unitPrices is about the number of unit prices of work for which multipliers have tables. Their bound is evaluated rootSteps times the square
// of the number of jobs, at most mostSteps times, to find them.
const (
	unitPrices = 128
	rootSteps  = 10
	mostSteps  = 2000
)

// multipliers are a dual solution of the relaxation by prices and count rows (docs/bounds.md), with tables that bound from below
// what a job still costs at any moment with any work left. They are found once, for the whole instance.
type multipliers struct {
	env    *envelope
	at     []float64   // the grid; the last interval never ends
	price  []float64   // 0 in the last interval
	unit   []float64   // unit prices of work, ascending
	sold   []float64   // sold[k·units+m]: what work sold below unit[m] before at[k] is cheaper than that, in all
	rate   []float64   // the same in a unit of time of interval k
	late   []float64   // what a unit of work costs at least that a job completes with in interval k, its time included
	latest []int       // the largest unit price that is no more than that, not the last one
	part   []float64   // how far it is from there to the next one
	worth  []float64   // of all machines, from at[k] on
	rows   float64     // the count rows' worth
	counts []float64   // the same by the interval that a row's moment ends
	pay    [][]float64 // by job: what completing in interval k costs
	coming []float64   // by job: what it costs at least from its arrival on
}

// ascend finds multipliers for jobs, in the order of their arrivals, and the bound on the sum of completion times that they prove; nil
// when ctx has ended.
func ascend(ctx context.Context, in *redundancy.Instance) (*multipliers, float64) {
	c := priceBound(ctx, in, min(rootSteps*len(in.Jobs)*len(in.Jobs), mostSteps), func(float64) {})
	if c == nil || c.Point.Price == nil {
		return nil, 0
	}
	env := newEnvelope(ctx, in, len(in.Jobs))
	m := multipliersOf(env, c, byArrival(in))
	sum, worth := 0.0, m.left(0)
	for j := range in.Jobs {
		job := &in.Jobs[j]
		m.coming[j] = m.cost(j, job.Arrival, job.Work, 0, math.Inf(1))
		sum += m.coming[j]
	}
	return m, lowered(sum-worth, sum+worth)
}

// newMultipliers prepares the tables for a point of a relaxation. pay is as in multipliers.
func newMultipliers(env *envelope, at, price []float64, pay [][]float64, rows float64) *multipliers {
	n := len(at)
	m := &multipliers{env: env, at: at, price: append(slices.Clone(price), 0), pay: pay, rows: rows, coming: make([]float64, len(pay))}
	late := make([]float64, n)
	m.late, m.part = late, make([]float64, n)
	for k, v := range m.price {
		late[k] = math.Inf(1)
		for r := 1; r < len(env.h); r++ {
			late[k] = min(late[k], (1+v*float64(r))/env.h[r])
		}
	}
	dearest := slices.Max(late)
	all := slices.Clone(late)
	step := dearest / float64(unitPrices)
	for _, v := range m.price {
		for _, g := range env.gain {
			if u := v / g; g > 0 && u < dearest {
				all = append(all, u)
			}
		}
	}
	slices.Sort(all)
	for i := range all {
		if n := len(m.unit); n == 0 || all[i] > m.unit[n-1]*(1+1e-9)+step {
			m.unit = append(m.unit, all[i])
		}
	}
	if dearest > m.unit[len(m.unit)-1] {
		m.unit = append(m.unit, dearest)
	}
	units := len(m.unit)
	m.sold, m.rate = make([]float64, n*units), make([]float64, n*units)
	m.latest, m.worth = make([]int, n), make([]float64, n)
	for k, v := range m.price {
		c := max(0, sort.Search(units, func(i int) bool { return m.unit[i] > late[k] })-1)
		if c == units-1 && c > 0 {
			c--
		}
		m.latest[k] = c
		if c+1 < units {
			m.part[k] = min(1, (late[k]-m.unit[c])/(m.unit[c+1]-m.unit[c]))
		}
		for i, u := range m.unit {
			rate := 0.0
			for _, g := range env.gain {
				d := u*g - v
				if d <= 0 {
					break
				}
				rate += d
			}
			m.rate[k*units+i] = rate
			if k+1 < n {
				m.sold[(k+1)*units+i] = m.sold[k*units+i] + rate*(at[k+1]-at[k])
			}
		}
	}
	for k := n - 2; k >= 0; k-- {
		m.worth[k] = m.worth[k+1] + float64(len(env.gain))*m.price[k]*(at[k+1]-at[k])
	}
	return m
}

// interval is the one that holds t.
func (m *multipliers) interval(t float64) int {
	return max(0, sort.Search(len(m.at), func(i int) bool { return m.at[i] > t })-1)
}

// left is what machines are worth from t on, and the rows.
func (m *multipliers) left(t float64) float64 {
	k := m.interval(t)
	return m.worth[k] - float64(len(m.env.gain))*m.price[k]*max(0, t-m.at[k]) + m.rows
}

// paid is what job j pays for completing at t.
func (m *multipliers) paid(j int, t float64) float64 {
	return m.paying(j, m.interval(t))
}

func (m *multipliers) paying(j, k int) float64 {
	if m.pay[j] == nil {
		return 0
	}
	return m.pay[j][k]
}

// cost bounds from below the completion time plus all payments of job j that has work left at t and completes not before from and not
// after to; ∞ when it cannot. For every unit price u the work costs at least u·work less what is sold below u would save, and a
// finite number of unit prices is tried: what is lost between two of them is of second order.
func (m *multipliers) cost(j int, t, work, from, to float64) float64 {
	first := m.interval(t)
	units := len(m.unit)
	early := (t + work/m.env.h[len(m.env.h)-1]) * (1 - 1e-12)
	k := max(first, m.interval(max(early, from)))
	best := math.Inf(1)
	if early > to*(1+1e-12) {
		return best
	}
	if k == first {
		best = t + m.late[k]*work + m.paying(j, k)
		k++
	}
	if k == len(m.at) || m.at[k] > to {
		return best
	}
	since := max(0, t-m.at[first])
	base, slope := m.sold[first*units:(first+1)*units], m.rate[first*units:(first+1)*units]
	row := m.sold[k*units : (k+1)*units]
	value := func(row []float64, i int) float64 { return m.unit[i]*work - (row[i] - base[i] - since*slope[i]) }
	// The best unit price falls as more is offered.
	i, hi := 0, units-1
	for i < hi {
		mid := (i + hi) / 2
		if value(row, mid) < value(row, mid+1) {
			i = mid + 1
		} else {
			hi = mid
		}
	}
	for ; k < len(m.at) && m.at[k] <= to; k++ {
		begin := max(t, m.at[k])
		if begin >= best {
			break
		}
		row = m.sold[k*units : (k+1)*units]
		v := value(row, i)
		for i > 0 {
			next := value(row, i-1)
			if next < v {
				break
			}
			i, v = i-1, next
		}
		if c := m.latest[k]; c < i { // concave in the unit price
			v = value(row, c)
			v += m.part[k] * (value(row, c+1) - v)
		}
		best = min(best, begin+max(0, v)+m.paying(j, k))
	}
	return best
}

// multipliersOf prepares the best point of a climb whose jobs are those of the instance in the given order.
func multipliersOf(env *envelope, c *prices.Climb, order []int) *multipliers {
	pay := make([][]float64, len(order))
	rows, counts := 0.0, make([]float64, len(c.At))
	for i, row := range c.Rows {
		theta := c.Point.Theta[i]
		if theta == 0 {
			continue
		}
		rows += theta * row.Most
		counts[row.Point-1] += theta * row.Most
		for p, first := range c.Relaxation.Chains[row.Chain].First {
			if first > row.Set {
				continue
			}
			j := order[p]
			if pay[j] == nil {
				pay[j] = make([]float64, len(c.At))
			}
			pay[j][row.Point-1] += theta
		}
	}
	for _, list := range pay {
		for k := len(list) - 2; k >= 0; k-- {
			list[k] += list[k+1]
		}
	}
	m := newMultipliers(env, c.At, c.Point.Price, pay, rows)
	m.counts = counts
	return m
}
