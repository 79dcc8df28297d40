package sim_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models/redundancy/sim"
)

// A file is read as it says and written back byte for byte.
func TestReadWorkload(t *testing.T) {
	const file = `{"job":"a","arrival":0,"work":40}
{"job":"b<1>","arrival":1.5,"work":0.000001}
`
	want := &sim.Workload{Jobs: []sim.Job{{ID: "a", Work: 40}, {ID: "b<1>", Arrival: 1.5, Work: 1e-6}}}
	got, err := sim.ReadWorkload("w.jsonl", strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	var out bytes.Buffer
	if err := got.Encode(&out); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(file, out.String()); d != "" {
		t.Error(d)
	}
}

// Every mistake is one sentence with file, line, path and value.
func TestReadWorkloadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, `w.jsonl: the workload has no jobs`},
		{`{"job":"a","arrival":0}`, `w.jsonl:1: work: required field is missing`},
		{`{"job":"a","arrival":-1,"work":1}`, `w.jsonl:1: arrival: -1 must be between 0 and 1e+09`},
		{`{"job":"a","arrival":0,"work":0}`, `w.jsonl:1: work: 0 must be between 1e-06 and 1e+09`},
		{`{"job":"a","arrival":0,"work":1,"x":2}`, `w.jsonl:1: x: unknown field (value 2)`},
		{
			`{"job":"a","arrival":0,"work":1}` + "\n" + `{"job":"a","arrival":0,"work":1}`,
			`w.jsonl:2: job: "a" is also the id of the job in line 1`,
		},
	} {
		if _, err := sim.ReadWorkload("w.jsonl", strings.NewReader(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}
