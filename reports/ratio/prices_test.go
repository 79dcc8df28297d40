package ratio_test

import (
	"slices"
	"testing"

	"schedgap/bench"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// The ends of a price use bound over value and value over bound; a claim that was refuted proves nothing, nor does a bound of the
// wider class count as one of the restricted.
func TestPrices(t *testing.T) {
	p := fake.Problem()
	optimal := func(in, algorithm string, v float64) bench.Record { return fake.Optimal(p, in, algorithm, v) }
	refuted := fake.Optimal(p, "refuted", "opt-mps", 30)
	refuted.Status = string(bench.Refuted)
	set, err := ratio.New(ratio.Input{Problems: []*bench.Problem{p}, Instance: fake.Instances{}.Find, Records: ratio.Pack([]bench.Record{
		optimal("double", "opt", 10), optimal("double", "opt-mps", 20),
		optimal("free", "opt", 10), optimal("free", "opt-mps", 10*(1+1e-12)),
		optimal("open", "opt", 10), fake.Bounded(p, "open", "opt-mps", 12, fake.Ptr(15.0)),
		fake.Bounded(p, "wide", "opt", 8, fake.Ptr(12.0)), fake.Bounded(p, "wide", "opt-mps", 9, fake.Ptr(16.0)),
		optimal("lone", "opt", 10), fake.Solved(p, "lone", "flex", 11), // no method of the class was run
		optimal("refuted", "opt", 10), refuted,
	})})
	if err != nil {
		t.Fatal(err)
	}
	type price struct {
		instance string
		lo, hi   float64
		free     string
	}
	var got []price
	for row := range set.Problems[0].Prices() {
		free := "?"
		if row.Free != nil {
			free = map[bool]string{true: "yes", false: "no"}[*row.Free]
		}
		if row.Restricted != "opt-mps" || row.Reference != "opt" || row.Exact != (*row.PriceLo == *row.PriceHi) {
			t.Errorf("%s: %+v", row.Instance, row)
		}
		got = append(got, price{row.Instance, *row.PriceLo, *row.PriceHi, free})
	}
	want := []price{{"double", 2, 2, "no"}, {"free", 1 + 1e-12, 1 + 1e-12, "yes"}, {"open", 1.2, 1.5, "no"}, {"wide", 1, 2, "?"}}
	near := func(a, b price) bool {
		return a.instance == b.instance && a.free == b.free && ratio.Equal(a.lo, b.lo) && ratio.Equal(a.hi, b.hi)
	}
	if !slices.EqualFunc(got, want, near) {
		t.Errorf("prices %v, want %v", got, want)
	}
}
