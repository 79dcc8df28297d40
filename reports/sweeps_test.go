package reports

import (
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/simrun"
	"schedgap/reports/page"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// swept are rows of a sweep at two cases, under two policies and three seeds, with a point of the design that is no default.
func swept(cases ...float64) []bench.SimRecord {
	var rows []bench.SimRecord
	add := func(s simrun.Sweep, value func(seed int, policy string) float64) {
		for seed := 1; seed <= 3; seed++ {
			for _, policy := range []string{"a", "b"} {
				rows = append(rows, bench.SimRecord{
					Problem: "toy", Workload: s.Workload("01234567"), Policy: policy, Params: "{}", Seed: int64(seed), Scope: "run",
					Metric: "pocd",
					Unit:   "share", Value: value(seed, policy),
				})
			}
		}
	}
	for _, x := range cases {
		add(simrun.Sweep{Name: "toy-fig1", X: x}, func(seed int, policy string) float64 {
			if policy == "a" {
				return x + 0.1*float64(seed)
			}
			return 0.5
		})
	}
	add(simrun.Sweep{Name: "toy-fig1", X: 1, At: "deadline=2"}, func(int, string) float64 { return 99 })
	return rows
}

// A sweep is drawn once for each metric, at its default point, with the intervals over seeds and the paper's value.
func TestSweeps(t *testing.T) {
	know := func(name string) Sweep {
		if name != "toy-fig1" {
			t.Errorf("asked for %q", name)
		}
		return Sweep{
			Title: "what it is", Axis: "load",
			Paper: []PaperValue{{Metric: "pocd", Policy: "a", X: 1, Low: 1.1, High: 1.3, Middle: 1.2}},
		}
	}
	draw := func(rows []bench.SimRecord) page.Drawing {
		t.Helper()
		set, err := ratio.New(ratio.Input{})
		if err != nil {
			t.Fatal(err)
		}
		r := summary.New(set, rows, 1)
		if others := drawSimulations(r); len(others) != 0 {
			t.Errorf("%d drawings as if of any workload", len(others))
		}
		drawings := drawSweeps(r, know)
		if len(drawings) != 1 {
			t.Fatalf("%d drawings", len(drawings))
		}
		return drawings[0]
	}
	lines := draw(swept(0, 1))
	svg, err := lines.Plot.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the paper", ">load<", "toy-fig1: "} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("no %q is drawn", want)
		}
	}
	if strings.Count(string(svg), "the paper") != 1 || strings.Contains(string(svg), ">90<") {
		t.Error("what is not there is drawn")
	}
	if !strings.Contains(lines.Caption, "What it is. Mean over 3 seeds") || !strings.Contains(lines.Caption, "paper's values") {
		t.Error(lines.Caption)
	}
	if boxes := draw(swept(1)); !strings.Contains(boxes.Caption, "thick line") {
		t.Error(boxes.Caption)
	}
}
