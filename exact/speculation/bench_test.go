package speculation

import (
	"fmt"
	"math/rand/v2"
	"testing"

	datasets "schedgap/datasets/speculation"
	"schedgap/models"
	"schedgap/models/speculation"
)

// cluster is a window of the paper's cluster.
func cluster(tb testing.TB, stragglers, slots int, powerSpeed float64) *speculation.Instance {
	tb.Helper()
	values, err := models.Resolve(datasets.Generator.Params, map[string]any{
		"stragglers": stragglers, "slots": slots, "nodes": max(20, stragglers), "power_speed": powerSpeed,
	})
	if err != nil {
		tb.Fatal(err)
	}
	in, err := datasets.Generator.Generate("bench", values, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		tb.Fatal(err)
	}
	return in
}

// exchangeable is a window where all copies load their input and all stragglers draw the same.
func exchangeable(tb testing.TB, n int, seed uint64) *speculation.Instance {
	tb.Helper()
	values, err := models.Resolve(datasets.Generator.Params, map[string]any{
		"stragglers": n, "slots": n, "nodes": 1000, "locality": 0.0, "power_speed": 3.0,
	})
	if err != nil {
		tb.Fatal(err)
	}
	in, err := datasets.Generator.Generate("exchangeable", values, rand.New(rand.NewPCG(seed, 0)))
	if err != nil {
		tb.Fatal(err)
	}
	for i := range in.Stragglers {
		in.Stragglers[i].Power = 20
	}
	return in
}

func benchmark(b *testing.B, name, solver string, in *speculation.Instance) {
	b.Helper()
	a := algorithm(name)
	for b.Loop() {
		out, err := a.Run(b.Context(), pass(in, solver))
		if err != nil || out.Status != models.Optimal {
			b.Fatalf("%s: %v", out.Status, err)
		}
		if name == speculation.Pareto {
			b.ReportMetric(float64(len(out.Solution.Front)), "points")
		}
	}
}

// BenchmarkOpt solves for the scalar by both methods; the goal for hungarian on 1,000 stragglers and slots is 1 s.
func BenchmarkOpt(b *testing.B) {
	for _, n := range []int{100, 300, 1000} {
		in := cluster(b, n, n, 1.5)
		for _, solver := range []string{"hungarian", "highs"} {
			b.Run(fmt.Sprintf("%s/n=%d", solver, n), func(b *testing.B) { benchmark(b, speculation.Opt, solver, in) })
		}
	}
}

// BenchmarkPareto finds whole fronts; power_speed 3 sets time and energy at odds, exchangeable stragglers make many matchings
// tie.
func BenchmarkPareto(b *testing.B) {
	for _, c := range []struct {
		n          int
		powerSpeed float64
		solvers    []string
	}{
		{8, 1.5, []string{"hungarian", "highs"}},
		{8, 3, []string{"hungarian", "highs"}},
		{12, 1.5, []string{"hungarian"}},
		{12, 3, []string{"hungarian"}},
		{16, 1.5, []string{"hungarian"}},
		{16, 3, []string{"hungarian"}},
		{20, 1.5, []string{"hungarian"}},
	} {
		in := cluster(b, c.n, c.n, c.powerSpeed)
		for _, solver := range c.solvers {
			b.Run(fmt.Sprintf("%s/n=%d/power_speed=%v", solver, c.n, c.powerSpeed), func(b *testing.B) {
				benchmark(b, speculation.Pareto, solver, in)
			})
		}
	}
	for _, n := range []int{10, 15, 20, 40} {
		in := exchangeable(b, n, 1)
		b.Run(fmt.Sprintf("hungarian/n=%d/exchangeable", n), func(b *testing.B) { benchmark(b, speculation.Pareto, "hungarian", in) })
	}
}
