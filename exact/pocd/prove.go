package pocd

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/exact/verify"
	"schedgap/models/pocd"
	"schedgap/models/proof"
)

// slacks are by how much, relatively, a proven bound may lie above the value of an optimum, tried one after the other: a bound
// next to the value has to tell it from all that is worth nearly as much.
var slacks = []float64{4e-12, 1e-10, 9e-10}

// prove proves that s is optimal by the price of a copy, or else the linear relaxation's bound.
func prove(ctx context.Context, in *pocd.Instance, s pocd.Copies, all bool) (*proof.Claim, error) {
	price, ceiling := relaxed(ctx, in, all)
	claim := &proof.Claim{Kind: verify.PocdMultiplier}
	proven := func(ctx context.Context, bound float64) bool {
		claim.Bound = &bound
		return verify.PocdBound(ctx, in, all, price, bound) == nil
	}
	if !math.IsInf(in.Alpha, 1) {
		claim.Lines = []any{verify.PocdPrice{Multiplier: price}}
	}
	value, err := verify.PocdValue(in, all, s)
	if err != nil {
		return nil, err
	}
	for _, slack := range slacks {
		if bound := value + slack*math.Abs(value); bound-value <= 1e-9*math.Abs(value) && proven(ctx, bound) {
			claim.Value = &value
			claim.Lines = append([]any{verify.PocdSolution{Solution: s}}, claim.Lines...)
			return claim, nil
		}
	}
	for slack := 1e-12; slack < 1; slack *= 1000 { // the time has no part in this: it is a sum
		if proven(context.WithoutCancel(ctx), ceiling+slack*math.Abs(ceiling)) {
			return claim, nil
		}
	}
	return nil, ctx.Err()
}

// relaxed is the price of a copy in the linear relaxation, and the relaxation's value; without a price when ctx ends first.
func relaxed(ctx context.Context, in *pocd.Instance, all bool) (price, value float64) {
	fs, ok := frontiers(ctx, in, all)
	if !ok {
		return 0, ceiling(in, all)
	}
	switch {
	case math.IsInf(in.Alpha, 1):
		return 0, worth(in, fs, maxMin(in, fs))
	case in.Alpha == 1:
		return lastGain(in, all), worth(in, fs, concave(in, fs))
	}
	k := newKnapsack(ctx, in, fs)
	if k == nil {
		return 0, ceiling(in, all)
	}
	r := k.relax()
	return r.price, k.bound(r)
}

// lastGain is the largest gain that the spare machines are too few for, of all gains in ln R_i; 0: they are enough. The proof for
// α = 1 tells tasks apart and not jobs.
func lastGain(in *pocd.Instance, all bool) float64 {
	spare := in.Spare()
	var gains []float64
	for j := range in.Jobs {
		job := &in.Jobs[j]
		if hopeless(job) {
			continue
		}
		for i := range job.Tasks {
			if !all && !job.Tasks[i].Straggler {
				continue
			}
			miss := job.LogMiss(i)
			before := pocd.LogR(miss, 0)
			for r := 1; r <= min(in.MaxCopies, spare); r++ {
				after := pocd.LogR(miss, r)
				if after <= before {
					break
				}
				gains = append(gains, after-before)
				before = after
			}
		}
	}
	if len(gains) <= spare {
		return 0
	}
	slices.SortFunc(gains, func(a, b float64) int { return cmp.Compare(b, a) })
	return gains[spare]
}
