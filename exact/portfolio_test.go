package exact_test

import (
	"context"
	"errors"
	"math"
	"math/big"
	"testing"
	"time"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
)

// answers is an algorithm that says the same every time; value below 0 and bound below 0: it has none.
func answers(name string, kind models.Kind, reference, class string, value, bound float64) *models.Algorithm[number, float64] {
	return &models.Algorithm[number, float64]{
		Name: name, Kind: kind, Reference: reference, Class: class,
		Run: func(context.Context, *models.Pass[number, float64]) (out models.Outcome[float64], err error) {
			if value >= 0 {
				out.Solution, out.Found = value, true
			}
			if bound >= 0 {
				out.Bound = &bound
			}
			return out, nil
		},
	}
}

// TestPortfolio: an exact algorithm has the best value and the best bound of all that it asks, of those that are about its class; it is
// optimal where they meet, and refuses what a solution contradicts.
func TestPortfolio(t *testing.T) {
	bound, search := models.Bound, models.Heuristic
	for name, c := range map[string]struct {
		others       []*models.Algorithm[number, float64]
		method       said
		grid         float64
		value, bound float64
		solver       string
		status       models.Status
	}{
		"the method alone": {
			nil, said{value: 6, bound: 6}, 0, 6, 6, "m", models.Optimal,
		},
		"others know more": {
			[]*models.Algorithm[number, float64]{answers("lb", bound, "opt", "", -1, 4), answers("best", search, "opt", "", 5, -1)},
			said{value: 6, bound: 3, stop: models.Cannot, why: "it gave up"},
			0, 5, 4, "best", models.Feasible,
		},
		"others know less": {
			[]*models.Algorithm[number, float64]{answers("lb", bound, "opt", "", -1, 2), answers("best", search, "opt", "", 7, -1)},
			said{value: 6, bound: 3, stop: models.Cannot, why: "it gave up"},
			0, 6, 3, "m", models.Feasible,
		},
		"they meet": {
			[]*models.Algorithm[number, float64]{answers("best", search, "opt", "", 5, -1), answers("lb", bound, "opt", "", -1, 5)},
			said{value: 6, bound: 3, stop: models.Cannot, why: "it gave up"},
			0, 5, 5, "lb", models.Optimal,
		},
		"on the grid they meet": {
			[]*models.Algorithm[number, float64]{answers("lb", bound, "opt", "", -1, 4.2)},
			said{value: 6, bound: 3, stop: models.Cannot, why: "it gave up"},
			3, 6, 6, "lb", models.Optimal,
		},
		"just above the grid": {
			[]*models.Algorithm[number, float64]{answers("lb", bound, "opt", "", -1, 3+1e-9)},
			said{value: 6, bound: 2, stop: models.Cannot, why: "it gave up"},
			3, 6, 3 + 1e-9, "lb", models.Feasible,
		},
		"as large as rounding": {
			[]*models.Algorithm[number, float64]{answers("lb", bound, "opt", "", -1, 1e8+0.04)},
			said{value: 1e8, bound: 3, stop: models.Cannot, why: "it gave up"},
			1, 1e8, 1e8, "lb", models.Optimal,
		},
		"a smaller class has values only": {
			[]*models.Algorithm[number, float64]{answers("x", models.Exact, "small", "small", 5, 5)},
			said{value: 6, bound: 3, stop: models.Cannot, why: "it gave up"},
			0, 5, 3, "x", models.Feasible,
		},
		"another class has nothing": {
			[]*models.Algorithm[number, float64]{answers("x", models.Exact, "other", "other", 5, 5)},
			said{value: 6, bound: 3, stop: models.Cannot, why: "it gave up"},
			0, 6, 3, "m", models.Feasible,
		},
		"a heuristic has no bound": {
			[]*models.Algorithm[number, float64]{answers("best", search, "opt", "", 7, 6)},
			said{value: 6, bound: 3, stop: models.Cannot, why: "it gave up"},
			0, 6, 3, "m", models.Feasible,
		},
		"a bound beyond a solution": {
			[]*models.Algorithm[number, float64]{answers("lb", bound, "opt", "", -1, 6.5)},
			said{value: 6, bound: 3, stop: models.Cannot, why: "it gave up"},
			0, 6, 3, "m", models.Feasible,
		},
		"no solution": {
			[]*models.Algorithm[number, float64]{answers("best", search, "opt", "", -1, -1)},
			said{value: 6, bound: 3, stop: models.Cannot, why: "it gave up"},
			0, 6, 3, "m", models.Feasible,
		},
	} {
		t.Run(name, func(t *testing.T) {
			target := &exact.Target[number, float64]{
				Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "m", "" },
				Methods: []*exact.Method[number, float64]{{Name: "m", Solve: says(c.method)}},
			}
			parts := exact.Deps[number, float64]{
				Bound:     func(context.Context, number) (float64, error) { return 1, nil },
				Portfolio: exact.Portfolio[number, float64]{Others: append(c.others, answers("none", search, "opt", "", -1, -1))},
			}
			if c.grid != 0 {
				parts.Grid = func(number) *big.Rat { return new(big.Rat).SetFloat64(c.grid) }
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			told := 0.0
			out, err := target.Algorithm(parts).Run(ctx, &models.Pass[number, float64]{
				Threads: 1, Improved: func(float64) {}, Bounded: func(b float64) {
					if b < told {
						t.Errorf("the bound %v after %v", b, told)
					}
					told = b
				},
			})
			if err != nil || !out.Found || out.Solution != c.value || out.Bound != nil && *out.Bound != c.bound ||
				out.Bound == nil && c.status != models.Optimal || out.Status != c.status ||
				out.Stats.Solver != c.solver {
				t.Errorf("%+v, %v; want %v, %v, %s by %s", out, err, c.value, c.bound, c.status, c.solver)
			}
		})
	}
}

// TestPortfolioTime: at its limit a portfolio ends as a timeout with what is known; an error of the method ends it.
func TestPortfolioTime(t *testing.T) {
	broken := errors.New("broken")
	for name, fails := range map[string]error{"limit": nil, "error": broken} {
		t.Run(name, func(t *testing.T) {
			target := &exact.Target[number, float64]{
				Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "m", "" },
				Methods: []*exact.Method[number, float64]{{Name: "m", Solve: func(
					ctx context.Context, p *models.Pass[number, float64],
				) (models.End, error) {
					p.Offer(6)
					p.Bound(3)
					if fails == nil {
						<-ctx.Done()
					}
					return models.Ended(ctx, "", models.Stats{}), fails
				}}},
			}
			parts := exact.Deps[number, float64]{Portfolio: exact.Portfolio[number, float64]{
				Others: []*models.Algorithm[number, float64]{answers("lb", models.Bound, "opt", "", -1, 4)},
			}}
			ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
			defer cancel()
			out, err := target.Algorithm(parts).Run(ctx, &models.Pass[number, float64]{
				Threads: 1, Improved: func(float64) {}, Bounded: func(float64) {},
			})
			if !errors.Is(err, fails) || fails == nil && (out.Status != models.Timeout || *out.Bound != 4 || out.Solution != 6) {
				t.Errorf("%+v, %v", out, err)
			}
		})
	}
}

// TestPortfolioNotes: raw_status says why a method ended early, and whose answer was an error or is refused.
func TestPortfolioNotes(t *testing.T) {
	target := &exact.Target[number, float64]{
		Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "m", "" },
		Methods: []*exact.Method[number, float64]{{Name: "m", Solve: says(said{value: 6, bound: math.NaN(), stop: models.Cannot, why: "no more memory"})}},
		Formulations: []*exact.Formulation[number, float64]{{Name: "f", Build: func(number, exact.BuildOptions) (*exact.BuiltModel[float64], error) {
			return &exact.BuiltModel[float64]{Model: &milp.Model{Name: "m"}, Encode: func(float64) ([]float64, error) { return nil, nil }}, nil
		}}},
	}
	broken := answers("broken", models.Heuristic, "opt", "", -1, -1)
	broken.Run = func(context.Context, *models.Pass[number, float64]) (out models.Outcome[float64], err error) {
		return out, errors.New("it broke")
	}
	parts := exact.Deps[number, float64]{
		Solvers: []milp.Solver{failing{}}, Portfolio: exact.Portfolio[number, float64]{
			Others: []*models.Algorithm[number, float64]{broken, answers("lb", models.Bound, "opt", "", -1, 4)},
			Model:  func(number) string { return "f" },
		},
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	out, err := target.Algorithm(parts).Run(ctx, &models.Pass[number, float64]{
		Threads: 1, Improved: func(float64) {}, Bounded: func(float64) {},
	})
	want := `m: no more memory; broken: it broke; failing: "infeasible" is refused, as a solution of value 6 is known, by m`
	if err != nil || out.Status != models.Feasible || out.Bound == nil || *out.Bound != 4 || out.Stats.Raw != want {
		t.Errorf("%+v, %v; want 4 and %s", out, err, want)
	}
}
