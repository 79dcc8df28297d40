package flex

import (
	"context"
	"math"
	"math/rand/v2"

	"schedgap/heuristics/anneal"
	"schedgap/models"
	"schedgap/models/flex"
)

// BestKnown is the search for best-known values.
var BestKnown = &flex.Algorithm{
	Name: "best",
	Doc: "search for a best-known value: the best of all policies here, then simulated annealing over priority orders through MPS\n\n" +
		"docs/design/results.md#best-known-values. It ends by itself after `evaluations`; at a limit it returns the best so far.",
	Kind: models.Heuristic, Reference: flex.Opt, Random: true,
	Params: []models.Param{{
		Name: "evaluations", Default: 0, Doc: "the most evaluations of MPS; 0: 500·n², at most 10,000,000",
	}},
	Run: func(ctx context.Context, p *flex.Pass) (flex.Outcome, error) {
		budget := p.Params.Int("evaluations")
		if budget == 0 {
			n := min(len(p.Instance.Jobs), 1000)
			budget = min(500*n*n, 10_000_000)
		}
		s, finished, err := Search(ctx, p.Instance, p.Rand(), budget, p.Improved)
		out := flex.Outcome{Solution: s, Found: err == nil, Status: models.Feasible}
		if !finished {
			out.Status = models.Timeout
		}
		return out, err
	},
}

// Search returns the best schedule that is found in budget evaluations, and false when ctx ended first. improved is called with
// incumbents on the way; nil: nobody is.
func Search(
	ctx context.Context, in *flex.Instance, random *rand.Rand, budget int, improved func(flex.Schedule),
) (best flex.Schedule, finished bool, err error) {
	// fair's is the one schedule of the policies that no order gives.
	best, err = fair(context.WithoutCancel(ctx), in)
	if err != nil {
		return nil, false, err
	}
	known := math.Inf(1)
	if v := flex.Problem.Check(in, best).Objective; v != nil {
		known = *v // times of which no double holds the least work complete nothing
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
	list, v := anneal.Best(0, func(p anneal.Point, _ float64) float64 { return in.Value(packer.Completions(p.Order)) }, starts...)
	at := &packedOrder{Listed: list, in: in, packer: packer}
	list.Value = func(anneal.Point, float64) float64 { return at.value() }
	at.mark()
	search := anneal.Search{Rand: random, Evaluations: budget, Items: len(in.Jobs)}
	if improved != nil {
		improved(best)
		search.Improved = func(v float64) {
			if v < known {
				improved(flex.NewPacker(in).Pack(list.At.Order))
			}
		}
	}
	if len(in.Jobs) < 2 {
		search.Evaluations = 0
	}
	v, finished = search.Run(ctx, at, v)
	if v < known {
		best = packer.Pack(list.At.Order)
	}
	return best, finished, nil
}

// packedOrder is an order with its packing: moves are packed from the first position on that they change, and half of them move a
// job with a penalty.
type packedOrder struct {
	*anneal.Listed
	in     *flex.Instance
	packer *flex.Packer
	from   int // the first position that kept moves have changed since the packing was remembered
	kept   int // these moves
}

func (p *packedOrder) value() float64 {
	return p.in.Value(p.packer.From(p.At.Order, min(p.from, p.From)))
}

// Keep implements anneal.Schedule.
func (p *packedOrder) Keep() {
	p.Listed.Keep()
	p.from = min(p.from, p.From)
	if p.kept++; p.kept >= keptMoves {
		p.mark()
	}
}

// Restore implements anneal.Schedule.
func (p *packedOrder) Restore() {
	p.Listed.Restore()
	p.from = 0
	p.mark()
}

// mark remembers the packing, and which jobs have penalties.
func (p *packedOrder) mark() {
	done := p.packer.Mark(p.At.Order, p.from)
	p.Focus = p.Focus[:0]
	for i, j := range p.At.Order {
		if p.in.Penalty(j, done[j]) > 0 {
			p.Focus = append(p.Focus, i)
		}
	}
	p.from, p.kept = len(p.At.Order), 0
}

// keptMoves is after how many kept moves the packing is remembered again, which takes as long as to evaluate one.
const keptMoves = 8
