//go:build highs && cgo

package highs

import (
	"context"
	"testing"

	"go.uber.org/goleak"

	"schedgap/exact/milp"
	"schedgap/exact/milp/backend"
	"schedgap/exact/milp/milptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConformance(t *testing.T) {
	milptest.Run(t, func(*testing.T) milp.Solver { return Solver{} }, milptest.Config{})
}

func BenchmarkSolve(b *testing.B) { milptest.Benchmark(b, Solver{}) }

// Only the model statuses listed here are answers; every other code, known or not, is an error.
func TestVerdict(t *testing.T) {
	want := map[int]milp.Status{
		7: milp.Optimal, 8: milp.Infeasible, 9: backend.NoOptimum, 10: milp.Unbounded,
		13: milp.Limit, 14: milp.Limit, 16: milp.Limit, 17: milp.Limit, 18: milp.Limit,
	}
	for code := -5; code < 100; code++ {
		got, err := verdict(code)
		if got != want[code] || (err == nil) != (want[code] != 0) {
			t.Errorf("code %d: %s, %v, want %s", code, got, err, want[code])
		}
	}
}

// Two models on which the presolve of HiGHS 1.10 is at fault: it puts x1 outside its bounds, a "Solve error", and calls
// the second infeasible. 2x = -1 has no integer; y = 4 + b + c with b = -3, c = 2, a = 1 meets all rows of the second:
// y = 3, cost 1+2+15-2.
func TestPresolveFaults(t *testing.T) {
	inf := milp.Inf
	first := &milp.Model{Name: "solve-error", Cols: []milp.Col{
		{Name: "x0", Integer: true}, {Name: "x1", Lo: -1, Integer: true}, {Name: "x2", Integer: true},
	}}
	first.AddRow("r", -1, -1, terms(2, 2, -1)...)
	second := &milp.Model{Name: "not-infeasible", Offset: -2, Cols: []milp.Col{
		{Name: "a", Hi: 1, Cost: 1, Integer: true},
		{Name: "b", Lo: -3, Integer: true},
		{Name: "c", Lo: 2, Hi: 3, Cost: 1, Integer: true},
		{Name: "y", Lo: 2, Hi: inf, Cost: 5},
	}}
	second.AddRow("r0", 3, inf, terms(3, -1, -1, 0)...)
	second.AddRow("r1", -inf, 2, terms(-3, -1, 5, -4)...)
	second.AddRow("r2", -4, -4, terms(0, 1, 1, -1)...)
	second.AddRow("r3", -3, inf, terms(1, -2, 4, -3)...)
	for _, c := range []struct {
		m         *milp.Model
		want      milp.Status
		objective float64
	}{{first, milp.Infeasible, 0}, {second, milp.Optimal, 16}} {
		r, err := Solver{}.Solve(context.Background(), c.m, milp.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.m.Name, err)
			continue
		}
		if r.Status != c.want || r.X != nil && r.Objective != c.objective {
			t.Errorf("%s: %s %g (%s), want %s %g", c.m.Name, r.Status, r.Objective, r.Raw, c.want, c.objective)
		}
	}
}

func terms(coefs ...float64) []milp.Term {
	t := make([]milp.Term, len(coefs))
	for j, v := range coefs {
		t[j] = milp.Term{Col: j, Coef: v}
	}
	return t
}
