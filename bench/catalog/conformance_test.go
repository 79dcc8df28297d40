package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/models"
)

// The conformance suite: what holds for every registered algorithm on every problem's shared instances. An algorithm is
// covered as soon as it is in the catalog; one with an argument also needs an entry in arguments.

// arguments says what follows the colon of algorithms that need it, by problem and algorithm.
var arguments = map[string]func(t *testing.T, in *bench.Instance) string{
	"flex mps": func(t *testing.T, in *bench.Instance) string {
		var file struct{ Jobs []struct{ ID string } }
		if err := json.Unmarshal(in.JSON, &file); err != nil {
			t.Fatal(err)
		}
		ids := make([]string, len(file.Jobs))
		for i, j := range file.Jobs {
			ids[len(ids)-1-i] = j.ID
		}
		return strings.Join(ids, ",")
	},
}

// optima are optimal values known by hand, by problem and instance, of the classes named; the suite holds every algorithm
// against them as against a proven optimum.
var optima = map[string]map[string]float64{
	// Three jobs of work 2 rotate over two slots: 6/2 = 3. Any order gives two of them a slot each until 2, then the third
	// runs alone until 4.
	"flex rotate": {"opt": 3, "opt-mps": 4},
	// The same with deadlines at 10.
	"flex lateness-max": {"opt": -7, "opt-mps": -6},
	// Three jobs of work 6 on 7 slots: 18/7. In any order two jobs hold 3 slots and one 1 until 2; 4 of its work are left,
	// which take 4/3 at its maximum of 3.
	"flex rotate-minima": {"opt": 18. / 7, "opt-mps": 10. / 3},
	// One slot: SPT is optimal, 1 + 3 + 6.
	"flex one-slot": {"opt": 10, "opt-mps": 10},
	"flex one-job":  {"opt": 1.5, "opt-mps": 1.5, "opt-moldable": 1.5},
	// Work 16 on 4 slots, which no schedule leaves idle: makespan 4, also with one slot each.
	"flex ties": {"opt": 4, "opt-mps": 4, "opt-moldable": 4},
	// All five copies: 1 − 0.35^(1.5·6).
	"pocd example": {"opt": 1 - math.Pow(0.35, 9), "opt-all": 1 - math.Pow(0.35, 9)},
	// One copy turns a half into three quarters, wherever.
	"pocd halves": {"opt": 1.25, "opt-all": 1.25},
	// a has two tasks of R 1/2, 3/4, 7/8; b one of 0.2, 0.36, 0.488; two copies. Both to a: 9/16 + 0.2, where one to b gains
	// more than one to a: 0.16 against 1/8.
	"pocd not-concave": {"opt": 0.7625, "opt-all": 0.7625},
	// The same jobs: one copy each, ln(3/8·0.36) and min(3/8, 0.36).
	"pocd proportional": {"opt": math.Log(0.135), "opt-all": math.Log(0.135)},
	"pocd max-min":      {"opt": 0.36, "opt-all": 0.36},
	// Only good counts; two copies make 7/8.
	"pocd hopeless-log":         {"opt": math.Log(0.875), "opt-all": math.Log(0.875)},
	"pocd hopeless-sum":         {"opt": 2 * math.Sqrt(0.875), "opt-all": 2 * math.Sqrt(0.875)},
	"pocd all-hopeless":         {"opt": 0, "opt-all": 0},
	"pocd all-hopeless-max-min": {"opt": 1, "opt-all": 1},
	"pocd no-spare":             {"opt": -8. / 3, "opt-all": -8. / 3},
	// 1/2 + 3/4; with a copy each 3/4 + 15/16.
	"pocd no-stragglers": {"opt": 1.25, "opt-all": 1.6875},
}

// timeLimit bounds one run; the shared instances are small enough for every exact method to be done long before.
const timeLimit = time.Minute

// tolerance is the relative error up to which two objectives count as equal.
const tolerance = 1e-6

func sharedInstances(t *testing.T, r *bench.Registry, p *bench.Problem) []*bench.Instance {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "models", p.Name, "testdata", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("problem %s has no shared instances: %v", p.Name, err)
	}
	instances := make([]*bench.Instance, len(files))
	for i, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if instances[i], err = r.ParseInstance(f, data); err != nil {
			t.Fatal(err)
		}
		if want := strings.TrimSuffix(filepath.Base(f), ".json"); instances[i].Name != want {
			t.Errorf("%s is named %s", f, instances[i].Name)
		}
	}
	return instances
}

// ways are all requests that reach an algorithm: by its own choice, by each solver, by each model with each MILP solver.
func ways(t *testing.T, r *bench.Registry, a *bench.Algorithm, in *bench.Instance) []bench.Request {
	name := a.Name
	if a.Arg != "" {
		arg := arguments[in.Problem.Name+" "+a.Name]
		if arg == nil {
			t.Fatalf("%s needs an argument: add one to the table of this test", a.Name)
		}
		name += ":" + arg(t, in)
	}
	base := bench.Request{Algorithm: name, Seed: 1, Threads: 1}
	list := []bench.Request{base}
	for _, solver := range a.Solvers {
		base.Solver = solver
		i := slices.IndexFunc(r.Solvers, func(s bench.Solver) bool { return s.Name == solver })
		switch {
		case i < 0: // a combinatorial method: it has no models
			list = append(list, base)
		case r.Solvers[i].Available:
			for _, m := range a.Models {
				base.Model = m
				list = append(list, base)
			}
			base.Model = ""
		}
	}
	return list
}

func label(q bench.Request) string {
	return strings.Join(slices.DeleteFunc([]string{q.Algorithm, q.Solver, q.Model}, func(s string) bool { return s == "" }), "/")
}

func solve(p *bench.Problem, in *bench.Instance, q bench.Request) *bench.Result {
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	return p.Run(ctx, in, q, bench.Observer{})
}

// TestConformance runs every way to every algorithm on every shared instance. Each must end as its kind promises with a
// solution that the checker accepts, waivers honoured; the same seed must give the same solution; and no value may be on the
// better side of a proven optimum of a class that holds the algorithm's.
func TestConformance(t *testing.T) {
	r := registry(t)
	for _, p := range r.Problems {
		var applied sync.Map // names of algorithms that ran on some instance
		t.Run(p.Name, func(t *testing.T) {
			for _, in := range sharedInstances(t, r, p) {
				t.Run(in.Name, func(t *testing.T) {
					t.Parallel()
					conform(t, r, p, in, &applied)
				})
			}
		})
		for i := range p.Algorithms {
			if _, ok := applied.Load(p.Algorithms[i].Name); !ok {
				t.Errorf("%s %s applies to no shared instance: add one", p.Name, p.Algorithms[i].Name)
			}
		}
	}
}

// A value is what one way to an algorithm made of an instance.
type value struct {
	label      string
	algorithm  *bench.Algorithm
	result     *bench.Result
	comparable bool // nothing was waived
}

func conform(t *testing.T, r *bench.Registry, p *bench.Problem, in *bench.Instance, applied *sync.Map) {
	var values []value
	for i := range p.Algorithms {
		a := &p.Algorithms[i]
		for _, q := range ways(t, r, a, in) {
			if err := p.Validate(in, q); err != nil {
				if na := new(models.NotApplicable); !errors.As(err, &na) {
					t.Errorf("%s: %v", label(q), err)
				}
				continue
			}
			res := solve(p, in, q)
			if res.Status == bench.Skipped {
				continue // a model or method that does not suit the instance
			}
			applied.Store(a.Name, true)
			values = append(values, value{label(q), a, res, len(a.Waives) == 0})
			if problem := promise(a, res); problem != "" {
				t.Errorf("%s: %s", label(q), problem)
				continue
			}
			if again := solve(p, in, q); !bytes.Equal(res.Solution, again.Solution) || !equal(res.Bound, again.Bound) {
				t.Errorf("%s: the same seed gives another solution: %s, then %s", label(q), res.Solution, again.Solution)
			}
		}
	}
	for class, v := range optima[p.Name+" "+in.Name] {
		known := &bench.Algorithm{Kind: models.Exact, Reference: class, Class: class}
		values = append(values, value{"the optimum by hand", known, &bench.Result{Status: bench.Optimal, Objective: &v, Bound: &v}, true})
	}
	compare(t, p, values)
}

// promise says how a result falls short of what its algorithm's kind promises.
func promise(a *bench.Algorithm, res *bench.Result) string {
	ended := fmt.Sprintf("ended as %s (%s)", res.Status, res.Error)
	switch {
	case a.Kind == models.Bound:
		if res.Status != bench.Feasible || res.Bound == nil || len(res.Solution) > 0 {
			return "a bound " + ended
		}
		return ""
	case a.Kind == models.Exact && res.Status == bench.Infeasible:
		return "" // the reference's class may be empty
	case a.Kind == models.Exact && res.Status != bench.Optimal:
		return "an exact algorithm " + ended
	case a.Kind == models.Heuristic && res.Status != bench.Feasible:
		return "a heuristic " + ended
	case res.Feasible == nil || !*res.Feasible || res.Objective == nil:
		return fmt.Sprintf("the checker refuses the solution: %s", res.Solution)
	}
	return ""
}

// compare holds all values of an instance against its optima and bounds, minding the classes they speak of.
func compare(t *testing.T, p *bench.Problem, values []value) {
	for _, opt := range values {
		bound := opt.result.Bound
		if bound == nil {
			continue
		}
		slack := tolerance * max(1, math.Abs(*bound))
		for _, v := range values {
			if !v.comparable || v.result.Objective == nil || !p.ReferenceWithin(v.algorithm.Class, opt.algorithm.Reference) {
				continue
			}
			if float64(p.Sense)*(*v.result.Objective-*bound) < -slack {
				t.Errorf("%s, of class %s, has %v, better than the bound %v that %s proves for %s",
					v.label, v.algorithm.Class, *v.result.Objective, *bound, opt.label, opt.algorithm.Reference)
			}
		}
		for _, v := range values {
			if v.algorithm.Kind != models.Exact || opt.algorithm.Kind != models.Exact ||
				v.algorithm.Reference != opt.algorithm.Reference {
				continue
			}
			if v.result.Objective == nil || math.Abs(*v.result.Objective-*bound) > slack {
				t.Errorf("%s ends as %s at %v, but %s proves %v", v.label, v.result.Status, show(v.result.Objective), opt.label, *bound)
			}
		}
	}
}

func equal(a, b *float64) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

func show(v *float64) any {
	if v == nil {
		return "nothing"
	}
	return *v
}

func registry(t *testing.T) *bench.Registry {
	t.Helper()
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return r
}
