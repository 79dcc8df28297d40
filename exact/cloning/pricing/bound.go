package pricing

import (
	"context"
	"math"
	"slices"
	"sort"

	"schedgap/exact/verify"
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
	Prices *verify.CloningPrices
	Steps  int  // how often every job has moved
	Done   bool // it was not the context that ended it
}

// Sizes of the search for prices.
const (
	mostIntervals  = 160
	leastIntervals = 16
	mostCells      = 1_000_000     // phases times intervals
	mostWork       = 1_200_000_000 // steps times phases times intervals times surrogates
	jobColumns     = 20            // surrogates whose prices take as long as a job's search for its cheapest schedule
	mostSteps      = 400
	roundSteps     = 4  // steps between evaluations
	patience       = 12 // evaluations without gain before it ends
	leastGain      = 2e-5
	stiffness      = 1.5
	roughly        = 0.003 // shares of flowtimes
	closely        = 0.0002
)

// Bound looks for prices with a large bound. Arrivals are best counted from the first one on.
func Bound(ctx context.Context, in *cloning.Instance, opt Options) Result {
	p := preprocess(in)
	s := newRelaxed(p)
	at := s.grid(max(leastIntervals, min(mostIntervals, mostCells/len(p.phases))))
	scale, ok := newScale(p, s.last)
	if !ok {
		return Result{Done: true}
	}
	c := &climb{Options: opt, scale: scale, best: math.MinInt64}
	o := newOracle(p, at, 1<<scale.bits)
	steps := func(b *ascent, share float64) int {
		if opt.Steps > 0 {
			return max(1, int(share*float64(opt.Steps)))
		}
		work := len(p.phases) * (len(at) - 1) * (b.columns + jobColumns)
		return max(4, min(mostSteps, int(share*mostWork)/work))
	}
	// All servers as one class first: its few prices are soon near their best, and hold for every class.
	b := newAscent(o, newRelaxation(p, 1, 0), scale)
	c.first(ctx, b, s)
	if c.prices == nil {
		return Result{Done: ctx.Err() == nil}
	}
	c.surrogates(ctx, b, steps(b, 0.5))
	if ctx.Err() == nil {
		whole := b
		b = newAscent(o, newRelaxation(p, maxClasses, maxParts), scale)
		b.inherit(whole, c.prices)
		whole.part = nil
		c.surrogates(ctx, b, steps(b, 0.5))
	}
	return Result{
		Prices: c.prices, Steps: c.steps, Done: ctx.Err() == nil, Raw: scale.slots(float64(c.best)), Bound: c.whole(),
	}
}

// A climb keeps the best prices.
type climb struct {
	Options
	scale
	best   int64
	prices *verify.CloningPrices
	steps  int
	stale  int
}

// whole is the best bound, rounded up: flowtimes are whole numbers.
func (c *climb) whole() float64 {
	unit := int64(1) << c.bits
	return float64((c.best + unit - 1) >> c.bits)
}

// offer takes a bound and its prices, and reports whether the climb may go on.
func (c *climb) offer(value int64, prices func() *verify.CloningPrices) bool {
	if c.stale++; float64(value) > float64(c.best)+leastGain*math.Abs(float64(c.best)) {
		c.stale = 0
	}
	if value > c.best {
		better := c.prices == nil || value>>c.bits > c.best>>c.bits
		c.best, c.prices = value, prices()
		if better && c.Bounded != nil {
			c.Bounded(c.whole())
		}
	}
	return c.stale < patience
}

// first sets the first prices, the best of some shapes, and the jobs' schedules at them.
func (c *climb) first(ctx context.Context, b *ascent, s *relaxed) {
	keep := func() *verify.CloningPrices { return b.prices() }
	height, pace := 1.0, 1.2
	b.begin(s, height, pace)
	first := b.bound(ctx, roughly)
	c.offer(first, keep)
	for _, try := range [][2]float64{{0.75, 1.2}, {1.3, 1.2}, {1, 1}, {1, 1.5}} {
		if ctx.Err() != nil {
			return
		}
		b.begin(s, try[0], try[1])
		v := b.bound(ctx, roughly)
		c.offer(v, keep)
		if v > first {
			first, height, pace = v, try[0], try[1]
		}
	}
	b.begin(s, height, pace)
	b.settle(ctx)
}

// surrogates climbs with prices of surrogates.
func (c *climb) surrogates(ctx context.Context, b *ascent, steps int) {
	keep := func() *verify.CloningPrices { return b.prices() }
	c.stale = 0
	b.stiffen(stiffness)
	b.recentre()
	for left := steps; left > 0; left -= roundSteps {
		b.rounds(ctx, min(left, roundSteps))
		if ctx.Err() != nil {
			return
		}
		c.steps += min(left, roundSteps)
		tolerance := roughly
		if left <= roundSteps {
			tolerance = closely
		}
		if !c.offer(b.bound(ctx, tolerance), keep) {
			return
		}
		b.recentre()
	}
}

// CopyPrice is the price of a copy of some demand in a slot, in slots; +Inf if it fits on no server.
func CopyPrice(p *verify.CloningPrices, demand []float64, slot int) float64 {
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

func (b *ascent) prices() *verify.CloningPrices {
	p := &verify.CloningPrices{Bits: b.bits, Grid: b.at}
	for c := range b.classes {
		class := verify.CloningClass{Largest: b.classes[c].largest}
		for _, m := range b.classes[c].members {
			class.Servers = append(class.Servers, b.kinds[m].of)
		}
		for _, g := range b.classes[c].surrogates {
			class.Surrogates = append(class.Surrogates, verify.CloningSurrogate{Resource: g.resource, Parts: g.parts})
		}
		p.Classes = append(p.Classes, class)
	}
	for i := range len(b.at) - 1 {
		p.Surrogates = append(p.Surrogates, slices.Clone(b.price[i*b.columns:(i+1)*b.columns]))
	}
	return p
}
