package pocd

import (
	"context"
	"math"

	"schedgap/exact"
	"schedgap/models/pocd"
)

// UpperBound is an upper bound on the optimum over extra copies of stragglers, at any size and for any α. It is the linear
// relaxation of the multiple-choice knapsack over (job, copies), which equals its Lagrangian relaxation in the capacity: for
// α < 1 the concave envelopes' greedy value, for finite α ≥ 1 the optimum itself, as the utilities are concave, and for inf
// the max–min value, which bisection gives exactly. When ctx ends, the bound is the value without a capacity.
func UpperBound(ctx context.Context, in *pocd.Instance) float64 {
	_, value := relaxed(ctx, in, false)
	return above(value)
}

// above moves a bound up by more than the rounding in its sum, never by a share that shows.
func above(v float64) float64 { return v + 1e-12*math.Abs(v) }

// ceiling is the value when every task that may have copies has all that are allowed.
func ceiling(in *pocd.Instance, all bool) float64 {
	full, most := pocd.NoCopies(in), min(in.MaxCopies, in.Spare())
	for j := range full {
		for i := range full[j] {
			if all || in.Jobs[j].Tasks[i].Straggler {
				full[j][i] = most
			}
		}
	}
	return above(in.Value(full))
}

// UB is the upper bound as an algorithm.
var UB = exact.Bound[*pocd.Instance, pocd.Copies]("ub",
	"upper bound on the optimum, at any size\n\n"+
		"Linear relaxation of the multiple-choice knapsack over (job, copies): concave envelopes for α < 1, exact for α ≥ 1 "+
		"and inf (exact/pocd/bound.go).", pocd.Opt, upperBound)

func upperBound(ctx context.Context, in *pocd.Instance) (float64, error) {
	return UpperBound(ctx, in), nil
}
