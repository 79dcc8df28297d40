package ratio_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// The ends of a price use bound over value and value over bound; a claim that was refuted proves nothing, nor does a bound of the
// wider class count as one of the restricted. A class with limits is one if records of the problem have it; its price is that within
// the problem's first, and within the class around it with none between.
func TestPrices(t *testing.T) {
	p, other := fake.Problem(), fake.Maximize()
	p.Restrictions = []bench.Restriction{{Name: "copies", Doc: "copies of a task"}, {Name: "jobs", Doc: "jobs at once"}}
	limited := func(p *bench.Problem, in, class string, v float64) bench.Record {
		r := fake.Optimal(p, in, "a command", v)
		r.UnitID, r.Reference = in+"/"+class, class
		return r
	}
	instances := fake.Instances{}
	instances.Add("open", models.Quotient, nil)
	instances[fake.SHA("open")].Scales = map[string]float64{"opt": 4, "opt-mps": 8}
	optimal := func(in, algorithm string, v float64) bench.Record { return fake.Optimal(p, in, algorithm, v) }
	refuted := fake.Optimal(p, "refuted", "opt-mps", 30)
	refuted.Status = string(bench.Refuted)
	set, err := ratio.New(ratio.Input{Problems: []*bench.Problem{p, other}, Instance: instances.Find, Records: ratio.Pack([]bench.Record{
		optimal("double", "opt", 10), optimal("double", "opt-mps", 20),
		optimal("free", "opt", 10), optimal("free", "opt-mps", 10*(1+1e-12)),
		optimal("open", "opt", 10), fake.Bounded(p, "open", "opt-mps", 12, fake.Ptr(15.0)),
		fake.Bounded(p, "wide", "opt", 8, fake.Ptr(12.0)), fake.Bounded(p, "wide", "opt-mps", 9, fake.Ptr(16.0)),
		optimal("lone", "opt", 10), fake.Solved(p, "lone", "flex", 11), // no method of the class was run
		optimal("refuted", "opt", 10), refuted,
		optimal("within", "opt", 10), limited(p, "within", "opt@copies=1", 50), limited(p, "within", "opt@copies=2", 40),
		limited(p, "within", "opt@copies=3", 20), limited(p, "lone", "opt@copies=3", 11), limited(p, "lone", "old@copies=3", 11),
		limited(p, "lone", "old", 11), limited(other, "lone", "opt@copies=4", 9),
	})})
	fail.On(t, err)
	var classes []string
	for _, r := range set.Problems[0].References[len(p.References):] {
		classes = append(classes, r.Name+" in "+r.Within+": "+r.Doc)
	}
	if d := cmp.Diff([]string{
		"opt@copies=3 in opt: all schedules; copies of a task: at most 3", "opt@copies=1 in opt: all schedules; copies of a task: at most 1",
		"opt@copies=2 in opt: all schedules; copies of a task: at most 2",
	}, classes); d != "" {
		t.Error(d)
	}
	var got []string
	for row := range set.Problems[0].Prices() {
		free := "?"
		if row.Free != nil {
			free = map[bool]string{true: "free", false: "not free"}[*row.Free]
		}
		if row.Exact != (*row.PriceLo == *row.PriceHi) {
			t.Errorf("%s: %+v", row.Instance, row)
		}
		got = append(got, fmt.Sprintf("%s: %s in %s %.7g..%.7g, regret %.7g..%.7g, %s", row.Instance, row.Restricted, row.Reference,
			*row.PriceLo, *row.PriceHi, *row.RegretLo, *row.RegretHi, free))
	}
	if d := cmp.Diff([]string{
		"double: opt-mps in opt 2..2, regret 10..10, not free", "free: opt-mps in opt 1..1, regret 0..0, free",
		"open: opt-mps in opt 1.2..1.5, regret 0.5..1.25, not free", "wide: opt-mps in opt 1..2, regret 0..8, ?",
		"lone: opt@copies=3 in opt 1.1..1.1, regret 1..1, not free", "within: opt@copies=3 in opt 2..2, regret 10..10, not free",
		"within: opt@copies=1 in opt 5..5, regret 40..40, not free", "within: opt@copies=1 in opt@copies=2 1.25..1.25, regret 10..10, not free",
		"within: opt@copies=2 in opt 4..4, regret 30..30, not free", "within: opt@copies=2 in opt@copies=3 2..2, regret 20..20, not free",
	}, got); d != "" {
		t.Error(d)
	}
}
