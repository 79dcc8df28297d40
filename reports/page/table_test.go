package page

import (
	"math"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// An algorithm that is compared on no instance does not keep the others from being compared, and the table says so.
func TestNeverCompared(t *testing.T) {
	row := func(label string, compared int) summary.Ratios {
		r := summary.Ratios{
			Variant: summary.Variant{Label: label, Kind: "heuristic"}, Reference: "opt", Instances: 9,
			Compared: compared, CommonSize: 8,
		}
		r.Common.Lo, r.Common.Hi = summary.Number(math.NaN()), summary.Number(math.NaN())
		return r
	}
	a := row("a", 9)
	a.Common.Lo, a.Common.Hi = 1.5, 1.5
	got := Ratios(&summary.Problem{Name: "p", Ratios: []summary.Ratios{a, row("none", 0)}}, "opt", false, "")
	column := slices.Index(got.Head, "common mean")
	if !slices.ContainsFunc(got.Notes, func(note string) bool {
		return strings.HasSuffix(note, `count for all heuristics, except those for which none does, "none".`)
	}) {
		t.Errorf("%q", got.Notes)
	}
	if one, other := got.Rows[0].Cells[column], got.Rows[1].Cells[column]; one != "1.5000 (n\u00a0=\u00a08)" || other != words.None {
		t.Errorf("common means %q and %q", one, other)
	}
}

// Legends stand only where they apply, and captions say what was minimised, on which instances and against what.
func TestLegends(t *testing.T) {
	p, instances := fake.Problem(), fake.Instances{}
	instances.Add("a", models.Quotient, nil)
	instances[fake.SHA("a")].Objective = "weighted tardiness"
	of := func(records ...bench.Record) Table {
		set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: instances.Find})
		if err != nil {
			t.Fatal(err)
		}
		return Ratios(summary.New(set, nil, 1).Problems[0], "opt", false, "")
	}
	plain := of(fake.Optimal(p, "a", "opt", 10), fake.Solved(p, "a", "fair", 12))
	if want := "Weighted tardiness, minimised, on 1 instance, against opt: all schedules."; plain.About != want {
		t.Errorf("%q, want %q", plain.About, want)
	}
	open := of(fake.Bounded(p, "a", "opt", 9, fake.Ptr(10.0)), fake.Solved(p, "a", "fair", 12), fake.Row(p, "a", "flex", bench.Crash))
	for _, legend := range []string{"since some optima are open", "∞: the algorithm has no solution"} {
		if strings.Contains(strings.Join(plain.Notes, "\n"), legend) || !strings.Contains(strings.Join(open.Notes, "\n"), legend) {
			t.Errorf("%q: %q and %q", legend, plain.Notes, open.Notes)
		}
	}
	if text := strings.Join(append(plain.Notes, open.Notes...), "\n"); strings.Contains(text, "[c, d]") {
		t.Errorf("an interval is explained where there is none: %s", text)
	}
}
