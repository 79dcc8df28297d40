package tables

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/plots"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// TestObjectives: the table that bench prints has the texts of the table by objective.
func TestObjectives(t *testing.T) {
	p, instances := fake.Problem(), fake.Instances{}
	var records []bench.Record
	for i, objective := range []string{"total response time", "total response time", "total stretch"} {
		name := string(rune('a' + i))
		instances.Add(name, models.Quotient, nil)
		instances[fake.SHA(name)].Objective = objective
		records = append(records, fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "mine", 12+float64(i)))
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: instances.Find})
	fail.On(t, err)
	problem := summary.New(set, nil, 1).Problems[0]
	printed, table := Objectives(problem, "opt", "mine"), Ratios(problem, "opt", false, "objective")
	if len(printed.Rows) != 2 || printed.Rows[0].Cells[0] != "total response time" {
		t.Errorf("%v", printed.Rows)
	}
	for _, row := range printed.Rows {
		i := slices.IndexFunc(table.Rows, func(r Row) bool { return r.Cells[0] == row.Cells[0] && r.Cells[1] == "mine" })
		if worst, _, _ := strings.Cut(table.Rows[i].Cells[4], " ("); table.Rows[i].Cells[2] != row.Cells[1] || worst != row.Cells[3] {
			t.Errorf("%q and %q", row.Cells, table.Rows[i].Cells)
		}
	}
}

// Legends stand only where they apply, and captions say what was minimised, on which instances and against what.
func TestLegends(t *testing.T) {
	p, instances := fake.Problem(), fake.Instances{}
	instances.Add("a", models.Quotient, nil)
	instances[fake.SHA("a")].Objective = "weighted tardiness"
	of := func(records ...bench.Record) Table {
		set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: instances.Find})
		fail.On(t, err)
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

// Of several instances that are equally bad, tables, figures and JSON name the first.
func TestWorstOfEqual(t *testing.T) {
	p, instances := fake.Problem(), fake.Instances{}
	var records []bench.Record
	for i, name := range []string{"a", "b", "c", "d"} {
		instances.Add(name, models.Quotient, nil)
		records = append(records, fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "flex", []float64{10, 12, 12, 12}[i]))
		if i%2 == 1 {
			records = append(records, fake.Row(p, name, "fair", bench.Crash))
		} else {
			records = append(records, fake.Solved(p, name, "fair", 12))
		}
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: instances.Find})
	fail.On(t, err)
	problem := summary.New(set, nil, 1).Problems[0]
	table := Ratios(problem, "opt", false, "")
	for _, d := range plots.Problem(problem) {
		if d.Layout == nil {
			continue
		}
		for i, row := range d.Layout.Rows {
			cell := table.Rows[i].Cells[slices.Index(table.Heads(), "worst")]
			far, name, _ := strings.Cut(strings.TrimSuffix(cell, ")"), " (")
			if name != "b" || row.Name != far+"  "+name || problem.Worst[i].Cases[0].Instance != "b" {
				t.Errorf("%s: the table has %q, the strip %q, the list %q", row.Label, cell, row.Name, problem.Worst[i].Cases[0].Instance)
			}
		}
		return
	}
	t.Error("there is no strip")
}

// The table of failures quotes the last line of standard error, once.
func TestLastLine(t *testing.T) {
	p := fake.Problem()
	silent, quoted := fake.Row(p, "a", "fair", bench.Error), fake.Row(p, "a", "flex", bench.Error)
	silent.Error = fake.Ptr("the command failed (exit status 1)\nstderr: starting\nboom 007")
	quoted.Error = fake.Ptr("the command failed (exit status 1): ValueError: 3\nstderr: Traceback\nValueError: 3")
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack([]bench.Record{silent, quoted}), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find,
	})
	fail.On(t, err)
	for i, want := range []string{"the command failed (exit status 1): boom 007", "the command failed (exit status 1): ValueError: 3"} {
		if got := Reasons(summary.New(set, nil, 1).Problems[0]).Rows[i].Cells[2]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The mean, its interval and the worst case of the first algorithm are the same texts in the sentence, in the table and on the strip.
func TestOneNumber(t *testing.T) {
	records, instances := fake.Experiment(40, rand.New(rand.NewPCG(3, 4)))
	records = slices.DeleteFunc(records, func(r bench.Record) bool { return r.Status == string(bench.Crash) })
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()}, Instance: instances.Find})
	fail.On(t, err)
	r := summary.New(set, nil, 1)
	p := r.Problems[0]
	v, _ := p.Lead()
	table := Ratios(p, v.Reference, v.Regret, "")
	for _, d := range plots.Problem(p) {
		if d.Layout == nil || d.Part != "" || d.Reference != v.Reference || d.Regret != v.Regret {
			continue
		}
		for i, row := range d.Layout.Rows {
			cell := func(head string) string { return table.Rows[i].Cells[slices.Index(table.Heads(), head)] }
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

// TestOneUnit: a table of regrets has its mean, interval and quantiles in percent, the interval beside the mean.
func TestOneUnit(t *testing.T) {
	r := summary.Ratios{
		Variant: summary.Variant{Label: "a", Kind: "heuristic"}, Reference: "opt", Regret: true, Instances: 9, Compared: 9,
		Mean:      summary.Span{Lo: 0.0193, Hi: 0.0193, CILo: 0.013, CIHi: 0.027},
		Quantiles: []summary.Quantile{{P: 0.5, Lo: 0.0073, Hi: 0.0073}},
	}
	r.GeoMean.Hi = summary.Missing
	got := Ratios(&summary.Problem{Name: "p", Ratios: []summary.Ratios{r}}, "opt", true, "")
	cells := got.Rows[0].Cells
	median := slices.Index(got.Heads(), "median")
	if slices.Contains(got.Heads(), "mean") || cells[1] != "1.9 %" || cells[2] != "[1.3, 2.7]" || cells[median] != "0.73 %" {
		t.Errorf("%v: %q", got.Head, cells)
	}
}
