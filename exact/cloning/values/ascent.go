package values

import (
	"context"
	"math"

	"schedgap/exact/verify/cloning/kernel"
)

// An Ascent looks for prices with a large bound on what schedules cost that go on from given states of the jobs at a moment:
// supergradients, deflected by those before, and steps of Polyak's length towards a target above the best bound, which comes
// nearer when steps gain nothing.
type Ascent struct {
	Best   int64 // bound on the cost still to come, in units; Prices prove it
	Prices Prices

	*Relaxation
	now     int
	nodes   []int32
	reached [][]int32
	open    []bool // by phase, whether it is not done
	columns []*columns
	slot    *kernel.Patterns
	earn    []int64 // prices of a slot, by phase
	price   Prices
	grad    [][]float64 // by phase and slot, the copies of the jobs' cheapest schedules beyond those of the dearest sets
	last    [][]float64 // direction of the last step
	lead    float64     // by which the target is above the best bound; 0: not known yet
	stale   int         // steps without gain
}

// NewAscent makes the work space for prices of some slots.
func NewAscent(m *Relaxation, slots int) *Ascent {
	a := &Ascent{Relaxation: m, reached: make([][]int32, len(m.Graphs)), nodes: make([]int32, len(m.Graphs))}
	for _, g := range m.Graphs {
		a.columns = append(a.columns, newColumns(g, slots))
	}
	a.open, a.earn = make([]bool, len(m.Phases)), make([]int64, len(m.Phases))
	for range a.open {
		a.grad, a.last = append(a.grad, make([]float64, slots)), append(a.last, make([]float64, slots))
	}
	return a
}

// Begin begins at given prices and states; nil: where all jobs begin.
func (a *Ascent) Begin(begin Prices, now int, nodes []int32) {
	clear(a.nodes)
	copy(a.nodes, nodes)
	a.now, a.price, a.Best, a.lead, a.stale = now, begin.clone(), math.MinInt64, 0, 0
	for j, g := range a.Graphs {
		a.reached[j] = g.after(a.nodes[j])
		for k := a.First[j]; k < a.First[j+1]; k++ {
			a.open[k] = g.open(a.nodes[j], k)
			clear(a.last[k])
		}
	}
	a.slot = a.Relaxation.patternsOf(a.open)
}

const (
	deflection = 0.9 // the share of the last direction in the next
	nearness   = 0.7 // first lead of the target, as a share of the distance to a sufficient bound
	patience   = 25  // part of the steps, at least 4 and at most 15, without gain before the target comes nearer
	approach   = 0.7 // factor of its lead then
	leastGain  = 0.05
)

// Run takes at most some steps, until the bound reaches enough units, or ctx ends; if hasty, also when it is too slow to get
// there. It returns the number of steps.
func (a *Ascent) Run(ctx context.Context, steps int, enough int64, hasty bool) int {
	first, wait := a.Best, min(max(4, steps/patience), 15)
	if hasty {
		wait = steps
	}
	for taken := 0; ; taken++ {
		bound := a.evaluate()
		if a.lead == 0 {
			a.lead, first = nearness*float64(enough+Unit/2-bound), bound
		}
		a.stale++
		if float64(bound) > float64(a.Best)+leastGain*a.lead {
			a.stale = 0
		} else if a.stale > wait {
			a.lead, a.stale = a.lead*approach, 0
		}
		if bound > a.Best {
			a.Best, a.Prices = bound, a.price.clone()
		}
		target := min(float64(a.Best)+a.lead, float64(enough+Unit/2))
		slow := hasty && taken%16 == 11 && (a.Best-first)*int64(2*steps) < (enough-first)*int64(taken)
		if a.Best >= enough || taken == steps || slow || ctx.Err() != nil || !a.step(target-float64(bound)) {
			return taken
		}
	}
}

// step moves the prices so far that the bound would rise by gap, were it linear. It reports whether there was anywhere to go.
func (a *Ascent) step(gap float64) bool {
	norm := 0.0
	for k, row := range a.price {
		for t := a.now; t < len(row); t++ {
			d := a.grad[k][t] + deflection*a.last[k][t]
			if row[t] == 0 && d < 0 {
				d = 0
			}
			a.last[k][t] = d
			norm += d * d
		}
	}
	if norm == 0 {
		return false
	}
	for k, row := range a.price {
		for t := a.now; t < len(row); t++ {
			if d := a.last[k][t]; d != 0 {
				row[t] = int32(min(max(0, float64(row[t])+gap/norm*d), Dearest))
			}
		}
	}
	return true
}

// evaluate computes the bound and a supergradient.
func (a *Ascent) evaluate() int64 {
	bound := int64(0)
	for j, g := range a.Graphs {
		from := a.First[j]
		for k := from; k < a.First[j+1]; k++ {
			clear(a.grad[k])
		}
		if a.nodes[j] == g.End {
			continue
		}
		prices, begin := a.price[from:a.First[j+1]], max(a.now, a.Arrival[j])
		a.columns[j].fill(g, prices, begin, a.reached[j])
		bound += int64(a.columns[j].at(begin, a.nodes[j]))
		a.columns[j].path(g, prices, a.nodes[j], begin, func(t int, b Buy) { a.grad[from+int(b.Phase)][t] += float64(b.Copies) })
	}
	for t := a.now; t < len(a.price[0]); t++ {
		for k := range a.price {
			a.earn[k] = int64(a.price[k][t])
		}
		bound -= a.slot.Earn(a.earn)
		for k, n := range a.slot.Take {
			a.grad[k][t] -= float64(n)
		}
	}
	return bound
}
