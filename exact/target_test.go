package exact_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/proof"
)

var (
	errNot = errors.New("not this one")
	refuse = func(number) error { return errNot }
	accept = func(number) error { return nil }
)

// proves is a method that proves what it says, without lines.
func proves(name string, applies func(number) error, given *[]float64) *exact.Method[number, float64] {
	return &exact.Method[number, float64]{
		Name: name, Applies: applies,
		Solve: says(said{value: 6, bound: 3, stop: models.Limit}),
		Prove: func(_ context.Context, _ number, s, value, bound float64) (*proof.Claim, error) {
			*given = []float64{s, value, bound}
			return &proof.Claim{Kind: name}, nil
		},
	}
}

// ends is a method that ends with a value and a bound; NaN: none.
func ends(name string, applies func(number) error, value, bound float64) *exact.Method[number, float64] {
	return &exact.Method[number, float64]{Name: name, Applies: applies, Solve: says(said{value: value, bound: bound, stop: models.Limit})}
}

// formulated is a formulation whose points are the solutions.
func formulated(name string, applies func(number) error) *exact.Formulation[number, float64] {
	return &exact.Formulation[number, float64]{Name: name, Applies: applies, Build: func(number, exact.BuildOptions) (*exact.BuiltModel[float64], error) {
		m := &milp.Model{Name: name}
		m.AddCol(milp.Col{Name: "x", Hi: 10, Cost: 1})
		return &exact.BuiltModel[float64]{
			Model: m, Decode: func(x []float64) (float64, error) { return x[0], nil },
			Encode: func(s float64) ([]float64, error) { return []float64{s}, nil },
		}, nil
	}}
}

// TestLists: an algorithm names the methods, solvers, models and provers that can be asked for, and has the parameter of the start only
// where a solver can use it.
func TestLists(t *testing.T) {
	var said []float64
	prices := func(context.Context, number) (*proof.Claim, error) { return nil, nil }
	unnamed := ends("", nil, 1, 1)
	for name, c := range map[string]struct {
		methods          []*exact.Method[number, float64]
		models           []*exact.Formulation[number, float64]
		prices           bool
		solvers, provers string
		proves           bool
		params           int
	}{
		"methods alone":       {[]*exact.Method[number, float64]{ends("a", nil, 1, 1), proves("b", nil, &said)}, nil, false, "a b", "b", true, 0},
		"no proofs":           {[]*exact.Method[number, float64]{ends("a", nil, 1, 1)}, nil, false, "a", "", false, 0},
		"proofs by prices":    {[]*exact.Method[number, float64]{ends("a", nil, 1, 1), unnamed}, nil, true, "a", "a", true, 0},
		"a method of no name": {[]*exact.Method[number, float64]{unnamed}, nil, false, "", "", false, 0},
		"a model":             {nil, []*exact.Formulation[number, float64]{formulated("f", nil)}, false, "failing", "", false, 1},
	} {
		parts := exact.Deps[number, float64]{Solvers: []milp.Solver{failing{}}}
		if c.prices {
			parts.Prices = prices
		}
		a := (&exact.Target[number, float64]{Name: "opt", Problem: numbers, Methods: c.methods, Formulations: c.models}).Algorithm(parts)
		if got := strings.Join(a.Solvers, " "); got != c.solvers || strings.Join(a.Provers, " ") != c.provers || a.Proves != c.proves ||
			len(a.Params) != c.params || len(a.Models) != len(c.models) {
			t.Errorf("%s: solvers %q, provers %q, proves %v, %d params", name, got, a.Provers, a.Proves, len(a.Params))
		}
	}
}

// TestPick: who runs is the best method or model that applies, unless a name is asked for, which nothing replaces; where a proof is asked
// for, a method that has none gives way to the first that has.
func TestPick(t *testing.T) {
	var said []float64
	target := &exact.Target[number, float64]{
		Name: "opt", Problem: numbers, Reference: "opt", Class: "opt",
		Methods: []*exact.Method[number, float64]{
			ends("quick", accept, 6, 3), ends("never", refuse, 6, 3), proves("refuses", refuse, &said), proves("first", accept, &said),
			proves("second", nil, &said),
		},
		Formulations: []*exact.Formulation[number, float64]{formulated("small", refuse), formulated("large", accept), formulated("all", nil)},
	}
	answer := solved{Status: milp.Optimal, X: []float64{5}, Objective: 5, Bound: at(5)}
	few := *target
	few.Methods, few.Formulations = nil, target.Formulations[:1]
	for name, c := range map[string]struct {
		target                      *exact.Target[number, float64]
		method, model               string // the best
		askedSolver, askedModel     string
		prove                       bool
		solver, formulation, reason string
	}{
		"the best":                   {target, "quick", "", "", "", false, "quick", "", ""},
		"a proof":                    {target, "quick", "", "", "", true, "first", "", ""},
		"a proof of the best":        {target, "second", "", "", "", true, "second", "", ""},
		"a method by name":           {target, "quick", "", "second", "", false, "second", "", ""},
		"a name that cannot":         {target, "quick", "", "never", "", false, "", "", "opt by never: not this one"},
		"a model of a method":        {target, "quick", "", "quick", "all", false, "", "", `opt by quick has no use for a model, "all"`},
		"the best model":             {target, "", "all", "", "", false, "says", "all", ""},
		"the best cannot":            {target, "", "small", "", "", false, "says", "large", ""},
		"no best":                    {target, "", "", "", "", false, "says", "large", ""},
		"a solver by name":           {target, "quick", "all", "says", "", false, "says", "all", ""},
		"the first solver":           {target, "quick", "small", "", "all", false, "failing", "all", `refusing "infeasible"`},
		"a solver that is not":       {target, "quick", "small", "none", "all", false, "", "", `no MILP solver "none"`},
		"a model by name, which not": {target, "quick", "all", "says", "small", false, "", "", "model small: not this one"},
		"a model that is not":        {target, "quick", "all", "says", "none", false, "", "", "opt has no model for this instance"},
		"no model applies":           {&few, "", "", "", "", false, "", "", "opt has no model for this instance: not this one"},
	} {
		t.Run(name, func(t *testing.T) {
			c.target.Choose = func(number) (string, string) { return c.method, c.model }
			solvers := []milp.Solver{answer}
			if c.solver == "failing" {
				solvers = []milp.Solver{failing{}, answer}
			}
			out, err := c.target.Algorithm(exact.Deps[number, float64]{Solvers: solvers}).Run(t.Context(), &models.Pass[number, float64]{
				Threads: 1, Solver: c.askedSolver, Model: c.askedModel, Prove: c.prove, Improved: func(float64) {}, Bounded: func(float64) {},
			})
			if c.reason != "" {
				if err == nil || !strings.Contains(err.Error(), c.reason) {
					t.Errorf("%v, want %s", err, c.reason)
				}
				return
			}
			if c.solver == "says" && (out.Stats.Nodes == nil || *out.Stats.Nodes != 0) {
				t.Errorf("nodes %v, want 0", out.Stats.Nodes)
			}
			if err != nil || out.Stats.Solver != c.solver || out.Stats.Model != c.formulation || (out.Prove != nil) != c.prove {
				t.Errorf("%q on %q, %v; want %q on %q", out.Stats.Solver, out.Stats.Model, err, c.solver, c.formulation)
			}
		})
	}
}

// TestProve: a method proves its value where it is optimal, else its bound, and nothing where it has none; prices prove a bound where
// there is no solution or the method has no proof.
func TestProve(t *testing.T) {
	none := math.NaN()
	own := func(with bool) func(float64, float64) (*exact.Method[number, float64], *[]float64) {
		return func(value, bound float64) (*exact.Method[number, float64], *[]float64) {
			said := new([]float64)
			m := ends("m", nil, value, bound)
			if with {
				m.Prove = proves("own", nil, said).Prove
			}
			return m, said
		}
	}
	fails := func(context.Context, number, float64, float64, float64) (*proof.Claim, error) { return nil, errNot }
	silent := func(context.Context, number, float64, float64, float64) (*proof.Claim, error) { return nil, nil }
	for name, c := range map[string]struct {
		method       func(value, bound float64) (*exact.Method[number, float64], *[]float64)
		prove        func(context.Context, number, float64, float64, float64) (*proof.Claim, error) // instead
		value, bound float64
		prices       bool
		kind         string // of the claim; "": there is no pass
		bounded      float64
		err          error
	}{
		"optimal":                 {own(true), nil, 5, 5, true, "own", 5, nil},
		"a bound":                 {own(true), nil, 5, 3, true, "own", 3, nil},
		"no bound":                {own(true), nil, 5, none, false, "own", math.Inf(-1), nil},
		"no solution":             {own(true), nil, none, 3, true, "prices", none, nil},
		"no solution, no prices":  {own(true), nil, none, 3, false, "", none, nil},
		"no proof":                {own(false), nil, 5, 5, true, "prices", none, nil},
		"no proof, no prices":     {own(false), nil, 5, 5, false, "", none, nil},
		"it fails":                {own(true), fails, 5, 5, true, "fails", none, errNot},
		"it has none":             {own(true), silent, 5, 5, true, "prices", none, nil},
		"it has none, nor prices": {own(true), silent, 5, 5, false, "nil", none, nil},
	} {
		t.Run(name, func(t *testing.T) {
			m, said := c.method(c.value, c.bound)
			if c.prove != nil {
				m.Prove = c.prove
			}
			target := &exact.Target[number, float64]{
				Name: "opt", Problem: numbers, Reference: "opt", Methods: []*exact.Method[number, float64]{m},
				Choose: func(number) (string, string) { return "m", "" },
			}
			parts := exact.Deps[number, float64]{}
			if c.prices {
				parts.Prices = func(context.Context, number) (*proof.Claim, error) { return &proof.Claim{Kind: "prices"}, nil }
			}
			out, err := target.Algorithm(parts).Run(t.Context(), &models.Pass[number, float64]{
				Threads: 1, Solver: "m", Prove: true, Improved: func(float64) {}, Bounded: func(float64) {},
			})
			if err != nil || (out.Prove != nil) != (c.kind != "") {
				t.Fatalf("%+v, %v", out, err)
			}
			if out.Prove == nil {
				return
			}
			claim, err := out.Prove(t.Context(), c.value)
			if !errors.Is(err, c.err) || claim == nil != (c.kind == "nil" || err != nil) || claim != nil && claim.Kind != c.kind {
				t.Fatalf("%+v, %v; want %s", claim, err, c.kind)
			}
			if want := []float64{c.value, c.value, c.bounded}; c.kind == "own" && !slices.Equal(*said, want) {
				t.Errorf("it was given %v, want %v", *said, want)
			}
		})
	}
}

// TestBoundAlgorithm: a bound as an algorithm says it once, and its proof speaks of its reference.
func TestBoundAlgorithm(t *testing.T) {
	a := exact.Bound[number, float64]("lb", "", "opt", func(context.Context, number) (float64, error) { return 4, nil })
	told := 0.0
	out, err := a.Run(t.Context(), &models.Pass[number, float64]{Bounded: func(b float64) { told = b }})
	if err != nil || out.Bound == nil || *out.Bound != 4 || told != 4 || out.Status != models.Feasible {
		t.Errorf("%+v, %v, told %v", out, err, told)
	}
	if claim, err := exact.PricesOf(a)(t.Context(), number{}); claim != nil || err != nil {
		t.Errorf("without a proof: %+v, %v", claim, err)
	}
	run := a.Run
	a.Run = func(ctx context.Context, p *models.Pass[number, float64]) (models.Outcome[float64], error) {
		out, err := run(ctx, p)
		out.Proof = &proof.Claim{Kind: "k"}
		return out, err
	}
	claim, err := exact.PricesOf(a)(t.Context(), number{})
	if err != nil || claim == nil || claim.Kind != "k" || claim.Bound == nil || *claim.Bound != 4 || claim.Reference != "opt" {
		t.Errorf("%+v, %v", claim, err)
	}
	a.Run = exact.Bound[number, float64]("lb", "", "opt", func(context.Context, number) (float64, error) { return 0, errNot }).Run
	_, err = a.Run(t.Context(), &models.Pass[number, float64]{Bounded: func(float64) { t.Error("it says a bound and fails") }})
	if !errors.Is(err, errNot) {
		t.Errorf("%v", err)
	}
	if claim, err := exact.PricesOf(a)(t.Context(), number{}); claim != nil || !errors.Is(err, errNot) {
		t.Errorf("%+v, %v", claim, err)
	}
}

// TestAlone: a method alone begins with a solution or none, and observers hear what it finds.
func TestAlone(t *testing.T) {
	for _, start := range []*float64{nil, at(4)} {
		target := &exact.Target[number, float64]{Name: "opt", Problem: numbers, Reference: "opt"}
		var heard []float64
		out, err := target.Alone(t.Context(), ends("m", nil, 5, 3), &models.Pass[number, float64]{
			Threads: 1, Improved: func(s float64) { heard = append(heard, s) }, Bounded: func(b float64) { heard = append(heard, -b) },
		}, start)
		want, value := []float64{5, -3}, 5.0
		if start != nil {
			want, value = []float64{4, -3}, 4
		}
		if err != nil || out.Solution != value || !slices.Equal(heard, want) {
			t.Errorf("%+v, %v, heard %v, want %v", out, err, heard, want)
		}
	}
}

// TestExporter: a model is written in the format asked for, and what cannot be is said.
func TestExporter(t *testing.T) {
	e := exact.Exporter(formulated("never", refuse), formulated("one", accept), formulated("two", nil))
	if got := strings.Join(e.Models, " "); got != "never one two" {
		t.Errorf("models %s", got)
	}
	for _, c := range []struct{ model, format, want, err string }{
		{"one", "mps", "NAME one", ""},
		{"two", "lp", "Problem two", ""},
		{"two", "mps", "NAME two", ""},
		{"never", "mps", "", "model never: not this one"},
		{"three", "mps", "", `unknown model "three"`},
		{"two", "pdf", "", `unknown format "pdf"; it must be mps or lp`},
	} {
		var b bytes.Buffer
		err := e.Write(&b, number{}, c.model, c.format)
		if c.err == "" && (err != nil || !strings.Contains(strings.Join(strings.Fields(b.String()), " "), c.want)) ||
			c.err != "" && (err == nil || !strings.HasSuffix(err.Error(), c.err)) {
			t.Errorf("%s as %s: %v, %q", c.model, c.format, err, b.String())
		}
	}
	broken := formulated("broken", nil)
	broken.Build = func(number, exact.BuildOptions) (*exact.BuiltModel[float64], error) { return nil, errNot }
	if err := exact.Exporter(broken).Write(&bytes.Buffer{}, number{}, "broken", "mps"); !errors.Is(err, errNot) {
		t.Errorf("%v", err)
	}
}

// TestRules: a solution counts that breaks no constraint but those that its class waives, and that the checker puts into the class where
// that is the checker's matter; bounds round to the side of the sense.
func TestRules(t *testing.T) {
	problem := &models.Problem[number, float64]{
		References: []models.Reference{{Name: "all"}, {Name: "waived", Waives: []string{"w"}}, {Name: "decided", CheckerDecides: true}},
		Check: func(_ number, s float64) models.Report {
			r := models.Report{Findings: models.Findings{Objective: &s}}
			switch s {
			case 1:
				r.Violations = []models.Violation{{Constraint: "w"}}
			case 2:
				r.Class = "decided"
			case 3:
				r.Fits = []string{"decided"}
			}
			return r
		},
	}
	for reference, want := range map[string][]bool{
		"all": {true, false, true, true, false}, "waived": {true, true, true, true, false}, "decided": {false, false, true, true, false},
	} {
		rules := exact.Rules(problem, reference, number{}, nil, (&models.Pass[number, float64]{}).Ask)
		for i, s := range []float64{0, 1, 2, 3, math.NaN()} {
			if _, _, ok := rules.Value(s); ok != want[i] {
				t.Errorf("%s: %v is a solution: %v", reference, s, ok)
			}
		}
	}
	for sense, want := range map[models.Sense]float64{models.Minimize: 6, models.Maximize: 3} {
		p := *problem
		p.Sense = sense
		rules := exact.Rules(&p, "all", number{}, big.NewRat(3, 1), (&models.Pass[number, float64]{}).Ask)
		if got := rules.Round(4.5); got != want {
			t.Errorf("%v: 4.5 on the grid of 3 is %v, want %v", sense, got, want)
		}
	}
}

// TestStarts: a start that fails is an error unless time is over, and only heuristics that apply, and that have no argument, count.
func TestStarts(t *testing.T) {
	target := &exact.Target[number, float64]{
		Name: "opt", Problem: numbers, Reference: "opt", Choose: func(number) (string, string) { return "m", "" },
		Methods: []*exact.Method[number, float64]{ends("m", nil, math.NaN(), 1)},
	}
	arg, not, may := finds("opt", 2), finds("opt", 3), finds("opt", 6)
	arg.Arg = "x"
	not.Applies = func(number, string) error { return errNot }
	may.Applies = func(number, string) error { return nil }
	out := run(t, target, exact.Deps[number, float64]{Heuristics: []*models.Algorithm[number, float64]{arg, not, may}})
	if out.Solution != 6 {
		t.Errorf("%v, want 6 of the heuristic that may be asked", out.Solution)
	}
	for _, over := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		parts := exact.Deps[number, float64]{
			Start: func(context.Context, number) (float64, error) {
				if over {
					cancel()
				}
				return 0, errNot
			},
			Heuristics: []*models.Algorithm[number, float64]{may},
		}
		out, err := target.Algorithm(parts).Run(ctx, quiet())
		if errors.Is(err, errNot) == over || out.Found {
			t.Errorf("time is over %v: %+v, %v", over, out, err)
		}
		cancel()
	}
}
