package redundancy

import (
	"errors"
	"testing"

	"schedgap/exact/redundancy/oracle"
	verifyredundancy "schedgap/exact/verify/redundancy"
	"schedgap/models/fail"
	"schedgap/models/proof"
	"schedgap/models/redundancy"
	"schedgap/models/trials"
)

// grown is the tree of a search for a proof of bound, without prices.
func grown(t *testing.T, in *redundancy.Instance, bound float64) ([]proof.TreeNode, error) {
	t.Helper()
	tree, err := verifyredundancy.NewTree(in, []any{proof.Multipliers{Grid: []float64{0, 1}, Price: []float64{0}}})
	fail.On(t, err)
	s := &search{masterProblem: newMasterProblem(in), incumbent: newIncumbent(in, nil), cutoff: bound}
	l, err := s.proof(t.Context(), tree.Root(), 0, nil)
	return l.nodes, err
}

// A tree proves what is less than the optimum, and none what is more, without prices.
func TestProveToTheOptimum(t *testing.T) {
	rng := trials.Rand(t, 16, 13)
	asked := map[string]int{}
	for i := range trials.Count(400) {
		in := oracle.RandomInstance(rng, i%4 == 0)
		for j := range in.Jobs {
			in.Jobs[j].Work *= 0.7 + rng.Float64()
		}
		var opt float64
		if i%8 < 4 {
			opt = oracle.Opt(in)
		} else {
			in.Machines, in.Speedup = 3, []float64{1, 1 + 0.6*rng.Float64(), 0}
			in.Speedup[2] = in.Speedup[1] + (in.Speedup[1]-1)*rng.Float64()
			for _, id := range []string{"a", "b"} {
				in.Jobs = append(in.Jobs, redundancy.Job{ID: id, Arrival: 4 * rng.Float64(), Work: 4 * rng.ExpFloat64()})
			}
			out, err := Opt.Alone(t.Context(), Opt.Methods[0], pass(in), nil)
			fail.On(t, err)
			opt = value(t, in, out.Solution)
		}
		nodes, err := grown(t, in, opt*(1-2e-9))
		if err != nil {
			t.Fatalf("%v: less than the optimum %v of %s", err, opt, show(in))
		}
		for _, n := range nodes {
			switch {
			case n.Window != nil:
				asked["window"]++
			case n.Pair != nil:
				asked["pair"]++
			case n.Copies != nil && n.Copies[2] == 0:
				asked["none"]++
				if len(nodes) < 30 {
				}
			case n.Copies != nil:
				asked["copies"]++
			}
		}
		_, err = grown(t, in, opt*(1+2e-9))
		if !errors.Is(err, errBetter) {
			t.Fatalf("%v: more than the optimum %v of %s", err, opt, show(in))
		}
	}
	t.Log(asked)
	if len(asked) < 3 {
		t.Errorf("only %v are asked for", asked)
	}
}
