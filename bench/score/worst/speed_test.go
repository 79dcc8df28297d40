package worst_test

import (
	"testing"

	"schedgap/bench"
	"schedgap/bench/score/worst"
	"schedgap/models/fail"
)

// BenchmarkSearch measures evaluations a second of processor time for built-in rules at five jobs, and how many times as many that is as
// with heuristics before each proof.
func BenchmarkSearch(b *testing.B) {
	for _, c := range [][2]string{{"redundancy", "srpt+r"}, {"cloning", "dollymp2"}, {"flex", "flex"}} {
		p := problem(b, c[0])
		b.Run(c[0], func(b *testing.B) {
			r := bench.Request{Algorithm: c[1], Seed: 1, Threads: 1}
			fail.On(b, p.Resolve(&r))
			o := worst.Options{Problem: p, Request: r, Jobs: 5, Evaluations: 200, Seed: 7, Workers: 1, Name: "worst"}
			rate := func(o worst.Options) float64 {
				start := bench.ProcessCPU()
				if _, err := worst.Run(b.Context(), o); err != nil {
					b.Fatal(err)
				}
				return float64(o.Evaluations) / (bench.ProcessCPU() - start).Seconds()
			}
			for b.Loop() {
				fast, slow := rate(o), rate(worst.Thorough(o))
				b.ReportMetric(fast, "evals/cpu-s")
				b.ReportMetric(fast/slow, "times-thorough")
			}
		})
	}
}
