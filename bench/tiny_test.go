package bench_test

import (
	"fmt"
	"testing"

	"schedgap/bench"
	"schedgap/bench/toyproblem"
	"schedgap/models/fail"
)

// TestTinyNumbers: what counts as equal is relative, however small the values of an instance are.
func TestTinyNumbers(t *testing.T) {
	for _, value := range []float64{3.4567891e-7, 3.4567891e-12, 3.4567891e6} {
		in := toyproblem.Instance(t, "tiny", value)
		res := &bench.Result{Status: bench.Timeout}
		res.Objective, res.Bound = &value, new(value/2)
		if gap := res.Gap(in); gap == nil || *gap != 0.5 {
			t.Errorf("%v beside a bound of half of it: gap %v", value, *gap)
		}
		for factor, ok := range map[float64]bool{1: true, 1 + 1e-7: true, 1 + 1e-5: false, 2: false} {
			file := fmt.Sprintf(`{"problem":"toy","instance":"tiny","algorithm":"a","objective":%v,"pick":0}`, value*factor)
			rep, err := in.Check("solution", []byte(file))
			fail.On(t, err)
			if rep.Feasible(nil) != ok {
				t.Errorf("%v claimed for %v: accepted %v", value*factor, value, !ok)
			}
		}
		want := bench.Error
		if value > 1 { // six decimals are enough
			want = bench.Optimal
		}
		if res := in.Problem.Run(t.Context(), in, bench.Request{Algorithm: "printed"}, bench.Observer{}); res.Status != want {
			t.Errorf("%v claimed with six decimals: %s", value, res.Status)
		}
	}
}
