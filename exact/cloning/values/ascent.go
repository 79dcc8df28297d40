package values

import (
	"context"
	"math"
	"slices"
)

// An Ascent looks for prices with a large bound: block by block on an augmented Lagrangian, as
// docs/design/prices.md#prices-of-cloning has it for larger instances. Every job has an average schedule and every slot an
// average set of copies; prices are central ones plus what the schedules want more than the sets hold, times a stiffness.
type Ascent struct {
	*Market
	Slots   int
	Best    int64 // the largest bound so far, in units; Prices prove it
	Prices  Prices
	columns []*columns
	choose  *chooser
	price   Prices
	central [][]float64
	want    [][]float64
	hold    [][]float64
	stiff   []float64 // by phase
	flow    []float64 // by job, of its average schedule
	fresh   [][]float64
}

// NewAscent begins at given prices.
func NewAscent(m *Market, begin Prices, stiffness float64) *Ascent {
	slots := len(begin[0])
	a := &Ascent{Market: m, Slots: slots, choose: newChooser(m), price: begin.clone(), Best: math.MinInt64}
	a.choose.allow(slices.Repeat([]bool{true}, len(begin)))
	grid := func() [][]float64 {
		g := make([][]float64, len(begin))
		for k := range g {
			g[k] = make([]float64, slots)
		}
		return g
	}
	a.central, a.want, a.hold, a.fresh = grid(), grid(), grid(), grid()
	for _, g := range m.Graphs {
		a.columns = append(a.columns, newColumns(g, slots))
	}
	a.flow = make([]float64, len(m.Graphs))
	mean, n := 0.0, 0.0
	for k := range begin {
		for _, p := range begin[k] {
			if p > 0 {
				mean, n = mean+float64(p), n+1
			}
		}
	}
	mean = max(mean/max(n, 1), Unit/8)
	a.stiff = make([]float64, len(begin))
	for k := range a.stiff {
		a.stiff[k] = stiffness * mean
	}
	a.evaluate()
	for t := range slots {
		a.slot(t, true)
	}
	for j := range m.Graphs {
		a.job(j, true)
	}
	a.centre()
	return a
}

// centre makes the prices the central ones.
func (a *Ascent) centre() {
	for k, row := range a.price {
		for t, p := range row {
			a.central[k][t] = float64(p)
		}
	}
}

func (a *Ascent) refresh(k, t int) {
	p := a.central[k][t] + a.stiff[k]*(a.want[k][t]-a.hold[k][t])
	a.price[k][t] = int32(min(max(p, 0), never/64))
}

// job moves a job's average schedule towards its cheapest one, wholly or by the step that is best.
func (a *Ascent) job(j int, whole bool) {
	g, from, to := a.Graphs[j], a.First[j], a.First[j+1]
	prices, begin := a.price[from:to], a.Arrival[j]
	a.columns[j].fill(g, prices, begin, g.Earlier)
	for k := from; k < to; k++ {
		clear(a.fresh[k])
	}
	end := a.columns[j].path(g, prices, 0, begin, func(t int, b Buy) { a.fresh[from+int(b.Phase)][t] += float64(b.Copies) })
	flow := float64(end-begin) * Unit
	gap, curve := a.flow[j]-flow, 0.0
	for k := from; k < to; k++ {
		for t, p := range a.price[k] {
			d := a.fresh[k][t] - a.want[k][t]
			gap -= d * float64(p)
			curve += d * d * a.stiff[k]
		}
	}
	a.step(from, to, whole, gap, curve, func(length float64) {
		a.flow[j] += length * (flow - a.flow[j])
		for k := from; k < to; k++ {
			for t := range a.price[k] {
				if d := a.fresh[k][t] - a.want[k][t]; d != 0 {
					a.want[k][t] += length * d
					a.refresh(k, t)
				}
			}
		}
	})
}

func (a *Ascent) step(from, to int, whole bool, gap, curve float64, move func(length float64)) {
	switch {
	case whole:
		move(1)
	case gap > 0 && curve > 0:
		move(min(1, gap/curve))
	}
}

// slot moves the average set of a slot.
func (a *Ascent) slot(t int, whole bool) {
	c := a.choose
	c.at(a.price, t)
	c.choose()
	gap, curve := 0.0, 0.0
	for k, n := range c.take {
		d := float64(n) - a.hold[k][t]
		gap += d * float64(a.price[k][t])
		curve += d * d * a.stiff[k]
	}
	a.step(0, len(a.price), whole, gap, curve, func(length float64) {
		for k, n := range c.take {
			if d := float64(n) - a.hold[k][t]; d != 0 {
				a.hold[k][t] += length * d
				a.refresh(k, t)
			}
		}
	})
}

// Worth returns, by moment from the given one on, what the servers are worth in all slots after it at some prices, counting only
// phases that open allows, nil for all. Its last entry is 0.
func (m *Market) Worth(prices Prices, from int, open func(k int) bool) []int64 {
	c, list := newChooser(m), make([]bool, len(prices))
	for k := range list {
		list[k] = open == nil || open(k)
	}
	c.allow(list)
	return c.worths(prices, from)
}

func (c *chooser) worths(prices Prices, from int) []int64 {
	slots := len(prices[0])
	list := make([]int64, slots+1)
	for t := slots - 1; t >= from; t-- {
		c.at(prices, t)
		list[t] = list[t+1] + c.choose()
	}
	return list
}

// evaluate computes the bound at the present prices and keeps them if it is the best.
func (a *Ascent) evaluate() {
	bound := int64(0)
	for j, g := range a.Graphs {
		a.columns[j].fill(g, a.price[a.First[j]:a.First[j+1]], a.Arrival[j], g.Earlier)
		bound += int64(a.columns[j].at(a.Arrival[j], 0))
	}
	bound -= a.choose.worths(a.price, 0)[0]
	if bound > a.Best {
		a.Best, a.Prices = bound, a.price.clone()
	}
}

// Run takes rounds of steps, until the bound reaches enough units or ctx ends. It returns how many it took.
func (a *Ascent) Run(ctx context.Context, rounds int, enough int64) int {
	a.evaluate()
	for r := range rounds {
		if ctx.Err() != nil || a.Best >= enough {
			return r
		}
		for j := range a.Graphs {
			a.job(j, false)
		}
		for t := range a.Slots {
			a.slot(t, false)
		}
		if r%4 == 3 || r == rounds-1 {
			a.evaluate()
			a.centre()
		}
	}
	return rounds
}

// Tables are the tables of prices from a moment on.
func (m *Market) Tables(prices Prices, from int) []*Table {
	var list []*Table
	for j, g := range m.Graphs {
		c := newColumns(g, len(prices[0]))
		begin, after := m.Arrival[j], g.Earlier
		if from > begin {
			begin, after = from, make([]int32, len(g.Nodes))
		}
		c.fill(g, prices[m.First[j]:m.First[j+1]], begin, after)
		list = append(list, c.table(g, begin))
	}
	return list
}
