package page

import (
	"math"
	"slices"
	"strings"
	"testing"

	"schedgap/reports/summary"
)

// Numbers keep the digits that matter, and a missing one is a dash, never a zero.
func TestNumbers(t *testing.T) {
	nan := summary.Number(math.NaN())
	for _, tc := range []struct{ got, want string }{
		{num(1), "1.0000"},
		{num(1.00061), "1.0006"},
		{num(23.456), "23.46"},
		{num(1234.56), "1234.6"},
		{num(1e6), "1.00e+06"},
		{num(2e-5), "2.00e-05"},
		{num(0), "0"},
		{num(nan), dash},
		{interval(1.5, 1.50001), "1.5000"},
		{interval(1.25, 1.5), "1.2500 … 1.5000"},
		{interval(1.25, nan), "1.2500 … " + dash},
		{confidence(summary.Span{CILo: 1, CIHi: nan}), dash},
		{confidence(summary.Span{CILo: 1, CIHi: 2}), "[1.0000, 2.0000]"},
		{num(summary.Number(math.Inf(1))), "∞"},
		{share(2, 30), "2/30 (7 %)"}, // as paper has it
		{secs(0), "0 s"},
		{secs(2.5e-5), "25 µs"},
		{secs(0.0123), "12.3 ms"},
		{secs(59.96), "60 s"},
		{secs(3600), "3600 s"},
		{secs(nan), dash},
		{p(0.0004), "< 0.001"},
		{p(0.0312), "0.031"},
		{p(nan), dash},
		{share(3, 4), "3/4 (75 %)"},
		{share(999, 1000), "999/1000 (99.90 %)"}, // not all
		{share(1, 1000), "1/1000 (0.10 %)"},      // not none
		{share(0, 0), dash},
	} {
		if tc.got != tc.want {
			t.Errorf("got %q, want %q", tc.got, tc.want)
		}
	}
}

// An algorithm that is compared on no instance does not keep the others from being compared, and the table says so.
func TestNeverCompared(t *testing.T) {
	row := func(label string, compared int) summary.Ratios {
		r := summary.Ratios{Variant: summary.Variant{Label: label, Kind: "heuristic"}, Reference: "opt", Instances: 9, Compared: compared, CommonSize: 8}
		r.Common.Lo, r.Common.Hi = summary.Number(math.NaN()), summary.Number(math.NaN())
		return r
	}
	a := row("a", 9)
	a.Common.Lo, a.Common.Hi = 1.5, 1.5
	got := Ratios(&summary.Problem{Name: "p", Ratios: []summary.Ratios{a, row("none", 0)}}, "opt", false, false)
	note, column := got.Notes[len(got.Notes)-1], slices.Index(got.Head, "common mean")
	if !strings.HasSuffix(note, `count for all heuristics, except those for which none does, "none".`) {
		t.Error(note)
	}
	if one, other := got.Rows[0].Cells[column], got.Rows[1].Cells[column]; one != "1.5000 (n\u00a0=\u00a08)" || other != dash {
		t.Errorf("common means %q and %q", one, other)
	}
}
