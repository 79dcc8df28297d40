package linkedtest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/exact"
	"schedgap/exact/milp"
	"schedgap/models"
	"schedgap/models/trials"
)

// A RowTest names the formulations whose rows Rows tests, on random instances of known optimum.
type RowTest[I models.Instance, S any] struct {
	Formulations []*exact.Formulation[I, S]
	Random       func(rng *rand.Rand, i int) I
	// Optimum is the instance's, by no formulation.
	Optimum func(in I) float64
	Show    func(in I) string
}

// Rows tests families of rows by HiGHS on random instances: a model has the optimum with all of its cuts, without any, and with
// one of them alone, each in its turn. As rows only take points away, the first two say the same of every set of cuts. Models
// without what bounds and heuristics know are tested, too. There are 300 instances every night, and a few otherwise.
func (c RowTest[I, S]) Rows(t *testing.T, a, b uint64) {
	solver := Solver(t, "highs")
	rng, instances, full := trials.Rand(t, a, b), trials.Count(300), 300
	if instances < full {
		instances = max(1, instances/5)
	}
	solves := map[string]int{}
	for i := range instances {
		in := c.Random(rng, i)
		want := c.Optimum(in)
		for _, f := range c.Formulations {
			if f.Applies != nil && f.Applies(in) != nil {
				continue
			}
			built, err := f.Build(in, exact.BuildOptions{NoStart: i%2 == 1})
			if err != nil {
				t.Fatalf("%s: %v\n%s", f.Name, err, c.Show(in))
			}
			for name, m := range variants(f.Rows, built.Model, i) {
				r, err := solver.Solve(context.Background(), m, milp.Options{})
				if err != nil || r.Status != milp.Optimal || math.Abs(built.ObjectiveOf(r.Objective)-want) > 1e-6*max(1, math.Abs(want)) {
					t.Fatalf("%s %s: %+v, %v; the optimum is %v\n%s", f.Name, name, r, err, want, c.Show(in))
				}
				solves[f.Name+" "+name]++
			}
			if c.narrowed(t, solver, f.Name, built, in, want) {
				solves[f.Name+" narrowed"]++
			}
			for first, m := true, built.Relaxation; m != nil; first = false {
				list := map[string]*milp.Model{"": m}
				if first {
					list = variants(f.Rows, m, i)
				}
				var bound *float64
				var point []float64
				for name, m := range list { // cuts do not change a relaxation's optimum either
					r, err := solver.Solve(context.Background(), m, milp.Options{})
					if err != nil || r.Status != milp.Optimal || r.Objective > want+1e-6*max(1, math.Abs(want)) ||
						bound != nil && math.Abs(*bound-r.Objective) > 1e-6*max(1, math.Abs(want)) {
						t.Fatalf("a relaxation of %s %s: %+v, %v; the optimum is %v\n%s", f.Name, name, r, err, want, c.Show(in))
					}
					solves[fmt.Sprintf("%s first %v %s", f.Name, first, name)]++
					bound, point = &r.Objective, r.X
				}
				m = built.Refine(point)
			}
		}
	}
	t.Logf("%d instances, solves: %v", instances, solves)
}

// narrowed tests what is left of a model that can be narrowed: it has the optimum, and the best solution on the way as a point.
func (c RowTest[I, S]) narrowed(t *testing.T, solver milp.Solver, name string, built *exact.BuiltModel[S], in I, want float64) bool {
	if built.Narrow == nil {
		return false
	}
	left, best, err := built.Narrow(context.Background(), nil, func(m *milp.Model) (*milp.Result, error) {
		return solver.Solve(context.Background(), m, milp.Options{})
	})
	if err != nil || left == nil {
		t.Fatalf("%s is not narrowed: %v\n%s", name, err, c.Show(in))
	}
	x, err := left.Encode(*best)
	if err != nil || left.Model.Violation(x).Amount > 1e-9 {
		t.Fatalf("%s narrowed lacks the best point: %v, %+v\n%s", name, err, left.Model.Violation(x), c.Show(in))
	}
	r, err := solver.Solve(context.Background(), left.Model, milp.Options{Start: x})
	if err != nil || r.Status != milp.Optimal || math.Abs(left.ObjectiveOf(r.Objective)-want) > 1e-6*max(1, math.Abs(want)) {
		t.Fatalf("%s narrowed: %+v, %v; the optimum is %v\n%s", name, r, err, want, c.Show(in))
	}
	return true
}

// variants are m as it is, and, where it has cuts, without them and with the family whose turn it is.
func variants(rows []exact.Row, m *milp.Model, turn int) map[string]*milp.Model {
	var cuts []string
	for _, r := range rows {
		if r.Cut {
			cuts = append(cuts, r.Name)
		}
	}
	list := map[string]*milp.Model{"as it is": m}
	if cuts == nil {
		return list
	}
	alone := cuts[turn%len(cuts)]
	for name, kept := range map[string]string{"without cuts": "", fmt.Sprintf("with %s alone", alone): alone} {
		list[name] = Drop(m, func(family string) bool { return family != kept && slices.Contains(cuts, family) })
	}
	return list
}

// Drop is m without the families of rows that drop names.
func Drop(m *milp.Model, drop func(family string) bool) *milp.Model {
	short := *m
	short.Rows = slices.DeleteFunc(slices.Clone(m.Rows), func(r milp.Row) bool {
		family, _, _ := strings.Cut(r.Name, "[")
		return drop(family)
	})
	return &short
}
