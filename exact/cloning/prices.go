package cloning

import (
	"context"
	"math"

	"schedgap/exact/cloning/bounds"
	"schedgap/exact/cloning/pricing"
	"schedgap/exact/cloning/schedule"
	"schedgap/exact/cloning/search"
	"schedgap/exact/cloning/values"
	verifycloning "schedgap/exact/verify/cloning"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/proof"
)

// LBPrice is the bound by prices of capacity as an algorithm.
var LBPrice = &cloning.Algorithm{
	Name: "lb-price",
	Doc: "lower bound: prices of capacity over time, at which each job alone buys its cheapest schedule\n\n" +
		"Prices of resources and shares of servers (exact/cloning/pricing) and, where jobs' states can be listed, of copies " +
		"(exact/cloning/values). Never less than lb-path and lb-srpt. docs/bounds-and-proofs.md#prices-of-cloning.",
	Kind: models.Bound, Reference: cloning.Opt, Proves: true,
	Params: []models.Param{{
		Name: "steps", Default: 0, Min: 0, Max: 1e6,
		Doc: "how often every job's purchases are revised at most; 0: as often as fits into less than a minute",
	}},
	Run: func(ctx context.Context, p *cloning.Pass) (cloning.Outcome, error) {
		best, steps := bounds.Lower(p.Instance), p.Params.Int("steps")
		p.Bounded(best)
		bounded := func(b float64) {
			if b > best {
				best = b
				p.Bounded(b)
			}
		}
		in, _ := kernel.FromFirst(p.Instance)
		r := pricing.Bound(ctx, in, pricing.Options{Steps: steps, Bounded: bounded})
		out := cloning.Outcome{Status: models.Feasible, Bound: &best}
		if r.Prices != nil && r.Bound == best {
			out.Proof = &proof.Claim{Kind: proof.Prices, Lines: []any{r.Prices}}
		}
		before := best
		if claim := boundByStates(ctx, in, r.Prices, before, steps, bounded); claim != nil && best > before {
			out.Proof = claim
		}
		if ctx.Err() != nil {
			out.Status = models.Timeout
		}
		return out, nil
	},
}

// Efforts of the bound by prices of copies: tasks, above which graphs were too large or prices not better within the time; arcs
// times slots, rounds of the ascent, and both together, at most. The ascent aims at stateAim times the best bound so far, until
// it is there, rather than at an incumbent, which may be far off.
const (
	stateTasks    = 200
	stateArcSlots = 200_000_000
	stateRounds   = 400
	stateWork     = 20_000_000_000
	stateAim      = 1.1
)

// boundByStates tells bounded the bound that prices of copies by phase and slot prove, each job priced over the graph of its
// states (docs/bounds-and-proofs.md#states), and returns its proof; nil where jobs have too many states, or more than are
// verified. The ascent begins at the prices of surrogates, if there are any, which prove known.
func boundByStates(
	ctx context.Context, in *cloning.Instance, first *verifycloning.Prices, known float64, rounds int, bounded func(float64),
) *proof.Claim {
	v := bounds.Of(in)
	if v.Tasks > stateTasks {
		return nil
	}
	own := schedule.First(ctx, v)
	if own == nil {
		return nil
	}
	begin := schedule.Prices(v, own.Solution)
	m := schedule.Relaxation(ctx, in, false, stateArcSlots/len(begin[0]))
	if m == nil || !verifycloning.Tables(len(begin[0]), m.Nodes()) {
		return nil
	}
	for k, row := range begin {
		for t := 0; t < len(row) && first != nil; t++ {
			row[t] = int32(min(values.Unit*pricing.CopyPrice(first, v.Phases[k].Demand, t+1), values.Dearest))
		}
	}
	if rounds == 0 {
		rounds = min(stateRounds, stateWork/(m.Arcs()*len(begin[0])))
	}
	a := values.NewAscent(m, len(begin[0]))
	a.Begin(begin, 0, nil)
	most := int64(own.Cost) * values.Unit
	for aim := min(most, int64(stateAim*known*values.Unit)); ; aim = min(most, int64(stateAim*float64(a.Best))) {
		rounds -= a.Run(ctx, rounds, aim, false)
		if a.Best < aim || a.Best >= most || rounds <= 0 {
			break
		}
	}
	if a.Prices == nil {
		return nil
	}
	bounded(math.Ceil(float64(a.Best) / values.Unit))
	return search.ClaimByPrices(m, a.Prices)
}
