package cloning

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"schedgap/exact/cloning/oracle"
	"schedgap/exact/cloning/pricing"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/trials"
)

// Searches, bounds and proofs against the oracle where tolerances end, demands are nothing, tables miss being concave and all are
// alike.
func TestExtremes(t *testing.T) {
	rng := trials.Rand(t, 24, 2)
	for range trials.Count(300) {
		in := oracle.ExtremeInstance(rng, 4)
		optima := map[bool]float64{}
		for _, fixed := range []bool{false, true} {
			opt := float64(oracle.Opt(in, fixed))
			optima[fixed] = opt
			s, got := solve(t, ofRegime(fixed), in, "", "")
			if got != opt {
				t.Fatalf("%s is %v, the oracle says %v\n%s", ofRegime(fixed).Name, got, opt, oracle.Show(in))
			}
			byModels(t, in, fixed, opt)
			c := ofSolution(t, in, s, got, fixed)
			if err := c.check(t); err != nil || c.header.Value == nil || *c.header.Value != opt {
				t.Fatalf("%v is not proven: %v, %v\n%s", opt, c.header.Value, err, oracle.Show(in))
			}
		}
		againstBounds(t, in, optima[false])
		in, _ = kernel.FromFirst(in)
		if r := pricing.Bound(t.Context(), in, pricing.Options{Steps: 20}); r.Bound > optima[false] {
			t.Fatalf("lb-price is %v, the optimum %v\n%s", r.Bound, optima[false], oracle.Show(in))
		} else if r.Prices != nil {
			if proven := verified(t, in, r.Prices); proven > optima[false] || proven < r.Bound {
				t.Fatalf("lb-price is %v, its prices prove %v, the optimum %v\n%s", r.Bound, proven, optima[false], oracle.Show(in))
			}
		}
	}
}

// byModels solves an instance as the models that take it. Solvers' tolerances may put copies beside each other that do not fit,
// which the checker finds; what it confirms must be true.
func byModels(t *testing.T, in *cloning.Instance, fixed bool, opt float64) {
	t.Helper()
	for _, f := range ofRegime(fixed).Formulations {
		if linkedtest.Without("highs") || f.Applies(in) != nil {
			continue
		}
		p := pass(in)
		p.Solver, p.Model = "highs", f.Name
		out, err := ofRegime(fixed).Algorithm(parts).Run(t.Context(), p)
		if err != nil || out.Status != models.Optimal {
			continue
		}
		r := cloning.Problem.Check(in, out.Solution)
		if r.Feasible(nil) && *r.Objective == *out.Claimed && *out.Claimed != opt {
			t.Fatalf("%s of %s is %v, the oracle says %v\n%s", f.Name, ofRegime(fixed).Name, *out.Claimed, opt, oracle.Show(in))
		}
	}
}

// TestTooFull: models refuse copies that fit by the definition's tolerance alone, which HiGHS cut off (it said 7 for 6 here), and
// take those that fit exactly, or by rounding.
func TestTooFull(t *testing.T) {
	for _, c := range []struct {
		mem    [2]float64
		refuse bool
	}{
		{[2]float64{1.5000000015000006, 1.5000000015000001}, true},
		{[2]float64{1.5, 1.5}, false},
		{[2]float64{3 * (0.1 + 0.2), 2.1}, false}, // 3·.30000000000000004 + 2.1 is 3, rounding aside
		{[2]float64{1.50001, 1.50001}, false},     // they do not fit
	} {
		in := oracle.ExtremeInstance(rand.New(rand.NewPCG(1, 1)), 1)
		in.Resources, in.Servers = []string{"mem"}, []cloning.Server{{ID: "s", Capacity: []float64{3}}}
		in.MaxCopies, in.MaxCopiesPerServer, in.Jobs = 1, 1, nil
		for i, d := range c.mem {
			in.Jobs = append(in.Jobs, cloning.Job{
				ID: fmt.Sprint(i), Phases: []cloning.Phase{{ID: "p", Tasks: 1, Demand: []float64{d}, Mean: 2, Speedup: []float64{1}}},
			})
		}
		for _, fixed := range []bool{false, true} {
			for _, f := range ofRegime(fixed).Formulations {
				if err := f.Applies(in); (err != nil) != c.refuse {
					t.Errorf("%s with demands %v of 3: %v", f.Name, c.mem, err)
				}
			}
		}
	}
}
