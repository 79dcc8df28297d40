package page

import (
	"math/rand/v2"
	"testing"

	"schedgap/bench"
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
	if err != nil {
		t.Fatal(err)
	}
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
		if first := tables.Outcomes(p).Rows[0].Cells[0]; first != "spt (yours)" {
			t.Errorf("outcomes begin with %s", first)
		}
	}
}
