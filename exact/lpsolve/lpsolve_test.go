package lpsolve

import (
	"testing"

	"schedgap/exact/milp"
	"schedgap/exact/milp/milptest"
)

func TestConformance(t *testing.T) {
	milptest.Run(t, func(*testing.T) milp.Solver { return Solver{} }, milptest.Config{Skip: map[string]string{
		"limit-with-bound": "lp_solve tells no dual bound",
	}})
}

func BenchmarkSolve(b *testing.B) { milptest.Benchmark(b, Solver{}) }
