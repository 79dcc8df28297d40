package pricing

import (
	"context"
	"math"
)

// An ascent is an average of schedules of every job, the whole of which is pushed under the capacities: the prices of
// surrogates are central prices and what the excess over the capacities adds to them; each job in turn moves towards its
// cheapest schedule at the prices as far as that pays (block-coordinate Frank-Wolfe on an augmented Lagrangian;
// Lacoste-Julien et al. 2013); and after some rounds the prices become the central ones.
type ascent struct {
	*oracle
	relaxation
	scale

	price   []int64 // by interval and column
	central []float64
	stiff   []float64 // price of a unit of excess
	load    []float64
	room    []float64
	flow    []float64 // by job, slots
	// averageCopies are the copies times slots of a phase in the average schedule, by interval and class.
	averageCopies  [][]float32
	costs          []int64   // by phase of a job, interval and class
	cheapestCopies []float64 // of the cheapest schedule, like costs
	move           []float64 // by interval and column
	touched        []bool    // by interval
}

func newAscent(o *oracle, m relaxation, s scale) *ascent {
	n := len(o.at) - 1
	size := n * m.columns
	b := &ascent{oracle: o, relaxation: m, scale: s, touched: make([]bool, n)}
	b.price = make([]int64, size)
	b.central, b.stiff, b.load = make([]float64, size), make([]float64, size), make([]float64, size)
	b.room, b.move = make([]float64, size), make([]float64, size)
	for i := range n {
		length := float64(o.at[i+1] - o.at[i])
		for c := range m.classes {
			for g := range m.classes[c].surrogates {
				b.room[i*m.columns+m.starts[c]+g] = measured(m.classes[c].surrogates[g].capacity) * length
			}
		}
	}
	return b
}

// measured is a measure of surrogates as a number.
func measured(m int64) float64 { return math.Ldexp(float64(m), -weightBits) }

// begin sets the central prices. Those of a class follow the unfinished jobs of its relaxed schedules, stretched in time by pace and scaled
// by height. A height of 1 is exact for a machine that is never idle.
func (b *ascent) begin(list []*relaxed, height, pace float64) {
	clear(b.central)
	for i := range len(b.at) - 1 {
		for _, s := range list {
			u := height * s.unfinished(float64(b.at[i]+b.at[i+1])/2, pace)
			for _, c := range s.fit {
				class := &b.classes[c]
				for g := range class.surrogates {
					at, column := i*b.columns+b.starts[c]+g, class.surrogates[g].column()
					b.central[at] = max(b.central[at], u*s.share[column]*(class.unit(&class.surrogates[g])/s.room[column]))
				}
			}
		}
	}
	for k, v := range b.central {
		b.price[k] = b.units(v)
	}
}

// stiffen sets the price of a unit of excess. An excess of a surrogate's whole room raises its price by factor times the class's
// mean price.
func (b *ascent) stiffen(factor float64) {
	for c := range b.classes {
		mean, slots, from := 0.0, 0.0, b.starts[c]
		each := func(do func(k int, g *surrogate)) {
			for i := range len(b.at) - 1 {
				for g := range b.classes[c].surrogates {
					do(i*b.columns+from+g, &b.classes[c].surrogates[g])
				}
			}
		}
		each(func(k int, g *surrogate) {
			mean += b.room[k] * b.central[k]
			if g.parts == 0 {
				slots += b.room[k]
			}
		})
		each(func(k int, _ *surrogate) { b.stiff[k] = factor * mean / max(1, slots) / b.room[k] })
	}
}

// refresh computes one price.
func (b *ascent) refresh(k int) {
	b.price[k] = b.units(b.central[k] + b.stiff[k]*(b.load[k]-b.room[k]))
}

// quote fills in the price of phase k's copies, and writes their cost on each class to costs, by interval.
func (b *ascent) quote(k int, costs []int64) {
	classes := len(b.classes)
	row := b.oracle.price[k]
	for i := range row {
		least := int64(math.MaxInt64)
		for _, c := range b.fit[k] {
			v := b.classes[c].copyPrice(k, b.price[i*b.columns+b.starts[c]:])
			if costs != nil {
				costs[i*classes+int(c)] = v
			}
			least = min(least, v)
		}
		row[i] = least
	}
	b.sort(k)
}

// settle has every job take its cheapest schedule at the prices, which stay as they are.
func (b *ascent) settle(ctx context.Context) {
	b.flow = make([]float64, len(b.In.Jobs))
	b.averageCopies = make([][]float32, len(b.phases))
	for k := range b.averageCopies {
		b.averageCopies[k] = make([]float32, len(b.touched)*len(b.classes))
	}
	clear(b.load)
	for j := range b.In.Jobs {
		if j%64 == 0 && ctx.Err() != nil {
			return
		}
		b.step(j, true)
	}
}

// step moves job j by an exact line search or, with fullStep, all the way. It returns the excess of the cost of its average schedule over
// the cheapest.
func (b *ascent) step(j int, fullStep bool) (gap float64) {
	now := b.averageCost(j)
	b.job(j, int64(math.Ldexp(looseness*max(1, b.flow[j]), b.bits)))
	next := b.buyCheapest(j)
	flow := float64(b.prior[j].end - b.In.Jobs[j].Arrival)
	gap = b.slots(now-next) + b.flow[j] - flow
	if gap <= 0 && !fullStep {
		return 0
	}
	b.setMove(j)
	size := 1.0
	if !fullStep {
		size = b.stepSize(gap)
	}
	b.applyMove(size, !fullStep)
	cells := len(b.touched) * len(b.classes)
	for k := b.First[j]; k < b.First[j+1]; k++ {
		for i := range b.averageCopies[k] {
			y := float64(b.averageCopies[k][i])
			b.averageCopies[k][i] = float32(y + size*(b.cheapestCopies[(k-b.First[j])*cells+i]-y))
		}
	}
	b.flow[j] += size * (flow - b.flow[j])
	return gap
}

// averageCost is the cost of job j's average schedule, in units of prices. It leaves the prices of the job's copies in costs.
func (b *ascent) averageCost(j int) (sum float64) {
	cells := len(b.touched) * len(b.classes)
	from, to := b.First[j], b.First[j+1]
	if size := (to - from) * cells; len(b.costs) < size {
		b.costs, b.cheapestCopies = make([]int64, size), make([]float64, size)
	}
	for k := from; k < to; k++ {
		costs := b.costs[(k-from)*cells:][:cells]
		b.quote(k, costs)
		for i, y := range b.averageCopies[k] {
			if y > 0 {
				sum += float64(y) * float64(costs[i])
			}
		}
	}
	return sum
}

// buyCheapest enters the purchases of job j's cheapest schedule in cheapestCopies, and returns what they cost, in units of prices. A
// purchase is of the first class that has its price.
func (b *ascent) buyCheapest(j int) (cost float64) {
	n, classes, from := len(b.touched), len(b.classes), b.First[j]
	clear(b.cheapestCopies[:(b.First[j+1]-from)*n*classes])
	b.purchases(j, func(k, i int, units float64) {
		price := b.oracle.price[k][i]
		cost += units * float64(price)
		for _, c := range b.fit[k] {
			if at := ((k-from)*n+i)*classes + int(c); b.costs[at] == price {
				b.cheapestCopies[at] += units
				break
			}
		}
	})
	return cost
}

// setMove sets the change of loads from job j's average schedule to its cheapest one.
func (b *ascent) setMove(j int) {
	n, classes := len(b.touched), len(b.classes)
	for k := b.First[j]; k < b.First[j+1]; k++ {
		for i := range n {
			for _, c := range b.fit[k] {
				d := b.cheapestCopies[((k-b.First[j])*n+i)*classes+int(c)] - float64(b.averageCopies[k][i*classes+int(c)])
				if d == 0 {
					continue
				}
				b.touched[i] = true
				for g := range b.classes[c].surrogates {
					b.move[i*b.columns+b.starts[c]+g] += d * measured(b.classes[c].surrogates[g].weight[k])
				}
			}
		}
	}
}

// applyMove changes the loads by a share of the move, and their prices if asked to. The move is then 0.
func (b *ascent) applyMove(size float64, reprice bool) {
	for i, t := range b.touched {
		if !t {
			continue
		}
		for k := i * b.columns; k < (i+1)*b.columns; k++ {
			b.load[k] += size * b.move[k]
			b.move[k] = 0
			if reprice {
				b.refresh(k)
			}
		}
		b.touched[i] = false
	}
}

// looseness is the share of a job's flowtime within which its cheapest schedule is sought on the way.
const looseness = 0.003

// stepSize is the share of a move that minimises the augmented Lagrangian along it: gap/curve, at most 1. It is 0
// where the move changes no load that has a price, since prices answer to loads alone.
func (b *ascent) stepSize(gap float64) float64 {
	curve := 0.0
	for i, t := range b.touched {
		if t {
			for k := i * b.columns; k < (i+1)*b.columns; k++ {
				curve += b.stiff[k] * b.move[k] * b.move[k]
			}
		}
	}
	if curve <= 0 {
		return 0
	}
	return min(1, gap/curve)
}

// rounds lets all jobs move some times over.
func (b *ascent) rounds(ctx context.Context, times int) {
	for range times {
		for j := range b.In.Jobs {
			if j%64 == 0 && ctx.Err() != nil {
				return
			}
			b.step(j, false)
		}
	}
}

// recentre makes the prices the central ones.
func (b *ascent) recentre() {
	for k, p := range b.price {
		b.central[k] = b.slots(float64(p))
	}
	for k := range b.price {
		b.refresh(k)
	}
}

// bound is the bound that the prices prove, in units, within a share of every job's flowtime; the least int64 when ctx ends.
func (b *ascent) bound(ctx context.Context, looseness float64) int64 {
	var t tally
	for j := range b.In.Jobs {
		if j%64 == 0 && ctx.Err() != nil {
			return math.MinInt64
		}
		for k := b.First[j]; k < b.First[j+1]; k++ {
			b.quote(k, nil)
		}
		t.add(b.job(j, int64(math.Ldexp(looseness*float64(b.prior[j].end-b.In.Jobs[j].Arrival), b.bits))), 1)
	}
	for i := range len(b.at) - 1 {
		for c := range b.classes {
			t.add(b.classes[c].dual(b.price[i*b.columns+b.starts[c]:]), -int64(b.at[i+1]-b.at[i]))
		}
	}
	return t.value()
}
