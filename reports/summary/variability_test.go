package summary_test

import (
	"fmt"
	"math"
	"testing"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// HiGHS proves a with three seeds in 1, 2 and 3 s, b in 2, 2 and 8 s, and c with one of three; d has one seed, which says nothing.
// lp_solve has one seed everywhere. The search needs no seed, and still the times on a and b are compared.
func TestVariability(t *testing.T) {
	flex := fake.Problem()
	unit := func(name, solver string, seed int64, cpu float64, nodes int64, proven bool) bench.Record {
		r := fake.Optimal(flex, name, "opt", 10)
		if !proven {
			r = fake.Bounded(flex, name, "opt", 8, fake.Ptr(12.))
		}
		r.Solver, r.Model, r.Seed, r.UnitID = &solver, fake.Ptr("position"), seed, fmt.Sprint(name, solver, seed)
		r.CPUSeconds, r.WallSeconds, r.Nodes, r.TimeLimitSeconds = &cpu, fake.Ptr(10*cpu), &nodes, fake.Ptr(60.)
		return r
	}
	records := []bench.Record{
		unit("a", "highs", 1, 1, 10, true), unit("a", "highs", 2, 2, 5, true), unit("a", "highs", 3, 3, 20, true),
		unit("b", "highs", 1, 2, 0, true), unit("b", "highs", 2, 2, 0, true), unit("b", "highs", 3, 8, 2, true),
		unit("c", "highs", 1, 2, 7, true), unit("c", "highs", 2, 50, 7, false), unit("c", "highs", 3, 50, 7, false),
		unit("d", "highs", 1, 2, 7, true),
		unit("a", "lpsolve", 1, 1, 1, true), unit("b", "lpsolve", 1, 1, 1, true),
		unit("a", "bnb", 0, 3, 1, true), unit("b", "bnb", 0, 1, 1, true), unit("c", "bnb", 0, 1, 1, true),
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{flex}, Instance: fake.Instances{}.Find})
	fail.On(t, err)
	p := summary.New(set, nil, 1).Problems[0]
	if len(p.Variability) != 1 {
		t.Fatalf("%+v", p.Variability)
	}
	v := p.Variability[0]
	if v.Solver != "highs" || v.Model != "position" || v.Instances != 3 || v.Seeds != 3 || v.All != 2 || v.Some != 1 {
		t.Errorf("%+v", v)
	}
	for _, c := range []struct {
		name string
		got  summary.Number
		want float64
	}{
		{"quickest", v.Quickest, math.Sqrt(2*3) - 1},
		{"slowest", v.Slowest, math.Sqrt(4*9) - 1},
		{"score", v.Score, (1./2 + math.Sqrt(12)/4) / 2},
		{"ratio", v.Ratio, (3. + 4.) / 2},
		{"largest", v.Largest, 4},
		{"nodes", v.Nodes, (4. + 2.) / 2},
	} {
		if math.Abs(float64(c.got)-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	for _, s := range p.Solvers {
		if s.CommonInstances != 2 { // a and b, though the seeds are not the same
			t.Errorf("%s: %d instances solved by all, want 2", s.Solver, s.CommonInstances)
		}
		if want := math.Sqrt(21*41) - 1; s.Solver == "highs" && math.Abs(float64(s.Common)-want) > 1e-12 {
			t.Errorf("time on these: %v, want %v", s.Common, want)
		}
	}
}
