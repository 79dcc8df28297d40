package page

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
	"schedgap/reports/tables"
)

// TestMine: a report on one command begins its tables with it, over all instances and then by family; a pooled one has no families.
func TestMine(t *testing.T) {
	records, instances := fake.Experiment(40, rand.New(rand.NewPCG(1, 2)))
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()}, Instance: instances.Find,
	})
	fail.On(t, err)
	r := summary.New(set, nil, 1)
	for _, pooled := range []bool{false, true} {
		r.Mine("spt", pooled)
		p := r.Problems[0]
		families := 0
		for _, s := range sections(p) {
			if s.Tables[0].By != "all" || s.Tables[0].Rows[0].Cells[0] != "spt (yours)" {
				t.Errorf("the first row is %q", s.Tables[0].Rows[0].Cells)
			}
			for _, table := range s.Tables[1:] {
				families++
				if table.Rows[0].Cells[1] != "spt (yours)" {
					t.Errorf("the first row of a family is %q", table.Rows[0].Cells)
				}
			}
		}
		if (families == 0) != pooled {
			t.Errorf("pooled %v: %d tables of families", pooled, families)
		}
		for _, table := range tables.All(p) {
			for _, row := range table.Rows {
				if slices.Contains(row.Cells, "spt") {
					t.Errorf("%s calls it by its name alone: %q", table.Title, row.Cells)
				}
			}
		}
		var html strings.Builder
		if err := HTML(&html, r, Options{}); err != nil || strings.Contains(html.String(), ">spt<") || strings.Contains(html.String(), ">spt:") {
			t.Errorf("the page calls it by its name alone, or %v", err)
		}
		if first := tables.Outcomes(p).Rows[0].Cells[0]; first != "spt (yours)" {
			t.Errorf("outcomes begin with %s", first)
		}
	}
}
