package exact_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
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
			out, err := target.Algorithm(parts).Run(ctx, quiet())
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
	out, err := target.Algorithm(parts).Run(ctx, quiet())
	want := `m: no more memory; broken: it broke; failing: "infeasible" is refused, as a solution of value 6 is known, by m`
	if err != nil || out.Status != models.Feasible || out.Bound == nil || *out.Bound != 4 || out.Stats.Raw != want {
		t.Errorf("%+v, %v; want 4 and %s", out, err, want)
	}
}

// TestOnGrid: a bound moves up to the next multiple of the grid unless it is above one by no more than rounding and a millionth of the
// grid, or is so large that rounding takes half of the grid; Above is the mirror.
func TestOnGrid(t *testing.T) {
	for _, c := range []struct{ bound, grid, want float64 }{
		{4.2, 3, 6},
		{6, 3, 6},
		{1000 + 5e-4, 1000, 1000 + 5e-4},
		{1000 + 2e-3, 1000, 2000},
		{0.25 + 1e-6, 0.25, 0.5},
		{4e8 + 0.9, 1, 4e8 + 0.9},
		{1e8 + 0.25, 1, 1e8 + 1},
		{-4.2, 3, -3},
		{4.2, 0, 4.2},
	} {
		if got := exact.OnGrid(c.bound, rat(c.grid)); got != c.want {
			t.Errorf("%v on the grid of %v is %v, want %v", c.bound, c.grid, got, c.want)
		}
	}
	for _, c := range []struct{ best, least, grid, want float64 }{
		{6, 5.5, 3, 3 + 2*(3e-6+12e-9)},
		{6, 2, 3, 2},
		{6, 5.5, 0, 5.5},
		{4000, 3999, 1000, 3000 + 2*(1e-3+8e-6)},
		{4000.5, 4000, 1000, 4000},
		{1e8, 1e8 - 1e-3, 1, 1e8 - 1 + 2*(1e-6+0.2)},
		{2e8, 2e8 - 1e-3, 1, 2e8 - 1e-3},
		{-6, -6.5, 3, -9 + 2*(3e-6+12e-9)},
	} {
		if got := exact.Above(c.best, c.least, rat(c.grid)); math.Abs(got-c.want) > 1e-9*math.Abs(c.want)*1e-3 {
			t.Errorf("what proves %v on the grid of %v is %v, want %v", c.best, c.grid, got, c.want)
		}
	}
}

// rat is x; 0: none.
func rat(x float64) *big.Rat {
	if x == 0 {
		return nil
	}
	return new(big.Rat).SetFloat64(x)
}

// TestPortfolioOrder: the method is asked for a twentieth of the time, then a model for half of it, then the others for a tenth each before
// the method goes on to the end; where it is near, it goes on for nine tenths first, and after them with what they leave. What each does is
// counted once, also where it is asked twice and begins again.
func TestPortfolioOrder(t *testing.T) {
	const whole = 1000 * time.Hour
	applies := func(why error) func(number, string) error { return func(number, string) error { return why } }
	for name, c := range map[string]struct {
		value, bound float64 // of the method
		model        string
		resume       error
		want         string // who is asked, until which share of the time
		nodes        int64
		notes        string
	}{
		"far":         {1000, 900, "", nil, "m 0.05, lb 0.10, last 0.10, m 1.00, lb 0.50, last 0.50", 211, "lb: too large"},
		"near":        {1000, 999, "", nil, "m 0.05, m 0.90, lb 0.50, last 0.50, m 1.00", 111, "lb: too large"},
		"none":        {-1, 3, "", nil, "m 0.05, lb 0.10, last 0.10, m 1.00, lb 0.50, last 0.50", 211, "m: a solution is refused"},
		"a model":     {1000, 900, "f", nil, "m 0.05, says 0.50, lb 0.10, last 0.10, m 1.00, lb 0.50, last 0.50", 218, "lb: too large"},
		"not a model": {1000, 900, "g", nil, "m 0.05, lb 0.10, last 0.10, m 1.00, lb 0.50, last 0.50", 211, "lb: too large"},
		"no such one": {1000, 900, "h", nil, "m 0.05, lb 0.10, last 0.10, m 1.00, lb 0.50, last 0.50", 211, "lb: too large"},
		"it fails":    {1000, 900, "", errNot, "m 0.05, lb 0.10, last 0.10, m 1.00", 111, "lb: too large"},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []string
			ask := func(ctx context.Context, who string) {
				deadline, _ := ctx.Deadline()
				asked = append(asked, fmt.Sprintf("%s %.2f", who, float64(time.Until(deadline))/float64(whole)))
			}
			work := func(n int64) models.Stats { return models.Stats{Work: models.Work{Nodes: &n}} }
			other := func(name string, nodes int64, raw string) *models.Algorithm[number, float64] {
				a := answers(name, models.Bound, "opt", "", -1, 1)
				a.Run = func(ctx context.Context, _ *models.Pass[number, float64]) (models.Outcome[float64], error) {
					ask(ctx, name)
					s := work(nodes)
					s.Raw = raw
					return models.Outcome[float64]{Bound: at(1), Status: models.Feasible, Stats: s}, nil
				}
				a.Applies = applies(nil)
				return a
			}
			not := other("not", 1000, "")
			not.Applies = applies(errNot)
			target := &exact.Target[number, float64]{
				Name: "opt", Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "m", "" },
				Methods: []*exact.Method[number, float64]{{Name: "m", Solve: func(
					ctx context.Context, p *models.Pass[number, float64],
				) (models.End, error) {
					ask(ctx, "m")
					p.Offer(c.value)
					p.Bound(c.bound)
					var resume func(ctx context.Context) (models.End, error)
					resume = func(ctx context.Context) (models.End, error) {
						ask(ctx, "m")
						return models.End{Stop: models.Limit, Stats: work(11), Resume: resume}, c.resume
					}
					return models.End{Stop: models.Limit, Stats: work(1), Resume: resume}, nil
				}}},
				Formulations: []*exact.Formulation[number, float64]{formulated("f", accept), formulated("g", refuse)},
			}
			solver := &recording{solved: solved{Status: milp.Limit, X: []float64{2000}, Objective: 2000, Bound: at(1), Nodes: 7}, ask: ask}
			ctx, cancel := context.WithTimeout(t.Context(), whole)
			defer cancel()
			out, err := target.Algorithm(exact.Deps[number, float64]{
				Solvers: []milp.Solver{solver}, Portfolio: exact.Portfolio[number, float64]{
					Others: []*models.Algorithm[number, float64]{not, other("lb", 100, "too large"), other("last", 0, "")},
					Model:  func(number) string { return c.model },
				},
			}).Run(ctx, quiet())
			if !errors.Is(err, c.resume) {
				t.Fatal(err)
			}
			if got := strings.Join(asked, ", "); got != c.want {
				t.Errorf("asked %s\nwant  %s", got, c.want)
			}
			if out.Stats.Nodes == nil || *out.Stats.Nodes != c.nodes || !strings.Contains(out.Stats.Raw, c.notes) {
				t.Errorf("nodes %v, %q, want %d", out.Stats.Work, out.Stats.Raw, c.nodes)
			}
		})
	}
}

// recording says when it is asked.
type recording struct {
	solved
	ask func(ctx context.Context, who string)
}

func (r *recording) Solve(ctx context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	r.ask(ctx, r.Name())
	return r.solved.Solve(ctx, m, opt)
}
