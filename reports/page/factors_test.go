package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/paper"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// varied are the results of one heuristic on six instances of each level of a factor; an empty level was not recorded.
func varied(t *testing.T, pool bool, levels ...string) (*summary.Report, *ratio.Set) {
	t.Helper()
	p, instances := fake.Problem(), fake.Instances{}
	p.Generator = &bench.Source{Params: []models.Param{{Name: "family", Default: "wide"}, {Name: "load", Default: 0.5}}}
	var records []bench.Record
	for i, level := range levels {
		for k := range 6 {
			name := fmt.Sprintf("i%02d-%d", i, k)
			instances.Add(name, models.Quotient, map[string]any{"load": float64(i) + 0.01*float64(k)})
			for _, r := range []bench.Record{fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "flex", 10+float64(i))} {
				if level != "" {
					r.Factors = &level
				}
				records = append(records, r)
			}
		}
	}
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: instances.Find, Pool: pool,
	})
	fail.On(t, err)
	return summary.New(set, nil, 1), set
}

// rows are the classes and means of flex in the main table.
func rows(r *summary.Report) (out []string) {
	table := sections(r.Problems[0])[0].Tables[0]
	for _, row := range table.Rows {
		cell := func(head string) string { return row.Cells[slices.Index(table.Heads(), head)] }
		class := "all"
		if table.Head[0].Head == "family" {
			class = row.Cells[0]
		}
		if cell("algorithm") == "flex" {
			out = append(out, class+" "+cell("compared")+" "+cell("geometric mean"))
		}
	}
	return out
}

// Each level of a factor has a row, in the order of the levels; what a suite does not set has its default. Pooled there is one
// row.
func TestFactors(t *testing.T) {
	for _, c := range []struct {
		name   string
		pool   bool
		levels []string
		want   []string
	}{
		{
			"families", false,
			[]string{`{"family":"b"}`, `{"family":"a"}`, `{"family":"c"}`},
			[]string{"generate, family=a 6/6 1.1000", "generate, family=b 6/6 1.0000", "generate, family=c 6/6 1.2000"},
		},
		{"pooled", true, []string{`{"family":"b"}`, `{"family":"a"}`, `{"family":"c"}`}, []string{"all 18/18 1.0970"}},
		{"numbers", false, []string{`{"load":10}`, `{"load":9.5}`}, []string{
			"generate, load=9.5 6/6 1.1000",
			"generate, load=10 6/6 1.0000",
		}},
		{"a default", false, []string{`{}`, `{"load":0.9}`}, []string{
			"generate, load=0.5 6/6 1.0000",
			"generate, load=0.9 6/6 1.1000",
		}},
		{"nothing varies", false, []string{`{"load":0.5}`, `{"load":0.5}`}, []string{"all 12/12 1.0488"}},
		{"older rows", false, []string{"", ""}, []string{"all 12/12 1.0488"}},
		{"some older rows", false, []string{"", `{"load":0.9}`, `{"load":0.5}`}, []string{
			"generate, load not recorded 6/6 1.0000", "generate, load=0.5 6/6 1.2000", "generate, load=0.9 6/6 1.1000",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, _ := varied(t, c.pool, c.levels...)
			if got := rows(r); !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
			if files, err := paper.Tables(r); err != nil || (files["flex-opt.tex"] == nil) == (files["flex-opt-by-family.tex"] == nil) {
				t.Errorf("the main table in LaTeX is neither flex-opt.tex nor flex-opt-by-family.tex")
			}
		})
	}
}

// More levels than a table can tell apart are one row, and one sentence says so.
func TestManyLevels(t *testing.T) {
	var levels []string
	for i := range 13 {
		levels = append(levels, fmt.Sprintf(`{"load":%d}`, i))
	}
	r, _ := varied(t, false, levels...)
	if got := rows(r); len(got) != 1 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "13 values of load") {
		t.Errorf("%q, warnings %q", got, r.Warnings)
	}
}

// Three levels of load are three points, whatever was measured as the load of each instance; pooled, the measure counts.
func TestFactorAxis(t *testing.T) {
	for pool, want := range map[bool]int{false: 3, true: 18} {
		_, set := varied(t, pool, `{"load":0.5}`, `{"load":0.7}`, `{"load":0.9}`)
		points := map[any]bool{}
		for _, in := range set.Problems[0].Instances {
			points[in.Axes["load"]] = true
		}
		if len(points) != want {
			t.Errorf("pool %v: %d values, want %d", pool, len(points), want)
		}
	}
}
