package evaluate

import (
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/generate"
	"schedgap/models"
	"schedgap/models/fail"
)

// TestBetterBound: of two proven bounds the better one counts, whichever comes first, and a solution known before stays. Without a
// proven optimum, the best known schedule is not called one.
func TestBetterBound(t *testing.T) {
	registry, err := catalog.New()
	fail.On(t, err)
	p, err := registry.Problem("flex")
	fail.On(t, err)
	values, err := models.Resolve(p.Generator.Params, map[string]any{"jobs": 6, "metric": "tardiness", "weighted": true})
	fail.On(t, err)
	in, err := generate.One(p, "some", values, 3, 0)
	fail.On(t, err)
	solve := func(algorithm string) *bench.Result {
		t.Helper()
		res := p.Run(t.Context(), in, bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1, Prove: algorithm == priced}, bench.Observer{})
		p.Prove(t.Context(), in, res)
		if (len(res.Proof) == 0) == (algorithm == priced) {
			t.Fatalf("%s: no proof, %s %s", algorithm, res.Status, res.Error)
		}
		return res
	}
	high, poor := solve(priced), solve("fifo-min")
	if !(*high.Bound > 0) || !(*poor.Objective > *high.Bound) {
		t.Fatalf("the instance is too easy: %v, %v", *high.Bound, *poor.Objective)
	}
	o := &Options{Problem: p}
	known := &optimum{Reference: exact, Solution: poor.Solution, objective: poor.Objective}
	better, err := o.proven(in, high, time.Second, known)
	if err != nil || better.Bound <= 0 || better.Value != nil || string(better.Solution) != string(poor.Solution) {
		t.Fatalf("%v: a bound of %v, value %v", err, better.Bound, better.Value)
	}
	known.Bound = 2 * better.Bound
	if again, err := o.proven(in, high, time.Second, known); err != nil || again != known {
		t.Errorf("%v: a worse bound counts", err)
	}
	known.Bound, known.objective = 0, new(better.Bound) // a solution that meets the bound is optimal
	if met, err := o.proven(in, high, time.Second, known); err != nil || met.Value == nil || *met.Value != better.Bound {
		t.Errorf("%v: %+v", err, met)
	}
	c := &trial{instance: in, optimum: better, result: solve("spt")}
	c.part = better.part(in, *c.result.Objective)
	feedback := conclude(o, []*trial{c}).Artifacts["feedback"]
	if strings.Contains(feedback, "the optimum") || !strings.Contains(feedback, "the best known schedule ") {
		t.Error(feedback)
	}
}
