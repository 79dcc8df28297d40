package catalog

import (
	"math"
	"slices"
	"testing"

	"schedgap/bench"
)

// Arrivals may be dates so late that completion times are only known to 1e-4: all ways to the optimum then give the same
// schedule's worth, and none is taken for a false proof. Without rounding it is 71/12.
func TestDates(t *testing.T) {
	r := registry(t)
	in, err := r.ParseInstance("dates", []byte(`{"problem":"redundancy","version":1,"name":"dates","machines":2,"multitasking":false,
 "speed":1,"speedup":[1,1.5],"jobs":[{"id":"a","arrival":1000000000000,"work":3},{"id":"b","arrival":1000000000001,"work":2},
 {"id":"c","arrival":1000000000001.5,"work":1}]}`))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(in.Problem.Algorithms, func(a bench.Algorithm) bool { return a.Name == "opt" })
	for _, q := range ways(t, r, &in.Problem.Algorithms[i], in) {
		res := solve(in.Problem, in, q)
		if res.Status != bench.Optimal || math.Abs(*res.Objective-71./12) > 1e-3 {
			t.Errorf("%s: %s %v %s", label(q), res.Status, res.Objective, res.Error)
		}
	}
}
