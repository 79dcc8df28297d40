package pocd

import (
	"context"
	"math"

	verifypocd "schedgap/exact/verify/pocd"
	"schedgap/models/pocd"
	"schedgap/models/proof"
)

// slacks are relative distances of a proven bound above the value of an optimum, tried one after the other: a bound next to the
// value has to tell it from all choices of nearly the same value.
var slacks = []float64{4e-12, 1e-10, 9e-10}

// prove proves that s is optimal by the price of a copy, or else the linear relaxation's bound.
func prove(ctx context.Context, in *pocd.Instance, s pocd.Copies, all bool) (*proof.Claim, error) {
	price, ceiling := relaxed(ctx, in, all)
	claim := &proof.Claim{Kind: verifypocd.Multiplier}
	proven := func(ctx context.Context, bound float64) bool {
		claim.Bound = &bound
		return verifypocd.Bound(ctx, in, all, price, bound) == nil
	}
	if !math.IsInf(in.Alpha, 1) {
		claim.Lines = []any{verifypocd.Price{Multiplier: price}}
	}
	value, err := verifypocd.Value(in, all, s)
	if err != nil {
		return nil, err
	}
	for _, slack := range slacks {
		if bound := value + slack*math.Abs(value); bound-value <= 1e-9*math.Abs(value) && proven(ctx, bound) {
			claim.Value = &value
			claim.Lines = append([]any{verifypocd.Solution{Solution: s}}, claim.Lines...)
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

// relaxed is the price of a copy in the linear relaxation, and the relaxation's value; when ctx ends first, no price and the
// value without a capacity.
func relaxed(ctx context.Context, in *pocd.Instance, all bool) (price, value float64) {
	fs, ok := frontiers(ctx, in, all)
	switch {
	case !ok:
		return 0, ceiling(in, all)
	case math.IsInf(in.Alpha, 1):
		return 0, objective(in, fs, maxMin(in, fs))
	case in.Alpha == 1:
		choice := concave(in, fs)
		return lastGain(in, fs, choice), objective(in, fs, choice)
	}
	k := newKnapsack(ctx, in, fs)
	if k == nil {
		return 0, ceiling(in, all)
	}
	r := k.relax()
	if in.Alpha > 1 { // the sum of its parts may leave the range of a float64
		return r.price, objective(in, fs, concave(in, fs))
	}
	return r.price, k.bound(r)
}

// lastGain is the least gain in ln R_i that is taken, which none that is left exceeds; 0: not all machines are needed. The proof
// for α = 1 tells tasks apart and not jobs.
func lastGain(in *pocd.Instance, fs []frontier, choice []int) float64 {
	spare, least := in.Spare(), math.Inf(1)
	for k, b := range choice {
		spare -= b
		if b > 0 {
			least = min(least, fs[k].gain[b-1])
		}
	}
	if spare > 0 || math.IsInf(least, 1) {
		return 0
	}
	return least
}
