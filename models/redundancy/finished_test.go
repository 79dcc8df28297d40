package redundancy_test

import (
	"testing"

	"schedgap/models/redundancy"
)

// A job that has all its work before its last interval has the rate 0 there. That must not end the replay of the others: forged
// schedules were once worth up to 2e-4 less than the optimum, whose values have proofs.
func TestFinishedBeforeItsLastInterval(t *testing.T) {
	for _, c := range []struct {
		instance, solution string
		optimum            float64
	}{
		{
			`{"problem":"redundancy","version":1,"name":"x","machines":3,"multitasking":true,"speed":1,"speedup":[1,1.6,2.0],"jobs":[{"id":"j0","arrival":1.5,"work":2},{"id":"j1","arrival":0,"work":1e-06},{"id":"j2","arrival":0,"work":3}]}`,
			`{"problem":"redundancy","instance":"x","algorithm":"opt","speed":1,"intervals":[{"start":0.0,"end":6.249998125e-07,"alloc":{"j1":{"copies":2,"share":1},"j2":{"copies":1,"share":1}}},{"start":6.249998125e-07,"end":1.49999955,"alloc":{"j2":{"copies":3,"share":1}}},{"start":1.49999955,"end":1.4999999406248827,"alloc":{"j0":{"copies":1,"share":1},"j2":{"copies":2,"share":1}}},{"start":1.4999999406248827,"end":2.4999994453124414,"alloc":{"j0":{"copies":3,"share":1}}}]}`,
			2.5000012109375,
		},
		{
			`{"problem":"redundancy","version":1,"name":"x","machines":2,"multitasking":true,"speed":1,"speedup":[1,1.6],"jobs":[{"id":"j0","arrival":1.0015,"work":0.002},{"id":"j1","arrival":1.0,"work":0.002},{"id":"j2","arrival":1.0,"work":0.002}]}`,
			`{"problem":"redundancy","instance":"x","algorithm":"opt","speed":1,"intervals":[{"start":0,"end":1,"alloc":{}},{"start":1,"end":1.0015,"alloc":{"j1":{"copies":1,"share":1},"j2":{"copies":1,"share":1}}},{"start":1.0015,"end":1.00199999955,"alloc":{"j1":{"copies":1,"share":1},"j2":{"copies":1,"share":1}}},{"start":1.00199999955,"end":1.002,"alloc":{"j2":{"copies":1,"share":1}}},{"start":1.002,"end":1.00325,"alloc":{"j0":{"copies":2,"share":1}}}]}`,
			0.0057499999999999435,
		},
	} {
		in, err := redundancy.Problem.ParseInstance("i", []byte(c.instance))
		if err != nil {
			t.Fatal(err)
		}
		s, err := redundancy.Problem.ParseSolution("s", []byte(c.solution), in)
		if err != nil {
			t.Fatal(err)
		}
		rep := redundancy.Problem.Check(in, s.Solution)
		if rep.Feasible(nil) && *rep.Objective < c.optimum*(1-1e-9) {
			t.Errorf("%v, and the optimum is %v", *rep.Objective, c.optimum)
		}
	}
}
