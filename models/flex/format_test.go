package flex_test

import (
	"math"
	"testing"

	"schedgap/models/flex"
	"schedgap/models/problemtest"
)

const example = `{"problem":"flex","version":1,"name":"e","slots":4,"objective":{"metric":"sla","aggregate":"sum","weighted":true},
 "jobs":[{"id":"a","work":6,"min":1,"max":3,"weight":2,"deadline":-1,"steps":[{"at":1,"penalty":1},{"at":3,"penalty":4}]},
  {"id":"b","work":4,"steps":[{"at":2,"penalty":0.5}]}]}`

// The shared instances and the example are what they are written as; files that differ are refused or written the same way.
func FuzzInstance(f *testing.F) {
	problemtest.Fuzz(f, flex.Problem, func(t *testing.T, in *flex.Instance) {
		if in.TotalMin() > in.Slots || len(in.Jobs) == 0 {
			t.Fatalf("accepted: %+v", in)
		}
	}, example)
}

// Whatever a solution file says, the checker gives an answer, and what it accepts survives being written and read.
func FuzzSolution(f *testing.F) {
	in, err := flex.Problem.ParseInstance("e", []byte(example))
	if err != nil {
		f.Fatal(err)
	}
	head := `{"problem":"flex","instance":"e","algorithm":"x",`
	f.Add([]byte(head + `"objective":8.5,"intervals":[{"start":0,"end":2,"slots":{"a":2,"b":2}},{"start":2,"end":3,"slots":{"a":2}}]}`))
	f.Add([]byte(head + `"intervals":[{"start":0,"end":-1e300,"slots":{"a":-5}},{"start":5,"end":1e300,"slots":{}}]}`))
	f.Add([]byte(head + `"intervals":[]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		sf, err := flex.Problem.ParseSolution("f", data, in)
		if err != nil {
			return
		}
		r := flex.Problem.CheckClaim(in, sf.Solution, sf.Claimed)
		if !r.Feasible(nil) {
			return
		}
		if r.Objective == nil || math.IsNaN(*r.Objective) {
			t.Fatalf("feasible without an objective: %s", data)
		}
		out, err := flex.Problem.MarshalSolution(in, "x", r.Objective, sf.Solution)
		if err != nil {
			t.Fatal(err)
		}
		again, err := flex.Problem.ParseSolution("f", out, in)
		if err != nil {
			t.Fatal(err)
		}
		if r2 := flex.Problem.CheckClaim(in, again.Solution, again.Claimed); !r2.Feasible(nil) || *r2.Objective != *r.Objective {
			t.Fatalf("%v after writing: %s", r2, out)
		}
	})
}
