package flex_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	hflex "schedgap/heuristics/flex"
	"schedgap/models/flex"
)

// Whatever the effort, flex-ls is no worse than the order of fair's completions through MPS.
func TestLocalSearchIsNoWorseThanFairsOrder(t *testing.T) {
	improved := 0
	rapid.Check(t, func(t *rapid.T) {
		in := drawTight(t)
		s, err := hflex.Fair.Run(context.Background(), &flex.Pass{Instance: in})
		if err != nil {
			t.Fatal(err)
		}
		ends := flex.Completions(in, s.Solution)
		packer := flex.NewPacker(in)
		order := flex.OrderBy(in, func(j int) float64 { return ends[j] })
		limit := in.Value(packer.Completions(order))
		if limit < in.Value(packer.Completions(hflex.Best(in, packer))) {
			improved++
		}
		out, err := hflex.LocalSearch.Run(context.Background(), bestPass(in, 1))
		if err != nil {
			t.Fatal(err)
		}
		if v := *flex.Problem.Check(in, out.Solution).Objective; v > limit*(1+1e-12) {
			t.Fatalf("flex-ls has %v, fair's order %v", v, limit)
		}
	})
	if improved == 0 {
		t.Error("fair's order was never the better start")
	}
}

// drawTight draws instances whose maxima bind: makespan, or its weighted form.
func drawTight(t *rapid.T) *flex.Instance {
	in := &flex.Instance{Slots: 20, Objective: flex.Objective{
		Metric: flex.Response, Aggregate: flex.Max, Weighted: rapid.Bool().Draw(t, "weighted"),
	}}
	for j := range rapid.IntRange(4, 10).Draw(t, "jobs") {
		work := rapid.IntRange(1, 30).Draw(t, "work")
		in.Jobs = append(in.Jobs, flex.Job{
			ID: fmt.Sprint("j", j), Work: float64(work), Max: min(20, rapid.IntRange(1, work).Draw(t, "max")),
			Min: rapid.IntRange(0, 1).Draw(t, "min"), Weight: float64(rapid.IntRange(1, 5).Draw(t, "weight")),
		})
	}
	return in
}
