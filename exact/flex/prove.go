package flex

import (
	"context"
	"fmt"
	"math"
	"time"

	"schedgap/exact/verify"
	"schedgap/models/flex"
	"schedgap/models/proof"
)

// optimumTolerance is how far apart value and bound of an optimum may be, in parts of what verify.FlexValue says; trees are grown until
// they prove all but a part of that, which is left for rounding.
const (
	optimumTolerance = 1e-9
	provenPart       = 0.9
)

// prove makes a proof that s is optimal, or of the bound that is known, or, where ctx ends, of that of what is open. It has a tree of its
// own, which begins with what is to be proven: nothing else is taken from the search.
func prove(ctx context.Context, in *flex.Instance, s flex.Schedule, value, known float64) (*proof.Claim, error) {
	times := flex.Completions(in, s)
	if times == nil {
		return nil, nil
	}
	solution, value, scale, exact := provable(in, times, value)
	claim := &proof.Claim{Lines: []any{solution}}
	var bound float64
	if in.Objective.Aggregate == flex.Max {
		b, prices := maxClaim(ctx, in)
		if prices == nil {
			return nil, nil
		}
		claim.Kind, bound = proof.FlexPrices, b
		claim.Lines = append(claim.Lines, prices.Lines...)
	} else {
		var grow func(ctx context.Context, in *flex.Instance, goal float64) []any
		switch {
		case in.Objective.Metric == flex.Tardy || in.Objective.Metric == flex.SLA:
			claim.Kind, grow = proof.FlexDeadlines, deadlineTree
		case len(in.Jobs) > relaxationJobs:
			return nil, nil
		default:
			claim.Kind, grow = proof.FlexOrders, orderTree
		}
		goal := min(value-provenPart*optimumTolerance*scale, known)
		tree, b, err := highest(ctx, goal, func(ctx context.Context, goal float64) ([]any, float64, error) {
			tree := grow(ctx, in, goal)
			bound, err := verify.FlexBound(claim.Kind, in, tree)
			return tree, bound, err
		})
		if err != nil {
			return nil, fmt.Errorf("the proof that was found proves nothing: %w", err)
		}
		bound = b
		claim.Lines = append(claim.Lines, tree...)
	}
	bound = min(bound, value)
	claim.Bound = &bound
	if exact && value-bound <= optimumTolerance*scale {
		claim.Value = &value
	}
	return claim, nil
}

// highest is the tree of the highest bound that is proven in time. A tree that is cut short proves little more than its root, so half of the
// time goes to the goal, and each half of what is left to the middle between what was proven and what was not.
func highest(ctx context.Context, goal float64, grow func(context.Context, float64) ([]any, float64, error)) (tree []any, bound float64, err error) {
	end, limited := ctx.Deadline()
	for bound = -inf; bound < goal && (tree == nil || limited && time.Until(end) > leastTime && goal-bound > 1e-6*math.Abs(bound)); {
		half, cancel := ctx, context.CancelFunc(func() {})
		if limited {
			half, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		}
		next := goal
		if tree != nil {
			next = bound + (goal-bound)/2
		}
		t, b, err := grow(half, next)
		cancel()
		if err != nil {
			return nil, 0, err
		}
		if b < next {
			goal = next
		}
		if tree == nil || b > bound {
			tree, bound = t, b
		}
	}
	return tree, bound, nil
}

// leastTime is what a tree needs to prove more than its root.
const leastTime = 50 * time.Millisecond

// provable makes completion times by which the jobs can complete without any tolerance, with their value, rounded up, and what its
// tolerance is measured by. Times that a search found are right to a rounding error, of their own or of the horizon: a little more will do. False: it
// will not.
func provable(in *flex.Instance, times []float64, found float64) (line proof.Completions, value, scale float64, ok bool) {
	h := horizon(in)
	line.Times = make([]float64, len(times))
	for push := 1e-15; push <= 1e-10; push *= 10 {
		for _, of := range []float64{0, h} {
			for j, t := range times {
				line.Times[j] = t + push*max(t, of)
				if in.StepTimes(j) != nil {
					line.Times[j] = levelEnd(in, j, t, 4*h)
				}
			}
			if value, scale, err := verify.FlexValue(in, line.Times); err == nil {
				return line, value, scale, true
			}
		}
	}
	for j, t := range times {
		scale += in.Factor(j) * t
	}
	return line, found, scale, false
}

// levelEnd is the latest time at which job j's penalty is what it is at t, but no later than last; it is below the step by more than
// rounding.
func levelEnd(in *flex.Instance, j int, t, last float64) float64 {
	for _, at := range in.StepTimes(j) {
		if !flex.After(t, at) {
			end := at + flex.Tolerance*math.Abs(at)
			return min(last, math.Nextafter(math.Nextafter(end, -inf), -inf))
		}
	}
	return last
}
