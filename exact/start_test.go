package exact_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/fail"
)

// A number is an instance whose solutions are numbers, worth what they are; those below 0 are none.
type number struct{}

func (number) Head() models.Header { return models.Header{Name: "number"} }

var numbers = &models.Problem[number, float64]{
	Sense: models.Minimize, References: []models.Reference{{Name: "opt"}, {Name: "small", Within: "opt"}, {Name: "other"}},
	Check: func(in number, s float64) models.Report {
		r := models.Report{Findings: models.Findings{Objective: &s}}
		if s < 0 {
			r.Violations = []models.Violation{{Constraint: "positive", Where: in.Head().Name}}
		}
		return r
	},
}

func finds(class string, value float64) *models.Algorithm[number, float64] {
	return &models.Algorithm[number, float64]{
		Reference: "opt", Class: class,
		Run: func(context.Context, *models.Pass[number, float64]) (models.Outcome[float64], error) {
			return models.Outcome[float64]{Solution: value, Found: true, Status: models.Feasible}, nil
		},
	}
}

func run(t *testing.T, target *exact.Target[number, float64], parts exact.Deps[number, float64]) models.Outcome[float64] {
	t.Helper()
	target.Problem = numbers
	out, err := target.Algorithm(parts).Run(t.Context(), quiet())
	fail.On(t, err)
	return out
}

func at(v float64) *float64 { return &v }

// A said is what a method writes into its ledger, and how it ends; NaN: nothing.
type said struct {
	value, bound float64
	stop         models.Stop
	why          string
	nothing      bool // says that there is no solution
}

func says(c said) exact.Solving[number, float64] {
	return func(_ context.Context, p *models.Pass[number, float64]) (models.End, error) {
		if !math.IsNaN(c.value) {
			p.Offer(c.value)
		}
		p.Bound(c.bound)
		if c.nothing {
			p.Impossible()
		}
		return models.End{Stop: c.stop, Why: c.why}, nil
	}
}

// Whatever a method says, a solution that is known refutes it: none of these may end as optimal above 5, or as infeasible.
func TestKnownSolutionsRefute(t *testing.T) {
	none := math.NaN()
	for name, c := range map[string]struct {
		says   said
		value  float64
		bound  float64 // NaN: none
		status models.Status
	}{
		"infeasible":              {said{none, none, models.Done, "", true}, 5, none, models.Feasible},
		"a worse optimum":         {said{6, 6, models.Done, "", false}, 5, none, models.Feasible},
		"a bound beyond":          {said{5, 5.1, models.Limit, "", false}, 5, none, models.Timeout},
		"no solution, no bound":   {said{none, none, models.Limit, "", false}, 5, none, models.Timeout},
		"a refused solution":      {said{-1, 2, models.Limit, "", false}, 5, 2, models.Timeout},
		"the optimum":             {said{4, 4, models.Done, "", false}, 4, 4, models.Optimal},
		"no more than a value":    {said{4, none, models.Done, "", false}, 4, none, models.Feasible},
		"the same but for digits": {said{5 + 1e-12, 5 + 1e-12, models.Done, "", false}, 5, 5, models.Optimal},
		"a gap that is closed":    {said{6, 5, models.Limit, "", false}, 5, 5, models.Optimal},
	} {
		t.Run(name, func(t *testing.T) {
			target := &exact.Target[number, float64]{
				Reference: "opt", Choose: func(number) (string, string) { return "m", "" },
				Methods: []*exact.Method[number, float64]{{Name: "m", Solve: func(
					ctx context.Context, p *models.Pass[number, float64],
				) (models.End, error) {
					if start, _, ok := p.Best(); !ok || start != 5 {
						t.Errorf("it starts from %v, want the best heuristic's 5", start)
					}
					return says(c.says)(ctx, p)
				}}},
			}
			out := run(t, target, exact.Deps[number, float64]{
				Start:      func(context.Context, number) (float64, error) { return 7, nil },
				Heuristics: []*models.Algorithm[number, float64]{finds("small", 5), finds("opt", 8), finds("opt", -1), finds("other", 1)},
			})
			if !out.Found || out.Solution != c.value || out.Status != c.status || (out.Bound == nil) != math.IsNaN(c.bound) {
				t.Fatalf("%+v, want %v, %s, bound %v", out, c.value, c.status, c.bound)
			}
			if out.Bound != nil && *out.Bound != c.bound {
				t.Errorf("bound %v, want %v", *out.Bound, c.bound)
			}
		})
	}
}

// The bound is there before the heuristics run, which may take all the time that there is, and none follows one that did.
func TestRivalsTakeAllTheTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var told float64
	long := finds("opt", 8)
	long.Run = func(context.Context, *models.Pass[number, float64]) (models.Outcome[float64], error) {
		if told != 2 {
			t.Errorf("the bound %v is known, want 2", told)
		}
		cancel()
		return models.Outcome[float64]{}, nil
	}
	target := &exact.Target[number, float64]{
		Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "m", "" },
		Methods: []*exact.Method[number, float64]{{Name: "m", Solve: says(said{value: 3, bound: 3})}},
	}
	p := quiet()
	p.Bounded = func(b float64) { told = b }
	out, err := target.Algorithm(exact.Deps[number, float64]{
		Start:      func(context.Context, number) (float64, error) { return 7, nil },
		Bound:      func(context.Context, number) (float64, error) { return 2, nil },
		Heuristics: []*models.Algorithm[number, float64]{long, finds("opt", 5)},
	}).Run(ctx, p)
	if err != nil || out.Status != models.Timeout || out.Solution != 7 || *out.Bound != 2 {
		t.Errorf("%+v, %v", out, err)
	}
}

// solved is a MILP solver with a ready answer, in the units of the instance.
type solved milp.Result

func (solved) Name() string    { return "says" }
func (solved) Version() string { return "1" }
func (s solved) Solve(_ context.Context, m *milp.Model, _ milp.Options) (*milp.Result, error) {
	r := milp.Result(s)
	r.Objective *= m.Cols[0].Cost
	if r.Bound != nil {
		r.Bound = at(*r.Bound * m.Cols[0].Cost)
	}
	r.X = slices.Clone(r.X)
	return &r, nil
}

// quiet is a pass whose caller hears nothing.
func quiet() *models.Pass[number, float64] {
	return &models.Pass[number, float64]{Threads: 1, Improved: func(float64) {}, Bounded: func(float64) {}}
}

// asked is what comes of a model by a solver, with a start; NaN: none.
func asked(
	t *testing.T, sense models.Sense, change func(*exact.BuiltModel[float64]), s milp.Solver, start float64,
) (models.Outcome[float64], error) {
	t.Helper()
	problem, f := *numbers, formulated("f", nil)
	problem.Sense = sense
	build := f.Build
	f.Build = func(in number, o exact.BuildOptions) (*exact.BuiltModel[float64], error) {
		b, err := build(in, o)
		change(b)
		return b, err
	}
	target := &exact.Target[number, float64]{
		Problem: &problem, Reference: "opt", Choose: func(number) (string, string) { return "", "f" },
		Formulations: []*exact.Formulation[number, float64]{f},
	}
	parts := exact.Deps[number, float64]{Solvers: []milp.Solver{s}}
	if !math.IsNaN(start) {
		parts.Start = func(context.Context, number) (float64, error) { return start, nil }
	}
	return target.Algorithm(parts).Run(t.Context(), quiet())
}

// A solver's infeasible is refused where the solution 5 is known. A minimum's bound loses its tolerance and a maximum's gains it, so that
// a value that is better by no more contradicts nothing, and one that is better by more refutes the solver.
func TestSolversAgainstKnownSolutions(t *testing.T) {
	for name, c := range map[string]struct {
		sense  models.Sense
		says   float64
		end    milp.Status
		status models.Status
	}{
		"infeasible":                  {models.Minimize, math.NaN(), milp.Infeasible, models.Feasible},
		"larger by 2.5e-8":            {models.Minimize, 5 + 2.5e-8, milp.Optimal, models.Optimal},
		"larger by 1e-3":              {models.Minimize, 5.001, milp.Optimal, models.Feasible},
		"limit, and wrong":            {models.Minimize, 5.001, milp.Limit, models.Timeout},
		"the maximum":                 {models.Maximize, 5, milp.Optimal, models.Optimal},
		"a maximum smaller by 2.5e-8": {models.Maximize, 5 - 2.5e-8, milp.Optimal, models.Optimal},
		"a maximum smaller by 1e-3":   {models.Maximize, 4.999, milp.Optimal, models.Feasible},
		"a maximum larger by 2.5e-8":  {models.Maximize, 5 + 2.5e-8, milp.Optimal, models.Optimal},
	} {
		t.Run(name, func(t *testing.T) {
			answer, best := solved{Status: c.end, Raw: "no"}, 5.0
			if c.end != milp.Infeasible {
				answer = solved{Status: c.end, X: []float64{c.says}, Objective: c.says, Bound: at(c.says)}
			}
			if c.sense.Better(c.says, best) {
				best = c.says
			}
			out, err := asked(t, c.sense, func(b *exact.BuiltModel[float64]) { b.Model.Maximize = c.sense == models.Maximize }, answer, 5)
			fail.On(t, err)
			if out.Status != c.status || out.Solution != best || out.Bound != nil && c.sense.Better(best, *out.Bound) {
				t.Errorf("%s %v, bound %v; want %s %v and no bound beyond it", out.Status, out.Solution, out.Bound, c.status, best)
			}
			if refused := strings.Contains(out.Stats.Raw, "refused"); refused != (c.status != models.Optimal) {
				t.Errorf("the solver's words: %q", out.Stats.Raw)
			}
		})
	}
}

// A start that has no point in the model is not given to the solver; its value still counts.
func TestStartWithoutPoint(t *testing.T) {
	pointless := func(b *exact.BuiltModel[float64]) {
		b.Encode = func(float64) ([]float64, error) { return nil, errors.New("no point") }
	}
	for want, answer := range map[float64]solved{
		4: {Status: milp.Optimal, X: []float64{4}, Objective: 4, Bound: at(4)},
		5: {Status: milp.Limit, X: []float64{6}, Objective: 6, Bound: at(3)},
	} {
		if out, err := asked(t, models.Minimize, pointless, answer, 5); err != nil || !out.Found || out.Solution != want {
			t.Errorf("%+v, %v, want %v", out, err, want)
		}
	}
}

// A solver's point whose decisions no solution has is refused as the solver's, and so is, whatever is known, that there is no solution.
func TestRefusedAnswers(t *testing.T) {
	undecided := func(b *exact.BuiltModel[float64]) {
		b.Decode = func([]float64) (float64, error) { return 0, errors.New("no such order") }
	}
	_, err := asked(t, models.Minimize, undecided, solved{Status: milp.Optimal, X: []float64{5}, Objective: 5, Bound: at(5)}, math.NaN())
	if !errors.Is(err, models.ErrPoint) || err.Error() != "model f by says: refusing the point: no such order" {
		t.Errorf("%v", err)
	}
	_, err = asked(t, models.Minimize, func(*exact.BuiltModel[float64]) {}, failing{}, math.NaN())
	if err == nil || !strings.Contains(err.Error(), `refusing "infeasible"`) {
		t.Errorf("%v", err)
	}
}

// A failing solver says that there is no solution.
type failing struct{}

func (failing) Name() string    { return "failing" }
func (failing) Version() string { return "0" }
func (failing) Solve(context.Context, *milp.Model, milp.Options) (*milp.Result, error) {
	return &milp.Result{Status: milp.Infeasible, Nodes: -1, Raw: "infeasible"}, nil
}

// A staged solver gives the answers that it was made with, one for each model in turn.
type staged []milp.Result

func (*staged) Name() string    { return "staged" }
func (*staged) Version() string { return "0" }
func (s *staged) Solve(_ context.Context, m *milp.Model, _ milp.Options) (*milp.Result, error) {
	r := (*s)[0]
	*s = (*s)[1:]
	if r.X != nil {
		r.Objective = m.Objective(r.X)
		r.Bound = at(r.Objective)
	}
	return &r, nil
}

// A stage that its solver calls infeasible is an error that names the stage; it passes neither for a limit nor for nothing. The
// integers of a relaxation may have no point in the model: then the next stage follows.
func TestInfeasibleStages(t *testing.T) {
	numbered := func(name string) *milp.Model {
		m := &milp.Model{Name: name}
		m.AddCol(milp.Col{Name: "x", Hi: 10, Cost: 1, Integer: true})
		return m
	}
	no := milp.Result{Status: milp.Infeasible, Raw: "no", Nodes: -1}
	found := func(x float64) milp.Result { return milp.Result{Status: milp.Optimal, X: []float64{x}, Raw: "yes"} }
	for name, c := range map[string]struct {
		answers staged
		want    string
	}{
		"the first":           {staged{no}, `refusing "infeasible": every instance has a solution (in the stage loose: no)`},
		"its integers":        {staged{found(4), no, found(5), found(5)}, ""},
		"its integers twice":  {staged{found(4), no, found(4), no, found(5)}, ""},
		"the second":          {staged{found(4), found(5), no}, `refusing "infeasible": every instance has a solution (in the stage tight: no)`},
		"the model at last":   {staged{found(4), found(5), found(4), found(5), no}, `refusing "infeasible": every instance has a solution (no)`},
		"none, and optimal":   {staged{found(5), found(5)}, ""},
		"none, but two":       {staged{found(4), found(5), found(5), found(5)}, ""},
		"none, and all three": {staged{found(4), found(5), found(4), found(5), found(5)}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			target := &exact.Target[number, float64]{
				Name: "opt", Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "", "f" },
				Formulations: []*exact.Formulation[number, float64]{{Name: "f", Build: func(number, exact.BuildOptions) (*exact.BuiltModel[float64], error) {
					refined := false
					return &exact.BuiltModel[float64]{
						Model: numbered("whole"), Relaxation: numbered("loose"),
						Refine: func([]float64) *milp.Model {
							if refined {
								return nil
							}
							refined = true
							return numbered("tight")
						},
						Decode: func(x []float64) (float64, error) { return x[0], nil },
					}, nil
				}}},
			}
			out, err := target.Algorithm(exact.Deps[number, float64]{Solvers: []milp.Solver{&c.answers}}).Run(t.Context(), quiet())
			switch {
			case c.want == "" && (err != nil || out.Status != models.Optimal || out.Solution != 5 || len(c.answers) > 0):
				t.Errorf("%+v, %v, %d answers left", out, err, len(c.answers))
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
