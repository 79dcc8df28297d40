package milptest

import (
	"slices"
	"testing"

	"schedgap/exact/milp"
)

// The oracle on models that are solved by hand.
func TestEnumerate(t *testing.T) {
	inf := milp.Inf
	for _, c := range []struct {
		why       string
		m         *milp.Model
		want      milp.Status
		objective float64
	}{
		{"10 + 13", knapsack(), milp.Optimal, 23},
		{"2x = 3", model(`min`, cols{{Lo: -5, Hi: 5, Integer: true}}, row(3, 3, 2)), milp.Infeasible, 0},
		{"x + 2y <= 4 leaves 1.5 to y at x = 1: 2 + 4.5", model(
			`max`, cols{{Cost: 2, Hi: 1, Integer: true}, {Cost: 3, Lo: -inf, Hi: inf}}, row(-inf, 4, 1, 2)), milp.Optimal, 6.5},
		{"-y >= x - 2 for x = 2 puts y at 0 or below", model(
			`min`, cols{{Lo: 2, Hi: 2, Integer: true}, {Cost: -1, Lo: -inf, Hi: inf}}, row(-inf, 2, 1, 1)), milp.Optimal, 0},
		{"y is free above", model(`max`, cols{{Hi: 1, Integer: true}, {Cost: 1, Hi: inf}}, row(0, inf, 1, 1)), milp.Unbounded, 0},
	} {
		if status, objective := enumerate(c.m); status != c.want || objective != c.objective {
			t.Errorf("%s: %s %g, want %s %g", c.why, status, objective, c.want, c.objective)
		}
	}
}

// The suite's own checks find what is wrong with results of the knapsack.
func TestWellFormed(t *testing.T) {
	bound := func(v float64) *float64 { return &v }
	good := milp.Result{Status: milp.Optimal, Raw: "r", X: []float64{1, 1, 0, 0}, Objective: 23, Bound: bound(23)}
	for name, spoil := range map[string]func(r *milp.Result){
		"":                     func(*milp.Result) {},
		"no point":             func(r *milp.Result) { r.X = nil },
		"no words":             func(r *milp.Result) { r.Raw = "" },
		"status":               func(r *milp.Result) { r.Status = 9 },
		"infeasible point":     func(r *milp.Result) { r.X, r.Objective, r.Bound = []float64{1, 1, 1, 0}, 30, bound(30) },
		"fraction":             func(r *milp.Result) { r.X = []float64{1, 1 - 1e-9, 0, 0} },
		"objective":            func(r *milp.Result) { r.Objective, r.Bound = 24, bound(24) },
		"bound":                func(r *milp.Result) { r.Bound = bound(24) },
		"bound of a limit":     func(r *milp.Result) { r.Status, r.Bound = milp.Limit, bound(22) },
		"point of no solution": func(r *milp.Result) { r.Status = milp.Infeasible },
	} {
		r := good
		spoil(&r)
		if err := wellFormed(knapsack(), &r); (err == nil) != (name == "") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A skip that names no case is found, and the names of cases are unique.
func TestSkips(t *testing.T) {
	cases := append(optima(), limits()...)
	cfg := Config{Skip: map[string]string{"knapsack": "why not", "knappsack": "a typing error"}}
	if got := cfg.unknown(cases); !slices.Equal(got, []string{"knappsack"}) {
		t.Errorf("unknown skips %q", got)
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.name] {
			t.Errorf("two cases %q", c.name)
		}
		seen[c.name] = true
	}
}
