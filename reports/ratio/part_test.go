package ratio

import (
	"slices"
	"testing"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
)

// A part keeps the optima of the whole set, numbers its instances again, and names patterns that match nothing.
func TestPart(t *testing.T) {
	p, instances := fake.Problem(), fake.Instances{}
	var records []bench.Record
	for i, name := range []string{"a", "b,c", "d"} {
		instances.Add(name, models.Quotient, map[string]any{"metric": []string{"response", "tardiness"}[i%2]})
		for _, r := range []bench.Record{fake.Optimal(p, name, "opt", 10), fake.Solved(p, name, "fair", 15), fake.Solved(p, name, "flex", 12)} {
			r.Suite = []string{"one", "two"}[i/2]
			records = append(records, r)
		}
	}
	sim := []bench.SimRecord{{Policy: "fair", Workload: "a"}, {Policy: "flex", Workload: "a"}}
	for _, c := range []struct {
		part        Part
		want        []string
		simulations int
		err         string
	}{
		{Part{Algorithms: "fa*"}, []string{"a/fair", "b,c/fair", "d/fair"}, 1, ""},
		{Part{Algorithms: "fair,flex", Instances: `b\,c`}, []string{"b,c/fair", "b,c/flex"}, 0, ""},
		{Part{Algorithms: "flex", Families: `tardiness\, generate`}, []string{"b,c/flex"}, 0, ""},
		{Part{Algorithms: "flex", Families: "two"}, []string{"d/flex"}, 0, ""},
		{Part{Algorithms: "flex,none"}, nil, 0, `no algorithm of the results matches "none"`},
		{Part{Instances: "[x"}, nil, 0, `instance pattern "[x": syntax error in pattern`},
	} {
		set, err := New(Input{Records: Pack(records), Problems: []*bench.Problem{p}, Instance: instances.Find})
		fail.On(t, err)
		kept, err := c.part.Keep(set, sim)
		if err != nil || c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%+v: %v, want %s", c.part, err, c.err)
			}
			continue
		}
		var got []string
		for i, in := range set.Problems[0].Instances {
			if in.Index != i {
				t.Errorf("%+v: instance %d has number %d", c.part, i, in.Index)
			}
			for _, u := range in.Units {
				got = append(got, u.UnitID)
				if d := set.Problems[0].Distance(u, "opt"); d.RatioHi != *u.Value/10 {
					t.Errorf("%+v: %s has the ratio %v", c.part, u.UnitID, d.RatioHi)
				}
			}
		}
		if !slices.Equal(got, c.want) || len(set.Problems[0].Units) != len(got) || len(kept) != c.simulations {
			t.Errorf("%+v: %q and %d simulations, want %q and %d", c.part, got, len(kept), c.want, c.simulations)
		}
	}
}
