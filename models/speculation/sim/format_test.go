package sim_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models/speculation/sim"
)

const workloadFile = `{"job":"a","arrival":0,"tasks":600,"mean":30,"cv":0.2,"input":128,"memory":1}
{"job":"b<1>","arrival":1.5,"tasks":1,"mean":0.001,"cv":0,"input":0,"memory":0}
`

// A file is read as it says and written back byte for byte.
func TestReadWorkload(t *testing.T) {
	want := &sim.Workload{Jobs: []sim.Job{
		{ID: "a", Tasks: 600, Mean: 30, CV: 0.2, Input: 128, Memory: 1},
		{ID: "b<1>", Arrival: 1.5, Tasks: 1, Mean: 0.001},
	}}
	for _, text := range []string{workloadFile, strings.ReplaceAll(workloadFile, `:600,`, `:600.0,`), strings.TrimSpace(workloadFile)} {
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
	with := func(field, value string) string {
		line := `{"job":"a","arrival":0,"tasks":3,"mean":1,"cv":1,"input":1,"memory":1}`
		i := strings.Index(line, `"`+field+`":`) + len(field) + 3
		return line[:i] + value + line[i+strings.IndexAny(line[i:], ",}"):]
	}
	for _, c := range []struct{ text, want string }{
		{``, `w.jsonl: the workload has no jobs`},
		{`{"job":"a","tasks":1,"arrival":0}`, `w.jsonl:1: mean: required field is missing`},
		{with("arrival", "-1"), `w.jsonl:1: arrival: -1 must be between 0 and 1e+09 seconds`},
		{with("tasks", "0"), `w.jsonl:1: tasks: 0 must be between 1 and 1000000`},
		{with("tasks", "1.5"), `w.jsonl:1: tasks: 1.5 must be an integer`},
		{with("mean", "0"), `w.jsonl:1: mean: 0 must be between 0.001 and 1e+06 seconds`},
		{with("cv", "11"), `w.jsonl:1: cv: 11 must be between 0 and 10`},
		{with("input", "-2"), `w.jsonl:1: input: -2 must be between 0 and 1e+06 MB`},
		{with("memory", `"x"`), `w.jsonl:1: memory: must be a number, not "x"`},
		{with("memory", `1,"alpha":1`), `w.jsonl:1: alpha: unknown field (value 1)`},
		{workloadFile + with("cv", "1"), `w.jsonl:3: job: "a" is also the id of the job in line 1`},
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
