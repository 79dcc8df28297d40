package plots

import (
	"context"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// Solutions that were kept are drawn; one that cannot be read is a warning; a unit without one is left out.
func TestCharts(t *testing.T) {
	p := bench.Adapt(bench.Definition[*flex.Instance, flex.Schedule]{Problem: flex.Problem})
	inst, err := p.ParseInstance("one.json", []byte(`{"problem":"flex","version":1,"name":"one","slots":2,
		"objective":{"metric":"response","aggregate":"sum","weighted":false},"jobs":[{"id":"a","work":4,"min":0,"max":2}]}`))
	fail.On(t, err)
	in := Source{Instance: func(string) (*bench.Instance, error) { return inst, nil }}
	var records []bench.Record
	for i, name := range []string{"drawn", "torn", "none"} { // the worst first
		r := fake.Solved(p, "one", name, 2+float64(i))
		r.UnitID = name
		records = append(records, r)
	}
	files := map[string]string{
		"drawn": `{"problem":"flex","instance":"one","algorithm":"x","intervals":[{"start":0,"end":2,"slots":{"a":2}}]}`,
		"torn":  `{"problem":"flex","inst`,
	}
	in.Solution = func(_, id string) ([]byte, error) {
		if s, ok := files[id]; ok {
			return []byte(s), nil
		}
		return nil, nil
	}
	set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: in.Instance})
	fail.On(t, err)
	r := summary.New(set, nil, 1)
	got, err := Solutions(context.Background(), r, in)
	fail.On(t, err)
	if len(got) != 1 {
		t.Fatalf("%d drawings, want 1; warnings %q", len(got), r.Warnings)
	}
	for in, svg := range got {
		if in.Name != "one" || !strings.HasPrefix(svg, "<svg ") || strings.Count(svg, "2 slots") != 1 {
			t.Errorf("%s: %s", in.Name, svg)
		}
	}
	if w := strings.Join(r.Warnings, "\n"); !strings.Contains(w, "a solution is not drawn: solution of unit torn") {
		t.Errorf("warnings %q", w)
	}
}
