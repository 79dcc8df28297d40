package sim_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models/flex/sim"
)

const workloadFile = `{"job":"a","arrival":0,"map":{"tasks":120,"mean":20,"cv":0.2},"reduce":{"tasks":10,"mean":60,"cv":0}}
{"job":"b<1>","arrival":1.5,"map":{"tasks":1,"mean":0.1,"cv":0}}
`

// A file is read as it says, defaults filled in, and written back byte for byte when they were written out.
func TestReadWorkload(t *testing.T) {
	want := &sim.Workload{Jobs: []sim.Job{
		{ID: "a", Map: sim.Phase{Tasks: 120, Mean: 20, CV: 0.2}, Reduce: ptr(tasks(10, 60))},
		{ID: "b<1>", Arrival: 1.5, Map: tasks(1, 0.1)},
	}}
	terse := strings.ReplaceAll(strings.ReplaceAll(workloadFile, `,"cv":0}`, "}"), "120", "120.0")
	for _, text := range []string{workloadFile, terse, strings.TrimSpace(terse)} {
		got, err := sim.ReadWorkload("w.jsonl", strings.NewReader(text))
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
		if d := cmp.Diff(workloadFile, out.String()); d != "" {
			t.Error(d)
		}
	}
}

// Every mistake is one sentence with file, line, path and value.
func TestReadWorkloadErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, `w.jsonl: the workload has no jobs`},
		{"\n", `w.jsonl:1: the JSON document ends too early, at byte 0`},
		{`[]`, `w.jsonl:1: must be a JSON object, not an array`},
		{`{"job":"a","arrival":0}`, `w.jsonl:1: map: required field is missing`},
		{`{"job":"a","arrival":0,"map":7}`, `w.jsonl:1: map: must be a JSON object, not 7`},
		{
			`{"job":"a b","arrival":0,"map":{"tasks":1,"mean":1}}`,
			`w.jsonl:1: job: "a b" is not an identifier: it must be non-empty and free of commas, colons and white space`,
		},
		{`{"job":"a","arrival":-1,"map":{"tasks":1,"mean":1}}`, `w.jsonl:1: arrival: -1 must be between 0 and 1e+09 seconds`},
		{`{"job":"a","arrival":0,"map":{"tasks":0,"mean":1}}`, `w.jsonl:1: map.tasks: 0 must be between 1 and 10000000`},
		{`{"job":"a","arrival":0,"map":{"tasks":1.5,"mean":1}}`, `w.jsonl:1: map.tasks: 1.5 must be an integer`},
		{`{"job":"a","arrival":0,"map":{"tasks":1,"mean":0}}`, `w.jsonl:1: map.mean: 0 must be between 1e-06 and 1e+09 seconds`},
		{`{"job":"a","arrival":0,"map":{"tasks":1,"mean":1,"sd":1}}`, `w.jsonl:1: map.sd: unknown field (value 1)`},
		{`{"job":"a","arrival":0,"map":{"tasks":1,"mean":1},"reduce":{"tasks":1,"mean":1,"cv":-1}}`, `w.jsonl:1: reduce.cv: -1 must be between 0 and 100`},
		{`{"job":"a","arrival":0,"map":{"tasks":1,"mean":1},"reduce":null}`, `w.jsonl:1: reduce: must be a JSON object, not null`},
		{workloadFile + `{"job":"a","arrival":0,"map":{"tasks":1,"mean":1}}`, `w.jsonl:3: job: "a" is also the id of the job in line 1`},
		{workloadFile + `{"job":"` + strings.Repeat("x", 1<<24) + `"`, `w.jsonl:3: the line is longer than 16777216 bytes`},
	} {
		_, err := sim.ReadWorkload("w.jsonl", strings.NewReader(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%.80s\n got %v\nwant %s", c.text, err, c.want)
		}
	}
}

// Whatever can be read can be written and read again; nothing panics.
func FuzzReadWorkload(f *testing.F) {
	f.Add(workloadFile)
	f.Add(`{"job":"é","arrival":1e9,"map":{"tasks":1e7,"mean":1e-6,"cv":100}}`)
	f.Fuzz(func(t *testing.T, text string) {
		w, err := sim.ReadWorkload("w.jsonl", strings.NewReader(text))
		if err != nil {
			return
		}
		if err := w.Validate(); err != nil {
			t.Fatalf("read but not valid: %v", err)
		}
		var out bytes.Buffer
		if err := w.Encode(&out); err != nil {
			t.Fatal(err)
		}
		again, err := sim.ReadWorkload("w.jsonl", &out)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(w, again); d != "" {
			t.Error(d)
		}
	})
}
