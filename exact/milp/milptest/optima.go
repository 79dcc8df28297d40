package milptest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"schedgap/exact/milp"
)

// optima returns the cases that end by themselves.
func optima() []testCase {
	is := func(want milp.Status, objective float64, m *milp.Model) func(*testing.T, milp.Solver) {
		return func(t *testing.T, s milp.Solver) {
			m.Name = t.Name()
			r := solve(context.Background(), t, s, m, milp.Options{})
			if r.Status != want || want == milp.Optimal && !near(r.Objective, objective) {
				t.Errorf("got %s %.12g (%s), want %s %.12g", r.Status, r.Objective, r.Raw, want, objective)
			}
		}
	}
	optimum := func(v float64, m *milp.Model) func(*testing.T, milp.Solver) { return is(milp.Optimal, v, m) }
	inf := milp.Inf
	return []testCase{
		{"knapsack", "3+4 fill the capacity 7 and give 10+13 = 23", optimum(23, knapsack())},
		{"lp", "max 3x+5y with x<=4, 2y<=12, 3x+2y<=18 is 36 at (2, 6)", optimum(36, model(
			`max`, cols{{Cost: 3, Hi: inf}, {Cost: 5, Hi: inf}},
			row(-inf, 4, 1, 0), row(-inf, 12, 0, 2), row(-inf, 18, 3, 2)))},
		{"equalities", "supplies 20 and 30 meet demands 25 and 25 at costs 1 2 3 1: 20 + 5*3 + 25 = 60", optimum(60, model(
			`min`, cols{{Cost: 1, Hi: inf}, {Cost: 2, Hi: inf}, {Cost: 3, Hi: inf}, {Cost: 1, Hi: inf}},
			row(20, 20, 1, 1, 0, 0), row(30, 30, 0, 0, 1, 1), row(25, 25, 1, 0, 1, 0), row(25, 25, 0, 1, 0, 1)))},
		{"free-columns", "y >= x-3 and y >= 1-x cross at x = 2, y = -1", optimum(-1, model(
			`min`, cols{{Lo: -inf, Hi: inf}, {Cost: 1, Lo: -inf, Hi: inf}}, row(-inf, 3, 1, -1), row(1, inf, 1, 1)))},
		// HiGHS 1.14.0 answers -13 and calls it optimal.
		{"negative-bounds", "x+y >= -6.5 leaves x = -2.5 to y = -4: 2*-2.5 + 3*-4 = -17", optimum(-17, model(
			`min`, cols{{Cost: 2, Lo: -5, Hi: -1}, {Cost: 3, Lo: -4, Hi: 8, Integer: true}}, row(-6.5, inf, 1, 1)))},
		{"negative-integers", "integers without lower bound: x >= -7.5 and x <= -2 give -7", optimum(-7, model(
			`min`, cols{{Cost: 1, Lo: -inf, Hi: -2, Integer: true}, {Hi: 1}}, row(-7.5, inf, 1, 0), row(-inf, 9, 1, 1)))},
		{"general-integers", "6x+4y <= 24, x+2y <= 6: the relaxation has 21 at (3, 1.5), integers 20 at (4, 0)", optimum(20, model(
			`max`, cols{{Cost: 5, Hi: inf, Integer: true}, {Cost: 4, Hi: inf, Integer: true}}, row(-inf, 24, 6, 4), row(-inf, 6, 1, 2)))},
		{"least-step", "the optimum 0 at (0, 0) is one step of the costs below 5-4 at (1, 1)", optimum(0, model(
			`min`, cols{{Cost: 5, Hi: 1, Integer: true}, {Cost: -4, Hi: 1, Integer: true}}, row(-2, inf, 2, -4)))},
		{"large-integers", "3x = 3e9 has x = 1e9 although y could do it cheaper with a fraction", optimum(1e9, model(
			`min`, cols{{Cost: 1, Hi: 2e9, Integer: true}, {Cost: 10, Hi: 1}}, row(3e9, 3e9, 3, 3)))},
		{"fractional-integer-bounds", "an integer in [0.5, 2.7] is at most 2", optimum(2, model(
			`max`, cols{{Cost: 1, Lo: .5, Hi: 2.7, Integer: true}, {Hi: 1}}, row(-inf, 5, 1, 1)))},
		{"no-integer-between", "no integer is in [0.2, 0.8]", is(milp.Infeasible, 0, model(
			`max`, cols{{Cost: 1, Lo: .2, Hi: .8, Integer: true}, {Hi: 1}}, row(-inf, 5, 1, 1)))},
		{"ranged-rows", "2 <= x+y <= 5 and -1 <= x-y <= 1: x+2y is at most 8 at (2, 3)", optimum(8, model(
			`max`, cols{{Cost: 1, Hi: inf}, {Cost: 2, Hi: inf}}, row(2, 5, 1, 1), row(-1, 1, 1, -1)))},
		{"ranged-rows-below", "the same rows: x+2y is at least 2.5 at (1.5, 0.5)", optimum(2.5, model(
			`min`, cols{{Cost: 1, Hi: inf}, {Cost: 2, Hi: inf}}, row(2, 5, 1, 1), row(-1, 1, 1, -1)))},
		{"fixed-columns", "z >= x-y with x = 3, y = -2 is 5; x costs 2*3: 11", optimum(11, model(
			`min`, cols{{Cost: 2, Lo: 3, Hi: 3, Integer: true}, {Lo: -2, Hi: -2}, {Cost: 1, Hi: inf}}, row(-inf, 0, 1, -1, -1)))},
		{"offset", "a maximum keeps its offset: 100 + 23", optimum(123, with(knapsack(), func(m *milp.Model) { m.Offset = 100 }))},
		{"negative-offset", "a minimum keeps its offset: 1 - 7.5", optimum(-6.5, with(model(
			`min`, cols{{Cost: 1, Hi: 3}, {Hi: 3}}, row(4, inf, 1, 1)), func(m *milp.Model) { m.Offset = -7.5 }))},
		{"no-objective", "any point of 1 <= x+y <= 2 will do", optimum(0, model(
			`min`, cols{{Hi: 1, Integer: true}, {Hi: 1}}, row(1, 2, 1, 1)))},
		{"fractions", "three thirds of 1/3: the optimum 1/9 is not a decimal", optimum(1./9, model(
			`min`, cols{{Cost: 1. / 3, Hi: inf}, {Hi: 1, Integer: true}}, row(1, inf, 3, 0), row(1, 1, 0, 1)))},
		{"big-m", "x >= 1 <= 1e4 y needs y = 1: 1 + 0.001", optimum(1.001, bigM(1e4))},
		{"bigger-m", "with 1e7 a fraction of y looks integral: refusing is fine, less than 1.001 is not", refusesOrSolves},
		{"empty-rows", "rows without terms that hold are no obstacle: x = 3", optimum(3, model(
			`max`, cols{{Cost: 1, Hi: 3}, {Hi: 1}}, row(-1, 1), row(0, 0), row(-inf, inf), row(-inf, 4, 1, 1)))},
		{"empty-row-infeasible", "0 >= 1 does not hold", is(milp.Infeasible, 0, model(
			`max`, cols{{Cost: 1, Hi: 3}}, row(1, inf), row(-inf, 4, 1)))},
		{"zero-coefficients", "0x = 0 holds, and 0x+y <= 2 bounds y alone", optimum(7, model(
			`max`, cols{{Cost: 1, Hi: 5}, {Cost: 1, Hi: inf}}, zeros(0, 0, 0), zeros(-inf, 2, 0, 1)))},
		{"free-row", "a row without bounds constrains nothing", optimum(9, model(
			`max`, cols{{Cost: 1, Hi: 5}, {Cost: 1, Hi: 4}}, row(-inf, inf, 1, 1), row(-inf, 20, 1, 1)))},
		{"no-rows", "each column at its better bound: -1 - 2*4", optimum(-9, model(
			`min`, cols{{Cost: 1, Lo: -1, Hi: 3}, {Cost: -2, Hi: 4.5, Integer: true}, {Lo: -inf, Hi: inf}}))},
		{"no-rows-unbounded", "a free column with a cost", is(milp.Unbounded, 0, model(
			`max`, cols{{Cost: 1, Lo: -inf, Hi: inf}}))},
		{"no-columns", "the offset is all there is", optimum(7, with(model(
			`max`, nil, row(-1, 1)), func(m *milp.Model) { m.Offset = 7 }))},
		{"no-columns-infeasible", "0 = 2 does not hold", is(milp.Infeasible, 0, model(`min`, nil, row(2, 2)))},
		{"infeasible", "x+y >= 3 with x, y <= 1", is(milp.Infeasible, 0, model(
			`min`, cols{{Cost: 1, Hi: 1}, {Cost: 1, Hi: 1}}, row(3, inf, 1, 1)))},
		{"integer-infeasible", "2x+2y = 3 has no integers", is(milp.Infeasible, 0, model(
			`min`, cols{{Cost: 1, Hi: 5, Integer: true}, {Hi: 5, Integer: true}}, row(3, 3, 2, 2)))},
		{"unbounded", "x-y <= 1 holds no x down when y may follow", is(milp.Unbounded, 0, model(
			`max`, cols{{Cost: 1, Hi: inf}, {Hi: inf}}, row(-inf, 1, 1, -1)))},
		{"integer-unbounded", "the same with integers", is(milp.Unbounded, 0, model(
			`max`, cols{{Cost: 1, Hi: inf, Integer: true}, {Hi: inf, Integer: true}}, row(-inf, 1, 1, -1)))},
		{"unbounded-outside-rows", "a column with a cost and no bound in no row, beside others", is(milp.Unbounded, 0, model(
			`max`, cols{{Cost: 1, Hi: inf}, {Cost: 2, Hi: 5, Integer: true}, {Hi: 5}}, row(-inf, 7, 0, 2, 2)))},
		{"infeasible-with-unbounded-relaxation", "2y+2z = 1 has no binaries, although x could grow", is(milp.Infeasible, 0, model(
			`max`, cols{{Cost: 1, Hi: inf}, {Hi: 1, Integer: true}, {Hi: 1, Integer: true}}, row(1, 1, 0, 2, 2), row(0, inf, 1, 0, 0)))},
		{"names", "names that are no names in files, and names twice", optimum(23, with(knapsack(), func(m *milp.Model) {
			for j, name := range []string{"x[1, 2]", "x 1 2", "3e5", "free"} {
				m.Cols[j].Name = name
			}
			m.Rows[0].Name = "obj"
		}))},
		{"start", "a feasible start changes nothing in the optimum", func(t *testing.T, s milp.Solver) {
			for _, start := range [][]float64{{1, 1, 0, 0}, {0, 0, 1, 1}, {0, 0, 0, 0}} {
				r := solve(context.Background(), t, s, knapsack(), milp.Options{Start: start})
				if r.Status != milp.Optimal || !near(r.Objective, 23) {
					t.Errorf("from %v: %s %g, want optimal 23", start, r.Status, r.Objective)
				}
			}
			if _, err := s.Solve(context.Background(), knapsack(), milp.Options{Start: []float64{1}}); err == nil {
				t.Error("a start of one entry for four columns is not refused")
			}
		}},
		{"improved", "incumbents on the way are feasible, ever better, and no better than the optimum", improved},
		{"bounded", "bounds on the way become better and do not pass the optimum", bounded},
		{"threads", "the number of threads may change from solve to solve", func(t *testing.T, s milp.Solver) {
			for _, threads := range []int{1, 2, 1} {
				r := solve(context.Background(), t, s, knapsack(), milp.Options{Threads: threads, Seed: 7})
				if r.Status != milp.Optimal || !near(r.Objective, 23) {
					t.Errorf("with %d threads: %s %g, want optimal 23", threads, r.Status, r.Objective)
				}
			}
		}},
		{"concurrent", "solves at the same time, with different numbers of threads, do not disturb each other", concurrent},
		{"same-seed", "the same seed gives the same point", func(t *testing.T, s milp.Solver) {
			a := solve(context.Background(), t, s, assignment(5), milp.Options{Seed: 3})
			b := solve(context.Background(), t, s, assignment(5), milp.Options{Seed: 3})
			if !slices.Equal(a.X, b.X) {
				t.Errorf("%v and then %v", a.X, b.X)
			}
		}},
		{"invalid", "a model that no solver can take is an error", func(t *testing.T, s milp.Solver) {
			if r, err := s.Solve(context.Background(), model(`min`, cols{{Lo: 1, Hi: 0}}), milp.Options{}); err == nil {
				t.Errorf("crossed bounds gave %+v", r)
			}
		}},
	}
}

func refusesOrSolves(t *testing.T, s milp.Solver) {
	r, err := s.Solve(context.Background(), bigM(1e7), milp.Options{})
	if err != nil {
		t.Logf("refused: %v", err)
		return
	}
	if err := wellFormed(bigM(1e7), r); err != nil {
		t.Error(err)
	}
	if r.Status != milp.Optimal || !near(r.Objective, 1.001) {
		t.Errorf("got %s %.12g (%s), want optimal 1.001", r.Status, r.Objective, r.Raw)
	}
}

func concurrent(t *testing.T, s milp.Solver) {
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			r, err := s.Solve(context.Background(), knapsack(), milp.Options{Threads: 1 + i%2})
			if err != nil || r.Status != milp.Optimal || !near(r.Objective, 23) {
				t.Errorf("%+v, %v, want optimal 23", r, err)
			}
		})
	}
	group.Wait()
}

func improved(t *testing.T, s milp.Solver) {
	m := assignment(9)
	var seen []float64
	r := solve(context.Background(), t, s, m, milp.Options{Improved: func(x []float64, objective float64) {
		if v := m.Violation(x); !(v.Amount <= 1e-6) || objective != m.Objective(x) {
			t.Errorf("incumbent %g misses %s by %g", objective, v.Where, v.Amount)
		}
		if n := len(seen); n > 0 && objective >= seen[n-1] {
			t.Errorf("incumbent %g after %g", objective, seen[n-1])
		}
		seen = append(seen, objective)
	}})
	if n := len(seen); n > 0 && seen[n-1] < r.Objective-exact*max(1, r.Objective) {
		t.Errorf("incumbent %g is better than the optimum %g", seen[n-1], r.Objective)
	}
	t.Logf("%d incumbents", len(seen))
}

// bounded: bounds on the way become better and do not pass the optimum.
func bounded(t *testing.T, s milp.Solver) {
	for _, m := range []*milp.Model{assignment(9), knapsack(), marketSplit(true)} {
		var seen []float64
		sense := 1.0
		if m.Maximize {
			sense = -1
		}
		opt := milp.Options{TimeLimit: time.Second, Bounded: func(b float64) {
			if n := len(seen); n > 0 && sense*b <= sense*seen[n-1] {
				t.Errorf("%s: bound %g after %g", m.Name, b, seen[n-1])
			}
			seen = append(seen, b)
		}}
		r := solve(context.Background(), t, s, m, opt)
		if n := len(seen); n > 0 && r.X != nil && sense*(seen[n-1]-r.Objective) > exact*max(1, math.Abs(r.Objective)) {
			t.Errorf("%s: bound %g beyond the value %g", m.Name, seen[n-1], r.Objective)
		}
		t.Logf("%s: %d bounds, %v", m.Name, len(seen), seen[max(0, len(seen)-3):])
	}
}

type cols []milp.Col

// model states a model in few words: sense "min" or "max", columns, rows.
func model(sense string, columns cols, rows ...milp.Row) *milp.Model {
	m := &milp.Model{Name: "case", Maximize: sense == "max"}
	for j, c := range columns {
		c.Name = fmt.Sprint("x", j)
		m.AddCol(c)
	}
	for i, r := range rows {
		m.AddRow(fmt.Sprint("r", i), r.Lo, r.Hi, r.Terms...)
	}
	return m
}

// row leaves out the zeros among the coefficients, zeros keeps them.
func row(lo, hi float64, coefs ...float64) milp.Row {
	r := zeros(lo, hi, coefs...)
	r.Terms = slices.DeleteFunc(r.Terms, func(t milp.Term) bool { return t.Coef == 0 })
	return r
}

func zeros(lo, hi float64, coefs ...float64) milp.Row {
	r := milp.Row{Lo: lo, Hi: hi}
	for j, v := range coefs {
		r.Terms = append(r.Terms, milp.Term{Col: j, Coef: v})
	}
	return r
}

func with(m *milp.Model, change func(*milp.Model)) *milp.Model {
	change(m)
	return m
}

// knapsack: values 10 13 7 8, weights 3 4 2 3, capacity 7. Pairs give 23, 17, 18, 20, 21, 15, and no three fit.
func knapsack() *milp.Model {
	binary := func(v float64) milp.Col { return milp.Col{Hi: 1, Cost: v, Integer: true} }
	return model(`max`, cols{binary(10), binary(13), binary(7), binary(8)}, row(-milp.Inf, 7, 3, 4, 2, 3))
}

// bigM: min y + 0.001 x with 1 <= x <= m y, y binary. The relaxation sets y = 1/m.
func bigM(m float64) *milp.Model {
	return model(`min`, cols{{Cost: .001, Lo: 1, Hi: milp.Inf}, {Cost: 1, Hi: 1, Integer: true}}, row(-milp.Inf, 0, 1, -m))
}
