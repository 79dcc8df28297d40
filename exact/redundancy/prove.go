package redundancy

import (
	"context"
	"slices"
	"time"

	"schedgap/exact/verify"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// Value and bound of an optimum may differ by 1e-9 of the sum of flowtimes (docs/proofs.md); trees prove all but provenGap of it, so that
// rounding does not make them larger. A tree of more than provenNodes nodes is given up. At a limit, bounds that are provenClose are not told
// apart, and none is tried in less than provenTime.
const (
	provenGap   = 5e-10
	provenNodes = 2_000_000
	provenClose = 1e-6
	provenTime  = 50 * time.Millisecond
)

// prove makes a proof that s is optimal, or, where ctx ends or the tree is too large, of the highest bound that it has time for. Trees are found
// by the verifier's own code, given the bound: nothing is taken from the search but s, what it is worth, and whether it is said to be optimal.
func prove(ctx context.Context, in *redundancy.Instance, s redundancy.Solution, value, known float64) (*proof.Claim, error) {
	n := len(in.Jobs)
	c := priceBound(ctx, in, min(rootSteps*n*n, mostSteps), func(float64) {})
	if c == nil || c.Point.Price == nil { // free machines prove that jobs run alone
		bound := lowered(singles(in), singles(in))
		free := proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}
		return &proof.Claim{Kind: proof.Prices, Lines: []any{free}, Bound: &bound}, nil
	}
	ids := make([]string, n)
	for i, j := range byArrival(in) {
		ids[i] = in.Jobs[j].ID
	}
	claim, less := c.Claim(ids), c.Best.Safe()
	claim.Bound = &less
	if n > verify.RedundancyJobs {
		return claim, nil
	}
	steps, exact := replay(in, s)
	if steps != nil {
		value = verify.RedundancyValueUp(exact)
	}
	goal := value - provenGap*value
	tree, bound := highest(ctx, less, goal, known >= value-2*provenGap*value, func(ctx context.Context, bound float64) (any, error) {
		if in.Multitasking {
			return proveShares(ctx, in, claim.Lines, bound)
		}
		return verify.RedundancyTree(ctx, in, claim.Lines, bound, provenNodes)
	})
	if tree == nil {
		return claim, nil
	}
	claim.Bound = &bound
	if bound < goal {
		steps = nil
	} else if steps != nil {
		claim.Value = &value
	}
	first := any(proof.Shares{Solution: steps})
	if claim.Kind = proof.RedundancyShares; !in.Multitasking {
		claim.Kind, first = proof.RedundancyEvents, proof.Copies{Solution: machines(steps)}
	}
	claim.Lines = slices.Concat([]any{first}, claim.Lines, []any{tree})
	return claim, nil
}

// highest is the tree of the highest bound between low and goal that is proven in time, nil: of none above low. Unless all time is for the goal,
// half of it goes there, and each half of what is left to the middle between what was proven and what was not.
func highest(ctx context.Context, low, goal float64, only bool, grow func(context.Context, float64) (any, error)) (tree any, bound float64) {
	end, limited := ctx.Deadline()
	only = only || !limited
	for high := goal; ; {
		part, cancel := ctx, context.CancelFunc(func() {})
		if !only {
			part, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		}
		t, err := grow(part, goal)
		cancel()
		if err == nil {
			tree, bound, low = t, goal, goal
		} else { // time is over, the tree is too large, or something is worth less
			high = goal
		}
		if only || low >= high || time.Until(end) < provenTime || high-low <= provenClose*high {
			break
		}
		goal = low + (high-low)/2
	}
	return tree, bound
}

// machines are the machines of jobs, without their shares, which are 1.
func machines(steps [][][3]float64) [][][2]int {
	list := make([][][2]int, len(steps))
	for i, step := range steps {
		list[i] = [][2]int{}
		for _, h := range step {
			list[i] = append(list[i], [2]int{int(h[0]), int(h[1])})
		}
	}
	return list
}
