package redundancy

import (
	"context"
	"math/big"

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

// prove makes a proof that s is optimal on whole machines, or, where ctx ends or the tree is too large and with multitasking, of a bound by
// prices. The tree is found by the verifier's own code, given the value: nothing is taken from the search but s and what it is worth.
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
	if in.Multitasking || n > verify.RedundancyJobs {
		return claim, nil
	}
	steps, exact := replay(in, s)
	if steps == nil {
		return claim, nil
	}
	value := verify.RedundancyValueUp(exact)
	bound := value - provenGap*value
	tree, err := verify.RedundancyTree(ctx, in, claim.Lines, bound, provenNodes)
	if err != nil { // ctx has ended, the tree is too large, or something is worth less
		return claim, nil
	}
	lines := append([]any{proof.Copies{Solution: steps}}, claim.Lines...)
	return &proof.Claim{Kind: proof.RedundancyEvents, Lines: append(lines, tree), Value: &value, Bound: &bound}, nil
}

// replay turns a schedule on whole machines into the machines of jobs from one event to the next, as the events are in exact arithmetic,
// and its sum of flowtimes; nil where it cannot be followed. Completions that rounding made one are two events: what ran before the
// first goes on running until the second.
func replay(in *redundancy.Instance, s redundancy.Solution) ([][][2]int, *big.Rat) {
	r := verify.NewRedundancyReplay(in)
	last := make([]int, len(in.Jobs)) // interval in which a job works last
	for i, iv := range s.Intervals {
		for _, a := range iv.Alloc {
			last[a.Job] = i
		}
	}
	begin, _ := r.Time.Float64()
	end := s.Intervals[len(s.Intervals)-1].End
	steps := [][][2]int{}
	for i := 0; !r.Done(); {
		if len(steps) > 8*len(in.Jobs) {
			return nil, nil
		}
		t, _ := r.Time.Float64()
		for ; i+1 < len(s.Intervals) && s.Intervals[i].End <= t+1e-12*(end-begin); i++ {
			late := false
			for j := range in.Jobs {
				late = late || last[j] == i && r.Left[j].Sign() != 0
			}
			if late {
				break
			}
		}
		step := [][2]int{}
		for _, a := range s.Intervals[i].Alloc {
			if r.Left[a.Job].Sign() != 0 {
				step = append(step, [2]int{a.Job, a.Copies})
			}
		}
		if err := r.Step(step); err != nil {
			return nil, nil
		}
		steps = append(steps, step)
	}
	return steps, r.Sum
}
