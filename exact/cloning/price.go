package cloning

import (
	"context"

	"schedgap/exact/cloning/pricing"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/proof"
)

// LBPrice is the bound by prices of capacity as an algorithm.
var LBPrice = &cloning.Algorithm{
	Name: "lb-price",
	Doc: "lower bound: prices of capacity over time, at which every job alone buys its cheapest schedule\n\n" +
		"docs/bounds-cloning.md; prices of resources and of shares of servers by class and interval (exact/cloning/pricing). Valid for both regimes, at any size; never less than the combination of " +
		"lb-path and lb-srpt.",
	Kind: models.Bound, Reference: cloning.Opt, Proves: true,
	Params: []models.Param{{
		Name: "steps", Default: 0, Min: 0, Max: 1e6,
		Doc: "how often every job's purchases are revised at most; 0: as often as fits into less than a minute",
	}},
	Run: func(ctx context.Context, p *cloning.Pass) (cloning.Outcome, error) {
		best := LowerBound(p.Instance)
		p.Bounded(best)
		in, _ := fromFirst(p.Instance)
		r := pricing.Bound(ctx, in, pricing.Options{Steps: p.Params.Int("steps"), Bounded: func(b float64) {
			if b > best {
				best = b
				p.Bounded(b)
			}
		}})
		status := models.Feasible
		if !r.Done {
			status = models.Timeout
		}
		out := cloning.Outcome{Status: status, Bound: &best}
		if r.Prices != nil && r.Bound == best {
			out.Proof = &proof.Claim{Kind: proof.Prices, Lines: []any{r.Prices}}
		}
		return out, nil
	},
}
