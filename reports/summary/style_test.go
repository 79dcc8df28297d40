package summary_test

import (
	"fmt"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// However many algorithms there are, no two look alike: a command has an accent that nobody else has as long as there are
// colours, and a family of algorithms has one colour.
func TestStylesDiffer(t *testing.T) {
	p := fake.Problem()
	p.Algorithms = []bench.Algorithm{{Name: "opt", Kind: models.Exact}, {Name: "opt-mps", Kind: models.Exact}}
	for i := range 22 {
		p.Algorithms = append(p.Algorithms, bench.Algorithm{Name: fmt.Sprintf("algorithm %c", 'a'+i), Kind: models.Heuristic})
	}
	for _, name := range []string{"sweep0", "sweep1", "sweep-careful"} {
		p.Algorithms = append(p.Algorithms, bench.Algorithm{Name: name, Kind: models.Heuristic})
	}
	for _, n := range []int{5, 12, len(p.Algorithms)} {
		var records []bench.Record
		for i := range 8 {
			r := fake.Solved(p, "i", fmt.Sprintf("my command %d", i), 5)
			r.Kind = string(models.External)
			records = append(records, r)
		}
		for _, a := range append(p.Algorithms[:n:n], p.Algorithms[len(p.Algorithms)-3:]...) {
			records = append(records, fake.Solved(p, "i", a.Name, 5))
		}
		for i := range records {
			records[i].UnitID = fmt.Sprint(i, records[i].Algorithm)
		}
		set, err := ratio.New(ratio.Input{Records: ratio.Pack(records), Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find})
		fail.On(t, err)
		of, list := summary.FindVariants(set.Problems[0])
		style, colour := map[int]string{}, map[string]int{}
		for v, i := range summary.Styles(set.Problems[0], of, list) {
			if style[i] != "" {
				t.Errorf("of %d, %s looks like %s", n, v.Label, style[i])
			}
			style[i] = v.Label
			colour[v.Label] = i % summary.Colours
		}
		if colour["sweep0"] != colour["sweep1"] || colour["sweep0"] != colour["sweep-careful"] {
			t.Errorf("of %d, a family has several colours: %v", n, colour)
		}
		if c := colour["my command 0"]; c != 6 {
			t.Errorf("of %d, the first command has the colour %d", n, c)
		}
	}
}
