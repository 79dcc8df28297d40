package exact_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
)

// scripted is a solver that is a function.
type scripted func(m *milp.Model, opt milp.Options) (*milp.Result, error)

func (scripted) Name() string    { return "scripted" }
func (scripted) Version() string { return "1" }

func (scripted) Tolerance() milp.Tolerance { return milp.Tolerance{Rows: 1e-9, Integers: 1e-9} }

func (s scripted) Solve(_ context.Context, m *milp.Model, opt milp.Options) (*milp.Result, error) {
	return s(m, opt)
}

// whole is a model of one number, worth what it is, which is whole or not.
func whole(name string, integer bool) *milp.Model {
	m := &milp.Model{Name: name}
	m.AddCol(milp.Col{Name: "x", Lo: -100, Hi: 100, Cost: 1, Integer: integer})
	return m
}

// solve runs a target of one model.
func solve(t *testing.T, solver scripted, built *exact.BuiltModel[float64], start float64, heard *[]string) (models.Outcome[float64], error) {
	t.Helper()
	target := &exact.Target[number, float64]{
		Name: "opt", Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "", "f" },
		Formulations: []*exact.Formulation[number, float64]{{Name: "f", Build: func(number, exact.BuildOptions) (*exact.BuiltModel[float64], error) {
			return built, nil
		}}},
	}
	parts := exact.Deps[number, float64]{Solvers: []milp.Solver{solver}}
	if !math.IsNaN(start) {
		parts.Start = func(context.Context, number) (float64, error) { return start, nil }
	}
	return target.Algorithm(parts).Run(t.Context(), &models.Pass[number, float64]{
		Threads: 1, Improved: func(s float64) { *heard = append(*heard, fmt.Sprintf("value %.3g", s)) },
		Bounded: func(b float64) { *heard = append(*heard, fmt.Sprintf("bound %.3g", b)) },
	})
}

func points(m *milp.Model) *exact.BuiltModel[float64] {
	return &exact.BuiltModel[float64]{
		Model:  m,
		Decode: func(x []float64) (float64, error) { return x[0], map[bool]error{true: errNot}[x[0] > 50] },
		Encode: func(s float64) ([]float64, error) { return []float64{s}, nil },
	}
}

// TestHeard: the solver is given the start, and all that it says on the way counts, if it is a solution or can be claimed.
func TestHeard(t *testing.T) {
	var heard []string
	out, err := solve(t, func(m *milp.Model, opt milp.Options) (*milp.Result, error) {
		if !slices.Equal(opt.Start, []float64{20}) {
			t.Errorf("the start is %v", opt.Start)
		}
		scale := m.Cols[0].Cost
		opt.Bounded(1e-9 * scale) // less than the tolerances
		opt.Bounded(2 * scale)
		opt.Rooted(3 * scale)
		opt.Rooted(4 * scale)
		opt.Improved([]float64{60}, 60)
		opt.Improved([]float64{10}, 10)
		return &milp.Result{Status: milp.Limit, X: []float64{8}, Objective: 8 * scale, Bound: at(5 * scale), Nodes: -1}, nil
	}, points(whole("m", false)), 20, &heard)
	want := "value 20, bound 2, value 10, value 8, bound 5"
	if got := strings.Join(heard, ", "); err != nil || got != want {
		t.Errorf("heard %s, %v; want %s", got, err, want)
	}
	if root := out.Stats.RootBound; root == nil || math.Abs(*root-3) > 1e-5 || out.Stats.Nodes != nil || *out.Stats.Columns != 1 {
		t.Errorf("%+v", out.Stats)
	}
}

// TestRelax: the relaxation is the first model without its integers, or the root of a model that has none, less the tolerances.
func TestRelax(t *testing.T) {
	for name, c := range map[string]struct {
		integer, relaxation, rooted bool
		status                      milp.Status
		err                         error
		says                        float64
		asked                       string // the model; "": none
		want                        string // an error
	}{
		"integers":               {true, false, true, milp.Optimal, nil, 7.5, "m", ""},
		"a relaxation":           {true, true, true, milp.Optimal, nil, 7.5, "loose", ""},
		"no integers":            {false, false, true, milp.Optimal, nil, 7.5, "", ""},
		"no integers, no root":   {false, false, false, milp.Optimal, nil, 7.5, "m", ""},
		"it fails":               {true, false, true, milp.Optimal, errNot, 7.5, "m", "not this one"},
		"its time is over":       {true, false, true, milp.Limit, nil, 7.5, "m", "relaxation of model m: said"},
		"it is within rounding":  {true, false, true, milp.Optimal, nil, 1e-9, "m", "relaxation of model m: the value 1e-09 is small"},
		"no more than the least": {true, false, true, milp.Optimal, nil, -100, "m", ""},
	} {
		t.Run(name, func(t *testing.T) {
			built := points(whole("m", c.integer))
			if c.relaxation {
				built.Relaxation, built.Refine = whole("loose", true), func([]float64) *milp.Model { return nil }
			}
			asked, pass := "", false
			out, err := solve(t, func(m *milp.Model, opt milp.Options) (*milp.Result, error) {
				if !pass {
					if c.rooted && opt.Rooted != nil {
						opt.Rooted(7.5 * m.Cols[0].Cost)
					}
					return &milp.Result{Status: milp.Optimal, X: []float64{8}, Objective: 8 * m.Cols[0].Cost, Bound: at(8 * m.Cols[0].Cost)}, nil
				}
				asked += m.Name
				if m.Integers() {
					t.Error("the relaxation has integers")
				}
				if c.err != nil {
					return nil, c.err
				}
				return &milp.Result{Status: c.status, Raw: "said", Objective: c.says * m.Cols[0].Cost}, nil
			}, built, math.NaN(), new([]string))
			if err != nil || out.Relax == nil {
				t.Fatal(err)
			}
			pass = true
			bound, err := out.Relax(t.Context())
			if asked != c.asked || (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Fatalf("asked %q, %v", asked, err)
			}
			if err == nil && (bound > c.says || bound < max(-100, c.says-1e-5)) {
				t.Errorf("%v of %v", bound, c.says)
			}
		})
	}
}

// TestNarrow: a model is narrowed from the best solution that is known, what that finds is the next start, and the seconds of both count. A
// relaxation that is beyond the solver says nothing; another failure is one of the whole.
func TestNarrow(t *testing.T) {
	for name, c := range map[string]struct {
		left  bool
		best  *float64
		fails error
		model string
		start float64
		value float64
		err   error
	}{
		"narrowed":         {true, at(6), nil, "left", 6, 5, nil},
		"not narrowed":     {false, nil, nil, "m", 20, 5, nil},
		"a better start":   {false, at(6), nil, "m", 6, 5, nil},
		"a better value":   {true, at(4), nil, "left", 4, 4, nil},
		"beyond it":        {true, at(6), fmt.Errorf("x: %w", milp.ErrAccuracy), "m", 6, 5, nil},
		"a point that not": {true, nil, fmt.Errorf("x: %w", models.ErrPoint), "m", 20, 5, nil},
		"it fails":         {true, nil, errNot, "", 0, 0, errNot},
	} {
		t.Run(name, func(t *testing.T) {
			built := points(whole("m", true))
			built.Narrow = func(_ context.Context, start *float64, solve func(*milp.Model) (*milp.Result, error)) (*exact.BuiltModel[float64], *float64, error) {
				if start == nil || *start != 20 {
					t.Errorf("it begins with %v", start)
				}
				r, err := solve(whole("relaxed", false))
				if err != nil || r.Raw != "relaxed" {
					t.Errorf("%+v, %v", r, err)
				}
				if !c.left {
					return nil, c.best, c.fails
				}
				return points(whole("left", true)), c.best, c.fails
			}
			asked, started := "", 0.0
			out, err := solve(t, func(m *milp.Model, opt milp.Options) (*milp.Result, error) {
				if m.Name != "relaxed" {
					asked, started = m.Name, opt.Start[0]
				}
				return &milp.Result{Status: milp.Optimal, X: []float64{5}, Objective: 5, Bound: at(4), Raw: m.Name, Seconds: 0.5}, nil
			}, built, 20, new([]string))
			if !errors.Is(err, c.err) || asked != c.model || started != c.start || out.Solution != c.value {
				t.Fatalf("model %q from %v: %v, %v", asked, started, out.Solution, err)
			}
			if err == nil && *out.Stats.SolverSeconds != 1 {
				t.Errorf("%v s, want 1", *out.Stats.SolverSeconds)
			}
		})
	}
	built := points(whole("m", true))
	built.Narrow = func(_ context.Context, _ *float64, solve func(*milp.Model) (*milp.Result, error)) (*exact.BuiltModel[float64], *float64, error) {
		_, err := solve(whole("relaxed", false))
		return nil, nil, err
	}
	_, err := solve(t, func(*milp.Model, milp.Options) (*milp.Result, error) { return nil, errNot }, built, 20, new([]string))
	if !errors.Is(err, errNot) || !strings.Contains(err.Error(), "narrow model f") {
		t.Errorf("a relaxation fails: %v", err)
	}
}

// dated is an instance whose solutions are dates, worth the time since the first.
type dated float64

func (dated) Head() models.Header { return models.Header{Name: "dated"} }

// TestFromFirst: a method sees the instance from its first arrival, with the solutions that are known by then, at each resumption again.
func TestFromFirst(t *testing.T) {
	problem := &models.Problem[dated, float64]{
		Sense:      models.Minimize,
		References: []models.Reference{{Name: "opt"}},
		Check: func(in dated, s float64) models.Report {
			return models.Report{Findings: models.Findings{Objective: at(s - float64(in))}}
		},
	}
	for _, origin := range []float64{0, 1000} {
		var seen []float64
		offer := func(p *models.Pass[dated, float64], by float64) {
			s, value, ok := p.Best()
			if !ok || value != s-float64(p.Instance) {
				t.Errorf("%v is worth %v, %v", s, value, ok)
			}
			seen = append(seen, s)
			p.Offer(s - by)
		}
		method := exact.FromFirst(problem, "opt",
			func(in dated) (dated, float64) { return in - dated(origin), origin }, func(s, by float64) float64 { return s + by },
			func(_ context.Context, p *models.Pass[dated, float64]) (models.End, error) {
				offer(p, 1)
				return models.End{Stop: models.Limit, Resume: func(context.Context) (models.End, error) {
					offer(p, 1)
					return models.End{Stop: models.Limit, Resume: func(context.Context) (models.End, error) {
						offer(p, 1)
						return models.End{}, nil
					}}, nil
				}}, nil
			})
		p := &models.Pass[dated, float64]{Instance: dated(origin)}
		p.Ledger = models.NewLedger(exact.Rules(problem, "opt", p.Instance, nil, p.Ask), nil, nil)
		p.Offer(origin + 20)
		end, err := method(t.Context(), p)
		for _, value := range []float64{15, 10} {
			if err != nil || end.Resume == nil {
				t.Fatal(err)
			}
			p.Offer(origin + value)
			end, err = end.Resume(t.Context())
		}
		if _, value, _ := p.Best(); err != nil || end.Resume != nil || value != 9 || !slices.Equal(seen, []float64{20, 15, 10}) {
			t.Errorf("from %v it sees %v and finds %v, %v", origin, seen, value, err)
		}
	}
}

// TestPortfolioEnds: a portfolio says once why its method came to nothing, and what a model's solver says after the time is over is no
// reason; one of a model alone asks it.
func TestPortfolioEnds(t *testing.T) {
	for name, c := range map[string]struct {
		late bool // the solver fails when time is over
		raw  string
	}{
		"in time": {false, "m: rounding keeps value and bound apart where all is decided; scripted on f: model f by scripted: not this one"},
		"late":    {true, "m: rounding keeps value and bound apart where all is decided"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			asked := 0
			target := &exact.Target[number, float64]{
				Name: "opt", Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "m", "" },
				Methods:      []*exact.Method[number, float64]{{Name: "m", Solve: says(said{value: 6, bound: 3, stop: models.Done})}},
				Formulations: []*exact.Formulation[number, float64]{formulated("f", accept)},
			}
			out, err := target.Algorithm(exact.Deps[number, float64]{
				Solvers: []milp.Solver{scripted(func(*milp.Model, milp.Options) (*milp.Result, error) {
					asked++
					if c.late {
						cancel()
					}
					return nil, errNot
				})},
				Portfolio: exact.Portfolio[number, float64]{Model: func(number) string { return "f" }},
			}).Run(ctx, quiet())
			if err != nil || asked != 1 || out.Stats.Raw != c.raw {
				t.Errorf("asked %d times, %q, %v", asked, out.Stats.Raw, err)
			}
		})
	}
}
