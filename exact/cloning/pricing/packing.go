package pricing

import (
	"context"
	"math"
)

// A packing goes on where a blend ends, with prices of copies by phase and interval instead of gauges: they rise where the jobs'
// average schedules want more copies than the average fillings of the servers hold. Servers move towards their dearest filling
// as jobs do towards their cheapest schedule.
type packing struct {
	*oracle
	scale

	fill    filler
	central []float64 // by phase and interval
	stiff   []float64 // price of a unit of excess
	want    []float64 // copies times slots
	hold    []float64
	flow    []float64   // by job, slots
	full    [][]float64 // by kind of server and interval: by phase, copies on one server
	fresh   []float64
}

func newPacking(b *blend, stiffness float64) *packing {
	n := len(b.at) - 1
	size := len(b.phases) * n
	c := &packing{oracle: b.oracle, scale: b.scale, flow: b.flow}
	c.central, c.stiff, c.want = make([]float64, size), make([]float64, size), make([]float64, size)
	c.hold, c.fresh = make([]float64, size), make([]float64, size)
	room := make([]float64, len(b.phases)) // copies of the phase that the cluster holds
	mean, weight := 0.0, 0.0
	for k := range b.phases {
		b.quote(k, nil)
		for _, kind := range b.kinds {
			room[k] += fitting(b.phases[k].Demand, kind.of) * float64(kind.servers)
		}
		for i := range n {
			at := k*n + i
			c.central[at] = b.slots(float64(b.oracle.price[k][i]))
			for _, y := range b.part[k][i*len(b.classes) : (i+1)*len(b.classes)] {
				c.want[at] += float64(y)
			}
			mean += c.want[at] * c.central[at] * room[k]
			weight += c.want[at]
		}
	}
	mean /= weight
	for k := range b.phases {
		for i := range n {
			length := float64(b.at[i+1] - b.at[i])
			c.stiff[k*n+i] = stiffness * mean / room[k] / (room[k] * length)
		}
	}
	for range b.kinds {
		for range n {
			c.full = append(c.full, make([]float64, len(b.phases)))
		}
	}
	for kind := range b.kinds {
		for i := range n {
			c.server(kind, i, true)
		}
	}
	c.refreshAll()
	return c
}

func (c *packing) refresh(k, i int) {
	at := k*(len(c.at)-1) + i
	c.price[k][i] = c.units(c.central[at] + c.stiff[at]*(c.want[at]-c.hold[at]))
}

func (c *packing) refreshAll() {
	for k := range c.phases {
		for i := range len(c.at) - 1 {
			c.refresh(k, i)
		}
	}
}

// Limits of the search for fillings on the way.
const (
	roughNodes     = 1_000
	roughTolerance = 0.003
)

// dearest is filler.dearest at the prices of interval i.
func (c *packing) dearest(kind, i int) int64 {
	return c.fill.dearest(c.plan, c.kinds[kind].of, func(k int) int64 { return c.price[k][i] })
}

// server moves the servers of a kind in interval i.
func (c *packing) server(kind, i int, whole bool) {
	n := len(c.at) - 1
	full := c.full[kind*n+i]
	weight := float64(c.kinds[kind].servers) * float64(c.at[i+1]-c.at[i])
	c.fill.nodes, c.fill.tolerance = roughNodes, roughTolerance
	c.dearest(kind, i)
	now := 0.0
	for k, y := range full {
		if y > 0 {
			now += y * float64(c.price[k][i])
		}
	}
	gap := c.slots(float64(c.fill.value)-now) * weight
	if gap <= 0 && !whole {
		return
	}
	fresh := grow(c.fresh, len(full))
	clear(fresh)
	for q, it := range c.fill.items {
		fresh[it.phase] = float64(c.fill.best[q])
	}
	length := 1.0
	if !whole {
		curve := 0.0
		for k := range full {
			d := (fresh[k] - full[k]) * weight
			curve += c.stiff[k*n+i] * d * d
		}
		length = 0
		if curve > 0 {
			length = min(1, gap/curve)
		}
	}
	for k := range full {
		if d := fresh[k] - full[k]; d != 0 {
			c.hold[k*n+i] += length * d * weight
			full[k] += length * d
			if !whole {
				c.refresh(k, i)
			}
		}
	}
}

// step moves job j.
func (c *packing) step(j int) {
	n := len(c.at) - 1
	from, to := c.first[j], c.first[j+1]
	now, next := 0.0, 0.0
	for k := from; k < to; k++ {
		c.sort(k)
		for i := range n {
			if y := c.want[k*n+i]; y > 0 {
				now += y * float64(c.price[k][i])
			}
		}
	}
	fresh := c.fresh[from*n : to*n]
	clear(fresh)
	c.job(j, int64(math.Ldexp(looseness*max(1, c.flow[j]), c.bits)))
	c.purchases(j, func(k, i int, units float64) {
		next += units * float64(c.price[k][i])
		fresh[(k-from)*n+i] += units
	})
	flow := float64(c.prior[j].end - c.in.Jobs[j].Arrival)
	gap, curve := c.slots(now-next)+c.flow[j]-flow, 0.0
	for i, y := range fresh {
		d := y - c.want[from*n+i]
		curve += c.stiff[from*n+i] * d * d
	}
	if gap <= 0 || curve <= 0 {
		return
	}
	length := min(1, gap/curve)
	for i, y := range fresh {
		if d := y - c.want[from*n+i]; d != 0 {
			c.want[from*n+i] += length * d
			c.refresh(from+i/n, i%n)
		}
	}
	c.flow[j] += length * (flow - c.flow[j])
}

// rounds lets all servers and all jobs move some times over.
func (c *packing) rounds(ctx context.Context, times int) {
	for range times {
		for kind := range c.kinds {
			for i := range len(c.at) - 1 {
				c.server(kind, i, false)
			}
			if ctx.Err() != nil {
				return
			}
		}
		for j := range c.in.Jobs {
			c.step(j)
			if ctx.Err() != nil {
				return
			}
		}
	}
}

// recentre makes the prices the central ones.
func (c *packing) recentre() {
	n := len(c.at) - 1
	for k, row := range c.price {
		for i, p := range row {
			c.central[k*n+i] = c.slots(float64(p))
		}
	}
	c.refreshAll()
}

// bound is what the prices prove, in units, by searches for fillings of at most the given number of nodes, within a share of
// every job's flowtime; the least int64 when ctx ends.
func (c *packing) bound(ctx context.Context, looseness float64, nodes int) int64 {
	var t tally
	for k := range c.phases {
		c.sort(k)
	}
	for j := range c.in.Jobs {
		if ctx.Err() != nil {
			return math.MinInt64
		}
		t.add(c.job(j, int64(math.Ldexp(looseness*float64(c.prior[j].end-c.in.Jobs[j].Arrival), c.bits))), 1)
	}
	for kind := range c.kinds {
		for i := range len(c.at) - 1 {
			if ctx.Err() != nil {
				return math.MinInt64
			}
			c.fill.nodes, c.fill.tolerance = nodes, 0
			t.add(c.dearest(kind, i), -int64(c.kinds[kind].servers)*int64(c.at[i+1]-c.at[i]))
		}
	}
	return t.value()
}
