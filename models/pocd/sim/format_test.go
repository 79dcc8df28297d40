package sim_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models/pocd/sim"
)

const workloadFile = `{"job":"a","arrival":0,"deadline":400,"tasks":10,"t_min":120,"beta":1.5}
{"job":"b<1>","arrival":1.5,"deadline":0.25,"tasks":1,"t_min":0.001,"beta":2}
`

// A file is read as it says and written back byte for byte.
func TestReadWorkload(t *testing.T) {
	want := &sim.Workload{Jobs: []sim.Job{
		{ID: "a", Deadline: 400, Tasks: 10, TMin: 120, Beta: 1.5},
		{ID: "b<1>", Arrival: 1.5, Deadline: 0.25, Tasks: 1, TMin: 0.001, Beta: 2},
	}}
	for _, text := range []string{workloadFile, strings.ReplaceAll(workloadFile, `:10,`, `:10.0,`), strings.TrimSpace(workloadFile)} {
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
		line := `{"job":"a","arrival":0,"deadline":9,"tasks":3,"t_min":1,"beta":1}`
		i := strings.Index(line, `"`+field+`":`) + len(field) + 3
		return line[:i] + value + line[i+strings.IndexAny(line[i:], ",}"):]
	}
	for _, c := range []struct{ text, want string }{
		{``, `w.jsonl: the workload has no jobs`},
		{"\n", `w.jsonl:1: the JSON document ends too early, at byte 0`},
		{`[]`, `w.jsonl:1: must be a JSON object, not an array`},
		{`{"job":"a","tasks":1,"arrival":0}`, `w.jsonl:1: deadline: required field is missing`},
		{
			with("job", `"a b"`),
			`w.jsonl:1: job: "a b" is not an identifier: it must be non-empty and free of commas, colons and white space`,
		},
		{with("arrival", "-1"), `w.jsonl:1: arrival: -1 must be between 0 and 1e+09 seconds`},
		{with("deadline", "0"), `w.jsonl:1: deadline: 0 must be between 0.001 and 1e+09 seconds`},
		{with("tasks", "0"), `w.jsonl:1: tasks: 0 must be between 1 and 1000000`},
		{with("tasks", "1.5"), `w.jsonl:1: tasks: 1.5 must be an integer`},
		{with("t_min", "2e9"), `w.jsonl:1: t_min: 2e+09 must be between 0.001 and 1e+09 seconds`},
		{with("beta", "0"), `w.jsonl:1: beta: 0 must be between 0.1 and 1e+06`},
		{with("beta", `1,"alpha":1`), `w.jsonl:1: alpha: unknown field (value 1)`},
		{workloadFile + with("beta", "1"), `w.jsonl:3: job: "a" is also the id of the job in line 1`},
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
	f.Add(`{"job":"é","arrival":1e9,"deadline":1e-3,"tasks":1e6,"t_min":1e9,"beta":1e6}`)
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
