package catalog

import (
	"fmt"
	"testing"

	"schedgap/bench"
	"schedgap/exact/oracle"
)

// TestBoundStaysWhereItWasProven: where the times of a file round the value up, as of jobs that arrive at dates, the bound of the
// optimum is not moved there, since no proof reaches so far. Where they do not, bound and value are one number.
func TestBoundStaysWhereItWasProven(t *testing.T) {
	r := registry(t)
	for _, c := range []struct {
		begin float64 // arrivals are from here on
		works [2]float64
		apart bool
	}{{0, [2]float64{1, 0.001}, false}, {1.7e9, [2]float64{1, 0.001}, true}, {1.7e9, [2]float64{0.001, 0.0001}, true}} {
		in, err := r.ParseInstance("dates", fmt.Appendf(nil, `{"problem":"redundancy","version":1,"name":"dates","machines":2,"multitasking":false,`+
			`"speed":1,"speedup":[1,1.7],"jobs":[{"id":"a","arrival":%v,"work":%v},{"id":"b","arrival":%v,"work":%v}]}`,
			c.begin+0.06, c.works[0], c.begin+2.306, c.works[1]))
		if err != nil {
			t.Fatal(err)
		}
		optima, err := oracle.Optima("redundancy", in.JSON)
		if err != nil {
			t.Fatal(err)
		}
		for _, start := range []string{"best", "none"} {
			res := in.Problem.Run(t.Context(), in, bench.Request{Algorithm: "opt", Threads: 1, Params: map[string]any{"start": start}}, bench.Observer{})
			if res.Status != bench.Optimal || res.Bound == nil {
				t.Errorf("%+v from %s: %s, bound %v: %s", c, start, res.Status, show(res.Bound), res.Raw)
				continue
			}
			if apart := *res.Bound < *res.Objective; apart != c.apart || *res.Bound > optima["opt"].Hi*(1+1e-15) {
				t.Errorf("%+v from %s: value %v, bound %v, the optimum is %v", c, start, *res.Objective, *res.Bound, optima["opt"])
			}
		}
	}
}
