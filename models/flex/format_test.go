package flex_test

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"schedgap/models"
	"schedgap/models/fail"
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
	fail.On(f, err)
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
		fail.On(t, err)
		again, err := flex.Problem.ParseSolution("f", out, in)
		fail.On(t, err)
		if r2 := flex.Problem.CheckClaim(in, again.Solution, again.Claimed); !r2.Feasible(nil) || *r2.Objective != *r.Objective {
			t.Fatalf("%v after writing: %s", r2, out)
		}
	})
}

// Solutions of many jobs are written as changes, one for each time at which something changes, and come back to the last bit; as
// intervals, with which small ones are written, they say the same.
func TestChanges(t *testing.T) {
	for _, n := range []int{999, 1000} {
		in := &flex.Instance{Header: models.Header{Name: "many"}, Slots: 10 * n}
		var rec flex.Recorder
		for j := range n {
			in.Jobs = append(in.Jobs, flex.Job{ID: fmt.Sprintf("j%d", j*7919%n), Work: 3 * float64(j+1), Max: 3, Weight: 1})
			rec.Set(j, 3)
		}
		for j := range n {
			rec.Advance(float64(j + 1))
			rec.Set(j, 0)
		}
		s := rec.Schedule()
		text, err := flex.Problem.MarshalSolution(in, "mine", nil, s)
		fail.On(t, err)
		if changes := bytes.Contains(text, []byte(`"changes":[{"time":0,"set":{`)); changes != (n == 1000) || changes && len(text) > 100*n {
			t.Errorf("%d jobs: %d bytes, %.200s", n, len(text), text)
		}
		if text, err := flex.Problem.MarshalSolution(in, "mine", nil, nil); err != nil {
			t.Error(err)
		} else if none, err := flex.Problem.ParseSolution("s.json", text, in); err != nil || len(none.Solution) > 0 {
			t.Errorf("no intervals: %v, %v", none, err)
		}
		read, err := flex.Problem.ParseSolution("s.json", text, in)
		fail.On(t, err)
		byJob := cmpopts.SortSlices(func(a, b flex.Share) bool { return a.Job < b.Job })
		if diff := cmp.Diff(s, read.Solution, byJob, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%d jobs (-written +read)\n%.2000s", n, diff)
		}
		if r := flex.Problem.Check(in, read.Solution); len(r.Violations) > 0 {
			t.Errorf("%d jobs: %v", n, r.Violations)
		}
	}
}

// Changes are what intervals say: nothing is held before the first, and after the last.
func TestReadChanges(t *testing.T) {
	in := &flex.Instance{Header: models.Header{Name: "two"}, Slots: 2, Jobs: []flex.Job{{ID: "a", Work: 1, Max: 2}, {ID: "b", Work: 2, Max: 2}}}
	const head = `{"problem":"flex","instance":"two","algorithm":"mine",`
	for text, want := range map[string]string{
		`"changes":[{"time":0,"set":{"a":1,"b":1}},{"time":1,"set":{"a":0}},{"time":2,"set":{"b":0}}]`:                             "",
		`"changes":[{"time":0,"set":{"a":1,"b":1}},{"time":1,"set":{"a":0,"b":1}},{"time":1.5,"set":{}},{"time":2,"set":{"b":0}}]`: "",
		`"changes":[{"time":1,"set":{"a":1,"b":1}},{"time":2,"set":{"a":0}},{"time":3,"set":{"b":0}}]`:                             "",
		`"changes":[{"time":0,"set":{"a":1,"b":1}},{"time":1,"set":{"a":0}}]`:                                                      `s.json: changes[1]: job "b" still holds 1 slots after this last change; it must end with none`,
		`"changes":[{"time":0,"set":{"c":1}}]`:                                                                                     `s.json: changes[0].set.c: "c" is not the id of a job`,
		`"changes":[{"time":0,"set":{"a":1},"slots":{}}]`:                                                                          "s.json: changes[0].slots: unknown field (value an object)",
		`"changes":[],"intervals":[]`:                                                                                              "s.json: changes: must not stand beside intervals",
		`"objective":1`:                                                                                                            "s.json: intervals: required field is missing, or changes instead of it",
		`"changes":[{"time":0,"set":{"a":1,"b":1}},{"time":2,"set":{"a":0}},{"time":1,"set":{"b":0}}]`:                             "contiguity at intervals[1].end",
		`"changes":[{"time":-1,"set":{"a":1,"b":1}},{"time":0,"set":{"a":0}},{"time":1,"set":{"b":0}}]`:                            "contiguity at intervals[0].start",
		`"changes":[{"time":0,"set":{"b":1}},{"time":1,"set":{"a":1}},{"time":2,"set":{"b":0}},{"time":2.5,"set":{"a":0}}]`:        "work at jobs[a]",
	} {
		sf, err := flex.Problem.ParseSolution("s.json", []byte(head+text+"}"), in)
		got := ""
		if err != nil {
			got = err.Error()
		} else if r := flex.Problem.Check(in, sf.Solution); len(r.Violations) > 0 {
			got = r.Violations[0].Constraint + " at " + r.Violations[0].Where
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	// No number keeps no limit.
	nan := flex.Schedule{{End: 1, Changes: []flex.Share{{Job: 0, Slots: 1}, {Job: 1, Slots: math.NaN()}}}, {Start: 1, End: 2, Changes: []flex.Share{{Job: 0}}}}
	if r := flex.Problem.Check(in, nan); len(r.Violations) == 0 {
		t.Error("slots that are no number are accepted")
	}
}
