package page

import (
	"math"
	"slices"
	"strings"
	"testing"

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
	note, column := got.Notes[len(got.Notes)-1], slices.Index(got.Head, "common mean")
	if !strings.HasSuffix(note, `count for all heuristics, except those for which none does, "none".`) {
		t.Error(note)
	}
	if one, other := got.Rows[0].Cells[column], got.Rows[1].Cells[column]; one != "1.5000 (n\u00a0=\u00a08)" || other != words.None {
		t.Errorf("common means %q and %q", one, other)
	}
}
