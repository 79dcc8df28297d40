package flex

import (
	"context"
	"math"

	"schedgap/heuristics/anneal"
	"schedgap/models/flex"
)

// BestKnown is the search for best-known values.
var BestKnown = anneal.BestKnown(flex.Algorithm{
	Name: "best", Reference: flex.Opt,
	Doc: "search for a best-known value: the best of all policies, then simulated annealing over priority orders",
}, "the most orders evaluated; 0: 500·n², at most 10,000,000", 500, 10_000_000, jobs, search)

func jobs(in *flex.Instance) int { return len(in.Jobs) }

// search returns the best schedule that is found in budget evaluations, or until ctx ends.
func search(ctx context.Context, p *flex.Pass, budget int) (best flex.Schedule, found bool, err error) {
	in := p.Instance
	known := math.Inf(1)
	for _, a := range policies.Algorithms() {
		if a == LocalSearch || a.Waives != nil || a.Applies != nil && a.Applies(in, "") != nil { // swaps would take their own time
			continue
		}
		out, err := a.AtDefaults(context.WithoutCancel(ctx), in, p.Seed)
		if err != nil {
			return nil, false, err
		}
		if v := valueOf(in, out.Solution); best == nil || v < known {
			best, known = out.Solution, v
		}
	}
	packer := flex.NewPacker(in)
	orders := []func(*flex.Instance) []int{RAPOrder, SpecificOrder, SPTOrder, WSPTOrder, FileOrder}
	if needsDueDates(in, "") == nil {
		orders = append(orders, EDDOrder, MooreHodgsonOrder)
	}
	starts := make([]anneal.Point, len(orders))
	for i, order := range orders {
		starts[i].Order = order(in)
	}
	at := &scheduledOrder{in: in, scheme: packer}
	schedule := func() (flex.Schedule, float64) {
		p := flex.NewPacker(in) // the other one has marks
		return p.Pack(at.At.Order), in.Value(p.Completions(at.At.Order))
	}
	if o := in.Objective; o.Aggregate == flex.Sum && in.Any(func(m flex.Metric) bool { return m == flex.Tardiness || m.Steps() }) {
		s := newSerial(in)
		at.scheme = s
		schedule = func() (flex.Schedule, float64) {
			plan, v, ok := flex.Realize(in, flex.NewFilling(in).KeepRates(), s.Completions(at.At.Order))
			if !ok {
				v = math.Inf(1)
			}
			return plan, v
		}
	}
	take := func() bool {
		plan, v := schedule()
		if v < known {
			best, known = plan, v
			return true
		}
		return false
	}
	var v float64
	at.Listed, v = anneal.Best(0, func(p anneal.Point, _ float64) float64 { return in.Value(at.scheme.Completions(p.Order)) },
		starts...)
	at.Value = func(anneal.Point, float64) float64 { return at.value() }
	at.mark()
	take()
	p.Improved(best)
	search := anneal.Search{
		Rand: p.Rand(), Evaluations: budget, Items: len(in.Jobs),
		Improved: func(v float64) {
			if v < known && take() {
				p.Improved(best)
			}
		},
	}
	if len(in.Jobs) < 2 {
		search.Evaluations = 0
	}
	search.Run(ctx, at, v)
	take()
	return best, true, nil
}

// A scheme makes completion times of a priority order, a packing for one. Mark remembers the order, so that From need not begin
// where another one is the same before position from.
type scheme interface {
	Completions(order []int) []float64
	Mark(order []int, from int) []float64
	From(order []int, from int) []float64
}

// scheduledOrder is an order with its schedule: moves are evaluated from the first position on that they change, and half of them
// move a job with a penalty.
type scheduledOrder struct {
	*anneal.Listed
	in     *flex.Instance
	scheme scheme
	from   int // the first position that kept moves have changed since the order was marked
	kept   int // these moves
}

func (p *scheduledOrder) value() float64 {
	return p.in.Value(p.scheme.From(p.At.Order, min(p.from, p.From)))
}

// Keep implements anneal.Schedule.
func (p *scheduledOrder) Keep() {
	p.Listed.Keep()
	p.from = min(p.from, p.From)
	p.kept++
	if p.kept >= keptMoves {
		p.mark()
	}
}

// Restore implements anneal.Schedule.
func (p *scheduledOrder) Restore() {
	p.Listed.Restore()
	p.from = 0
	p.mark()
}

// mark remembers the schedule, and which jobs have penalties.
func (p *scheduledOrder) mark() {
	done := p.scheme.Mark(p.At.Order, p.from)
	p.Focus = p.Focus[:0]
	for i, j := range p.At.Order {
		if p.in.Penalty(j, done[j]) > 0 {
			p.Focus = append(p.Focus, i)
		}
	}
	p.from, p.kept = len(p.At.Order), 0
}

// keptMoves is after how many kept moves the order is marked again, which takes as long as to evaluate one.
const keptMoves = 8
