package redundancy

import (
	"context"

	"schedgap/exact/verify"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// Value and bound of an optimum may differ by 1e-9 of the sum of flowtimes (docs/proofs.md); trees prove all but provenGap of it, so that
// rounding does not make them larger. A tree of more than provenNodes nodes is given up.
const (
	provenGap   = 5e-10
	provenNodes = 2_000_000
)

// prove makes a proof that s is optimal, or, where ctx ends or the tree is too large, of a bound by prices. The tree is found by the
// verifier's own code, given the value: nothing is taken from the search but s and what it is worth.
func prove(ctx context.Context, in *redundancy.Instance, s redundancy.Solution, _, _ float64) (*proof.Claim, error) {
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
	if steps == nil {
		return claim, nil
	}
	value := verify.RedundancyValueUp(exact)
	bound := value - provenGap*value
	var kind string
	var first, tree any
	var err error
	if in.Multitasking {
		kind, first = proof.RedundancyShares, proof.Shares{Solution: steps}
		tree, err = proveShares(ctx, in, claim.Lines, bound)
	} else {
		kind, first = proof.RedundancyEvents, proof.Copies{Solution: machines(steps)}
		tree, err = verify.RedundancyTree(ctx, in, claim.Lines, bound, provenNodes)
	}
	if err != nil { // ctx has ended, the tree is too large, or something is worth less
		return claim, nil
	}
	lines := append([]any{first}, claim.Lines...)
	return &proof.Claim{Kind: kind, Lines: append(lines, tree), Value: &value, Bound: &bound}, nil
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
