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
	"schedgap/reports/tables"
)

// HiGHS proves all eight small instances, in 1 to 8 s of processor time, and three of the eight large ones, so that the
// median is beyond the 4 s after which the first was stopped. lp_solve was run on seven of the large ones. glpsol ends by itself without a
// proof on five of the small ones, after 4 to 8 s, so that more time would prove nothing. The heuristic's instance x is nobody's, and
// opt-mps has no model.
func TestScaling(t *testing.T) {
	flex := fake.Problem()
	unit := func(size string, k int, algorithm, solver, model string, proven bool) bench.Record {
		name := fmt.Sprint(size, k)
		r := fake.Optimal(flex, name, algorithm, 10)
		if !proven {
			r = fake.Bounded(flex, name, algorithm, 8, fake.Ptr(12.))
		}
		r.Solver, r.UnitID, r.Source, r.CPUModel = &solver, fmt.Sprint(name, algorithm, solver), size, "EPYC"
		if model != "" {
			r.Model = &model
		}
		r.CPUSeconds, r.WallSeconds, r.TimeLimitSeconds = fake.Ptr(float64(k)), fake.Ptr(10*float64(k)), fake.Ptr(100.)
		return r
	}
	var records []bench.Record
	for k := 1; k <= 8; k++ {
		ended := unit("10 jobs", k, "opt", "glpsol", "position", k <= 3)
		if k > 3 {
			ended.Status = string(bench.Feasible)
		}
		records = append(records, ended)
		records = append(records,
			unit("10 jobs", k, "opt", "highs", "position", true), unit("20 jobs", k, "opt", "highs", "position", k <= 3),
			unit("10 jobs", k, "opt", "bnb", "", true), unit("10 jobs", k, "opt-mps", "gains", "", true),
			unit("20 jobs", k, "opt-mps", "gains", "", true))
		if k < 8 {
			records = append(records, unit("20 jobs", k, "opt", "lpsolve", "position", true))
		}
	}
	records = append(records, fake.Solved(flex, "x", "fair", 12))
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{flex}, Instance: fake.Instances{}.Find})
	fail.On(t, err)
	p := summary.New(set, nil, 1).Problems[0]
	if len(p.Scaling) != 5 {
		t.Fatalf("%+v", p.Scaling)
	}
	small, large := p.Scaling[2], p.Scaling[3] // behind bnb and glpsol
	if small.Proven != 8 || small.Instances != 8 || small.Median != 4.5 || small.MedianLo != 1 || small.MedianHi != 8 {
		t.Errorf("%+v", small)
	}
	inf := summary.Number(math.Inf(1))
	if large.Proven != 3 || large.All != 8 || large.Median != inf || large.MedianLo != 1 || large.MedianHi != inf {
		t.Errorf("%+v", large)
	}
	table := tables.Scaling(p)
	var cells []string
	for _, row := range table.Rows {
		cells = append(cells, fmt.Sprint(row.Cells))
	}
	want := []string{
		"[opt 10 jobs – 8/8 [63, 100 %], 4.5 s [1 s, 8 s] – – –]",
		"[opt 10 jobs position – 3/8 [9, 76 %], never [1 s, never] 8/8 [63, 100 %], 4.5 s [1 s, 8 s] –]",
		"[opt 20 jobs position – – 3/8 [9, 76 %], > 4 s [1 s, > 4 s] 7 of 8 run]",
	}
	if fmt.Sprint(cells) != fmt.Sprint(want) {
		t.Errorf("%q", cells)
	}
	if want := "Objective, minimised, on 8 instances of a family at most; time limit 100 s; machine EPYC."; table.About != want {
		t.Errorf("%q, want %q", table.About, want)
	}
}
