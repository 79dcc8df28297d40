package pricing

import (
	"context"
	"math"
	"slices"
	"sort"

	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/models/cloning"
)

// Options of Bound.
type Options struct {
	// Steps is how often every job moves, at least 1; 0: as often as the size allows in less than a minute.
	Steps int
	// Bounded is called with better bounds, unless it is nil.
	Bounded func(bound float64)
}

// A Result is a bound with the prices that prove it.
type Result struct {
	Bound  float64 // a whole number of slots; 0 without Prices
	Raw    float64 // before it is rounded up
	Prices *verifycloning.Prices
	Steps  int  // how often every job has moved
	Done   bool // it was not the context that ended it
}

// Sizes of the search for prices.
const (
	mostIntervals  = 160
	leastIntervals = 16
	mostCells      = 1_000_000     // phases times intervals
	mostWork       = 3_000_000_000 // steps times phases times intervals times surrogates
	jobColumns     = 20            // surrogates whose prices take as long as a job's search for its cheapest schedule
	mostSteps      = 400
	roundSteps     = 4  // steps between evaluations
	patience       = 12 // evaluations without gain before it ends
	leastGain      = 2e-5
	stiffness      = 1.5
	roughly        = 0.001 // shares of flowtimes
	closely        = 0.0002
)

// Bound looks for prices with a large bound. Arrivals are best counted from the first one on.
func Bound(ctx context.Context, in *cloning.Instance, opt Options) Result {
	p := preprocess(in)
	m := newRelaxation(p)
	s, last := newRelaxed(p, m)
	at := newGrid(s, last, max(leastIntervals, min(mostIntervals, mostCells/len(p.phases))))
	scale, ok := newScale(p, last)
	if !ok {
		return Result{Done: true}
	}
	c := &climb{Options: opt, scale: scale, best: math.MinInt64}
	o := newOracle(p, at, 1<<scale.bits)
	b := newAscent(o, m, scale)
	c.first(ctx, b, s)
	if c.prices == nil {
		return Result{Done: ctx.Err() == nil}
	}
	steps := opt.Steps
	if steps == 0 {
		steps = max(4, min(mostSteps, mostWork/(len(p.phases)*(len(at)-1)*(b.columns+jobColumns))))
	}
	c.surrogates(ctx, b, steps)
	return Result{
		Prices: c.prices, Steps: c.steps, Done: ctx.Err() == nil, Raw: scale.slots(float64(c.best)), Bound: c.whole(),
	}
}

// A climb keeps the best prices.
type climb struct {
	Options
	scale
	best   int64
	prices *verifycloning.Prices
	steps  int
}

// whole is the best bound, rounded up: flowtimes are whole numbers.
func (c *climb) whole() float64 {
	unit := int64(1) << c.bits
	return float64((c.best + unit - 1) >> c.bits)
}

// offer takes a bound and its prices.
func (c *climb) offer(value int64, b *ascent) {
	if value <= c.best {
		return
	}
	better := c.prices == nil || value>>c.bits > c.best>>c.bits
	c.best, c.prices = value, b.prices()
	if better && c.Bounded != nil {
		c.Bounded(c.whole())
	}
}

// first sets the first prices, the best of some shapes, and the jobs' schedules at them.
func (c *climb) first(ctx context.Context, b *ascent, s []*relaxed) {
	height, pace := 1.0, 1.2
	b.begin(s, height, pace)
	first := b.bound(ctx, roughly)
	c.offer(first, b)
	for _, try := range [][2]float64{{0.75, 1.2}, {1.3, 1.2}, {1, 1}, {1, 1.5}} {
		if ctx.Err() != nil {
			return
		}
		b.begin(s, try[0], try[1])
		v := b.bound(ctx, roughly)
		c.offer(v, b)
		if v > first {
			first, height, pace = v, try[0], try[1]
		}
	}
	b.begin(s, height, pace)
	b.settle(ctx)
}

// surrogates climbs with prices of surrogates. The best prices are looked at closely at the end.
func (c *climb) surrogates(ctx context.Context, b *ascent, steps int) {
	b.stiffen(stiffness)
	b.recentre()
	top := math.Inf(-1)
	for left, stale := steps, 0; left > 0 && stale < patience; left -= roundSteps {
		b.rounds(ctx, min(left, roundSteps))
		if ctx.Err() != nil {
			return
		}
		c.steps += min(left, roundSteps)
		v := b.bound(ctx, roughly)
		c.offer(v, b)
		stale++
		if float64(v)-leastGain*math.Abs(float64(v)) > top {
			top, stale = float64(v), 0
		}
		b.recentre()
	}
	for i, row := range c.prices.Surrogates {
		copy(b.price[i*b.columns:], row)
	}
	c.offer(b.bound(ctx, closely), b)
}

// CopyPrice is the price of a copy of some demand in a slot, in slots; +Inf if it fits on no server.
func CopyPrice(p *verifycloning.Prices, demand []float64, slot int) float64 {
	i, least, column := sort.SearchInts(p.Grid, slot)-1, math.Inf(1), 0
	if i == len(p.Grid)-1 {
		return 0
	}
	for _, c := range p.Classes {
		price := 0.0
		for g, of := range c.Surrogates {
			s := surrogate{parts: of.Parts}
			price += math.Ldexp(float64(p.Surrogates[i][column+g]), -p.Bits) * measured(s.measure(demand[of.Resource],
				c.Largest[of.Resource]))
		}
		if slices.ContainsFunc(c.Servers, func(capacity []float64) bool { return cloning.Fits(demand, capacity) }) {
			least = min(least, price)
		}
		column += len(c.Surrogates)
	}
	return least
}

func (b *ascent) prices() *verifycloning.Prices {
	p := &verifycloning.Prices{Bits: b.bits, Grid: b.at}
	for c := range b.classes {
		class := verifycloning.Class{Largest: b.classes[c].largest}
		for _, m := range b.classes[c].members {
			class.Servers = append(class.Servers, b.Classes[m].Capacity)
		}
		for _, g := range b.classes[c].surrogates {
			class.Surrogates = append(class.Surrogates, verifycloning.Surrogate{Resource: g.resource, Parts: g.parts})
		}
		p.Classes = append(p.Classes, class)
	}
	for i := range len(b.at) - 1 {
		p.Surrogates = append(p.Surrogates, slices.Clone(b.price[i*b.columns:(i+1)*b.columns]))
	}
	return p
}
