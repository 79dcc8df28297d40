//go:build lpsolve && cgo

package lpsolve

import (
	"context"
	"testing"
	"time"

	"github.com/draffensperger/golp"
	"go.uber.org/goleak"

	"schedgap/exact/milp"
	"schedgap/exact/milp/milptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	milptest.Run(t, func(*testing.T) milp.Solver { return Solver{} }, milptest.Config{Skip: map[string]string{
		"limit-with-bound": "lp_solve tells no dual bound",
	}})
}

func BenchmarkSolve(b *testing.B) { milptest.Benchmark(b, Solver{}) }

// Only the codes listed here are answers; every other one, known or not, is an error. SUBOPTIMAL is no proof.
func TestVerdict(t *testing.T) {
	want := map[golp.SolutionType]milp.Status{
		golp.OPTIMAL: milp.Optimal, golp.SUBOPTIMAL: milp.Limit, golp.INFEASIBLE: milp.Infeasible, golp.UNBOUNDED: milp.Unbounded,
		golp.USERABORT: milp.Limit, golp.TIMEOUT: milp.Limit, golp.PROCBREAK: milp.Limit,
	}
	for code := golp.SolutionType(-10); code < 100; code++ {
		got, err := verdict(code)
		if got != want[code] || (err == nil) != (want[code] != 0) {
			t.Errorf("%s (%d): %s, %v, want %s", code, code, got, err, want[code])
		}
	}
}

// A solve that waits for its turn keeps to its time limit.
func TestWaiting(t *testing.T) {
	turn <- struct{}{}
	defer func() { <-turn }()
	m := &milp.Model{Cols: []milp.Col{{Name: "x", Hi: 1}}}
	m.AddRow("r", 0, 1, milp.Term{Coef: 1})
	r, err := Solver{}.Solve(context.Background(), m, milp.Options{TimeLimit: 10 * time.Millisecond})
	if err != nil || r.Status != milp.Limit || r.X != nil {
		t.Errorf("got %+v, %v, want limit", r, err)
	}
}
