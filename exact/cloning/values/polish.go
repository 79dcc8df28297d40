package values

import (
	"context"
	"math"
)

// A Polisher takes steps from prices to ones that suit given states of the jobs at a moment: deflected subgradients with Polyak's
// step towards a bound that would be enough. An Ascent gets farther; this gains from the first step on.
type Polisher struct {
	Best   int64 // bound on what is still to come, in units, of the last climb; Prices prove it
	Prices Prices

	*Market
	now     int
	nodes   []int32
	reached [][]int32
	open    []bool
	columns []*columns
	choose  *chooser
	price   Prices
	grad    [][]float64 // by phase and slot, what the jobs' cheapest schedules take more than the dearest sets hold
	last    [][]float64 // direction of the last step
}

// NewPolisher makes the work space for prices of some slots.
func NewPolisher(m *Market, slots int) *Polisher {
	p := &Polisher{Market: m, choose: newChooser(m), reached: make([][]int32, len(m.Graphs))}
	for _, g := range m.Graphs {
		p.columns = append(p.columns, newColumns(g, slots))
	}
	p.open = make([]bool, m.First[len(m.Graphs)])
	for range p.open {
		p.grad, p.last = append(p.grad, make([]float64, slots)), append(p.last, make([]float64, slots))
	}
	return p
}

// deflection is the share of the last direction in the next.
const deflection = 0.6

// Climb takes at most some steps, until the bound reaches enough units, ctx ends, or the climb is too slow to get there. It
// returns the number of steps.
func (p *Polisher) Climb(ctx context.Context, begin Prices, now int, nodes []int32, steps int, enough int64) int {
	p.begin(begin, now, nodes)
	first := int64(0)
	for taken := 0; ; taken++ {
		bound := p.evaluate()
		if bound > p.Best {
			p.Best, p.Prices = bound, p.price.clone()
		}
		if taken == 0 {
			first = bound
		}
		slow := taken%16 == 11 && (p.Best-first)*int64(2*steps) < (enough-first)*int64(taken)
		if p.Best >= enough || taken == steps || slow || ctx.Err() != nil || !p.step(float64(enough+Unit/2-bound)) {
			return taken
		}
	}
}

func (p *Polisher) begin(begin Prices, now int, nodes []int32) {
	p.now, p.nodes, p.price, p.Best = now, nodes, begin.clone(), math.MinInt64
	for j, g := range p.Graphs {
		p.reached[j] = g.after(nodes[j])
		for k := p.First[j]; k < p.First[j+1]; k++ {
			p.open[k] = g.open(nodes[j], k)
			clear(p.last[k])
		}
	}
	p.choose.allow(p.open)
}

// step moves the prices so far that the bound would rise by gap, were it linear. It reports whether there was anywhere to go.
func (p *Polisher) step(gap float64) bool {
	norm := 0.0
	for k, row := range p.price {
		for t := p.now; t < len(row); t++ {
			d := p.grad[k][t] + deflection*p.last[k][t]
			if row[t] == 0 && d < 0 {
				d = 0
			}
			p.last[k][t] = d
			norm += d * d
		}
	}
	if norm == 0 {
		return false
	}
	for k, row := range p.price {
		for t := p.now; t < len(row); t++ {
			if d := p.last[k][t]; d != 0 {
				row[t] = int32(min(max(0, float64(row[t])+gap/norm*d), never/64))
			}
		}
	}
	return true
}

// evaluate computes the bound and its subgradient.
func (p *Polisher) evaluate() int64 {
	bound := int64(0)
	for j, g := range p.Graphs {
		from := p.First[j]
		for k := from; k < p.First[j+1]; k++ {
			clear(p.grad[k])
		}
		if p.nodes[j] == g.End {
			continue
		}
		prices, begin := p.price[from:p.First[j+1]], max(p.now, p.Arrival[j])
		p.columns[j].fill(g, prices, begin, p.reached[j])
		bound += int64(p.columns[j].at(begin, p.nodes[j]))
		p.columns[j].path(g, prices, p.nodes[j], begin, func(t int, b Buy) { p.grad[from+int(b.Phase)][t] += float64(b.Copies) })
	}
	c := p.choose
	for t := p.now; t < len(p.price[0]); t++ {
		c.at(p.price, t)
		bound -= c.choose()
		for k, n := range c.take {
			p.grad[k][t] -= float64(n)
		}
	}
	return bound
}
