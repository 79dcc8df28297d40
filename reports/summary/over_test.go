package summary

import (
	"fmt"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// TestOver: of 40 instances 14 are compared by regret and 11 by ratio, 10 have no bound, and on 5 one of the two does not apply.
// Sentence and JSON say so, and no sentence says that all solved the 14.
func TestOver(t *testing.T) {
	p, instances := fake.Problem(), fake.Instances{}
	var records []bench.Record
	for i := range 40 {
		name, comparison := fmt.Sprintf("i%02d", i), models.Quotient
		if i < 24 {
			comparison = models.Difference
		}
		instances.Add(name, comparison, nil)
		mine := fake.Solved(p, name, "mine", 12)
		mine.Kind = string(models.External)
		other := fake.Solved(p, name, "flex", 11)
		switch {
		case i < 5:
			other = fake.Row(p, name, "flex", bench.Skipped)
			fallthrough
		case i < 19 || i >= 29:
			records = append(records, fake.Optimal(p, name, "opt", 10))
		}
		records = append(records, mine, other)
	}
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: instances.Find,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := New(set, nil, 1)
	r.Mine("mine", false)
	v, err := r.Problems[0].Verdict("mine")
	if err != nil {
		t.Fatal(err)
	}
	if want := (Over{Common: 14, Proven: 14, Partly: 5, Otherwise: 11, NoBound: 10}); v.Over != want || v.Instances != 40 {
		t.Errorf("%+v of %d instances, want %+v of 40", v.Over, v.Instances, want)
	}
	for _, text := range []string{v.Text, r.Headlines[0].Text} {
		if !strings.Contains(text, "14 of 40 instances, all optima proven; others: 11 compared by ratio, 5 compared for some "+
			"algorithms only, 10 without a bound)") || strings.Contains(text, "all solved") {
			t.Error(text)
		}
	}
}

// TestLost: the first line names a command that failed everywhere, and how.
func TestLost(t *testing.T) {
	p := fake.Problem()
	var records []bench.Record
	for i := range 6 {
		name := fmt.Sprintf("i%d", i)
		mine := fake.Row(p, name, "mine", bench.Crash)
		mine.Kind = string(models.External)
		records = append(records, fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "flex", 11), mine)
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
	if err != nil {
		t.Fatal(err)
	}
	r := New(set, nil, 1)
	if text := r.Headlines[0].Text; !strings.HasPrefix(text, "flex: mine has no solution: of 6 units 6 crashed; flex is ") {
		t.Error(text)
	}
	if r.Mine("mine", false); !strings.HasPrefix(r.Headlines[0].Text, "flex: mine (yours) has no solution: of 6 units 6 crashed; ") {
		t.Error(r.Headlines[0].Text)
	}
}

// TestIntervalOrder: an interval begins with the smaller distance, on either side of the optimum.
func TestIntervalOrder(t *testing.T) {
	for want, s := range map[string]Span{
		"[1.3, 2.1]":   {Lo: -0.017, Hi: -0.017, CILo: -0.021, CIHi: -0.013},
		"[−0.20, 2.1]": {Lo: -0.017, Hi: -0.017, CILo: -0.021, CIHi: 0.002},
		"[−1.0, 3.0]":  {Lo: 0.01, Hi: 0.01, CILo: -0.01, CIHi: 0.03},
	} {
		if got := (distance{view: &View{Regret: true}}).interval(s); got != want {
			t.Errorf("%v is %s, want %s", s, got, want)
		}
	}
}
