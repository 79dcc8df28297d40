package command

import (
	"testing"

	"schedgap/exact/milp"
	"schedgap/exact/milp/milptest"
)

// installed skips a test whose executable is missing.
func installed(t testing.TB, cfg Config) *Solver {
	t.Helper()
	s, err := New(cfg)
	if err != nil {
		t.Skipf("%v", err)
	}
	return s
}

func TestCBC(t *testing.T) {
	s := installed(t, CBC())
	milptest.Run(t, func(*testing.T) milp.Solver { return s }, milptest.Config{})
}

func TestGlpsol(t *testing.T) {
	s := installed(t, Glpsol())
	milptest.Run(t, func(*testing.T) milp.Solver { return s }, milptest.Config{})
}

func BenchmarkCBC(b *testing.B)    { milptest.Benchmark(b, installed(b, CBC())) }
func BenchmarkGlpsol(b *testing.B) { milptest.Benchmark(b, installed(b, Glpsol())) }
