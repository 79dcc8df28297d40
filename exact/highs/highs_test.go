package highs

import (
	"testing"

	"schedgap/exact/milp"
	"schedgap/exact/milp/milptest"
)

func TestConformance(t *testing.T) {
	milptest.Run(t, func(*testing.T) milp.Solver { return Solver{} }, milptest.Config{})
}

func BenchmarkSolve(b *testing.B) { milptest.Benchmark(b, Solver{}) }
