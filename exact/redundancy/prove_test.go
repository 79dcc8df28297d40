package redundancy

import (
	"errors"
	"math/rand/v2"
	"testing"

	"schedgap/exact/redundancy/oracle"
	"schedgap/exact/verify"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
)

// On shared machines a tree proves what is less than the optimum, and none what is more, with the best weights at each leaf.
func TestProveSharesToTheOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 13))
	free := []any{proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}}
	asked := map[string]int{}
	for i := range 40 {
		in := oracle.RandomInstance(rng, true)
		for j := range in.Jobs {
			in.Jobs[j].Work *= 0.7 + rng.Float64()
		}
		var opt float64
		if i < 20 {
			opt = oracle.Opt(in)
		} else {
			in.Machines, in.Speedup = 3, []float64{1, 1.6, 1.8}
			for _, id := range []string{"a", "b"} {
				in.Jobs = append(in.Jobs, redundancy.Job{ID: id, Arrival: 4 * rng.Float64(), Work: 4 * rng.ExpFloat64()})
			}
			p := &redundancy.Pass{Instance: in, Threads: 1, Improved: func(redundancy.Solution) {}, Bounded: func(float64) {}}
			out, err := Opt.Methods[0].Solve(t.Context(), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			opt = *redundancy.Problem.Check(in, out.Solution).Objective
		}
		tree, err := proveShares(t.Context(), in, free, opt*(1-2e-9))
		if err != nil {
			t.Fatalf("%v: less than the optimum %v of %+v", err, opt, in)
		}
		for _, n := range tree.Nodes {
			switch {
			case n.Window != nil:
				asked["window"]++
			case n.Pair != nil:
				asked["pair"]++
			case n.Copies != nil:
				asked["copies"]++
			}
		}
		if _, err = proveShares(t.Context(), in, free, opt*(1+2e-9)); !errors.Is(err, errBetter) {
			t.Fatalf("%v: more than the optimum %v of %+v", err, opt, in)
		}
		// The same when windows are asked for first.
		for _, bound := range []float64{opt * (1 - 2e-9), opt * (1 + 2e-9)} {
			p := &shareProver{shareProgram: newShareProgram(in), bound: bound}
			windows := 0
			_, err := verify.RedundancyShareTree(t.Context(), in, free, bound, func(n *verify.RedundancyShared) (proof.ShareNode, error) {
				for j := range n.Lo {
					if windows < 4 && n.Lo[j] < n.Hi[j] {
						windows++
						return proof.ShareNode{Window: []int{j, n.Hi[j]}}, nil
					}
				}
				return p.choose(n)
			})
			asked["window"] += windows
			if bound < opt && err != nil || bound > opt && !errors.Is(err, errBetter) {
				t.Fatalf("%v: the bound %v with windows, the optimum is %v, of %+v", err, bound, opt, in)
			}
		}
	}
	if len(asked) < 3 {
		t.Errorf("only %v are asked for", asked)
	}
}
