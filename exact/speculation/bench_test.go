package speculation

import (
	"fmt"
	"math/rand/v2"
	"testing"

	datasets "schedgap/datasets/speculation"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/speculation"
)

// cluster is a window of the paper's cluster.
func cluster(tb testing.TB, stragglers, slots int, powerSpeed float64) *speculation.Instance {
	tb.Helper()
	values, err := models.Resolve(datasets.Generator.Params, map[string]any{
		"stragglers": stragglers, "slots": slots, "nodes": max(20, stragglers), "power_speed": powerSpeed,
	})
	fail.On(tb, err)
	in, err := datasets.Generator.Generate("bench", values, rand.New(rand.NewPCG(1, 0)))
	fail.On(tb, err)
	return in
}

func benchmark(b *testing.B, solver string, in *speculation.Instance) {
	b.Helper()
	a := algorithm()
	for b.Loop() {
		out, err := a.Run(b.Context(), pass(in, solver))
		if err != nil || out.Status != models.Optimal {
			b.Fatalf("%s: %v", out.Status, err)
		}
	}
}

// BenchmarkOpt solves for the scalar by both methods; the goal for hungarian on 1,000 stragglers and slots is 1 s.
func BenchmarkOpt(b *testing.B) {
	for _, n := range []int{100, 300, 1000} {
		in := cluster(b, n, n, 1.5)
		for _, solver := range []string{"hungarian", "highs"} {
			b.Run(fmt.Sprintf("%s/n=%d", solver, n), func(b *testing.B) { benchmark(b, solver, in) })
		}
	}
}
