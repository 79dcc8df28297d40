package page

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/reports/internal/fake"
	"schedgap/reports/plots"
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

// The mean, its interval and the worst case of the first algorithm are the same texts in the sentence, in the table and on the strip.
func TestOneNumber(t *testing.T) {
	records, instances := fake.Experiment(40, rand.New(rand.NewPCG(3, 4)))
	records = slices.DeleteFunc(records, func(r bench.Record) bool { return r.Status == string(bench.Crash) })
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()}, Instance: instances.Find})
	if err != nil {
		t.Fatal(err)
	}
	r := summary.New(set, nil, 1)
	p := r.Problems[0]
	v := p.LeadView()
	table := Ratios(p, v.Reference, v.Regret, "")
	for _, d := range plots.Problem(p) {
		if d.Layout == nil || d.Part != "" || d.Reference != v.Reference || d.Regret != v.Regret {
			continue
		}
		for i, row := range d.Layout.Rows {
			cell := func(head string) string { return table.Rows[i].Cells[slices.Index(table.Head, head)] }
			mean, interval := cell(p.Apart(v.Reference, v.Regret)), cell("95 % interval")
			if row.Label != table.Rows[i].Cells[0] || row.Says != mean+" "+interval {
				t.Errorf("strip: %s %s, table: %s %s", row.Label, row.Says, mean, interval)
			}
			worst, _, _ := strings.Cut(cell("worst"), " (")
			if i == 0 && (!strings.Contains(r.Headlines[0].Text, strings.TrimSuffix(mean, " %")) ||
				!strings.Contains(r.Headlines[0].Text, interval) || !strings.Contains(r.Headlines[0].Text, worst)) {
				t.Errorf("%q lacks %s, %s or %s", r.Headlines[0].Text, mean, interval, worst)
			}
		}
		return
	}
	t.Error("there is no strip")
}
