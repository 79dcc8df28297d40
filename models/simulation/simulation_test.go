package simulation_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/simulation"
)

type job struct {
	ID   string `json:"job" is:"id"`
	Size int    `json:"size" is:"1..9"`
}

func (j job) Key() string { return j.ID }

func read(file, text string) ([]job, error) {
	w, err := simulation.Read[job](file, strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	return w.Jobs, nil
}

// A fault of a job leads to the job's line.
func TestFaulty(t *testing.T) {
	file := "{\"cluster\":[]}\n{\"job\":\"b\"}\n{\"job\":\"a \\\"c\\\"\"}"
	for id, line := range map[string]int{"b": 2, `a "c"`: 3, "x": 0} {
		var fault *simulation.Fault
		err := fmt.Errorf("workload w: %w", simulation.Faulty(id, " needs %d of %d machines", 9, 4))
		if !errors.As(err, &fault) || simulation.LineOf([]byte(file), fault.Job) != line ||
			err.Error() != fmt.Sprintf("workload w: job %q needs 9 of 4 machines", id) {
			t.Errorf("%v in line %d", err, simulation.LineOf([]byte(file), id))
		}
	}
}

// Jobs are read as they were written; each mistake is one sentence with file, line, path and value.
func TestJobs(t *testing.T) {
	jobs, err := read("w", `{"job":"a","size":1}`+"\n"+`{"job":"b","size":2}`+"\n")
	if err != nil || len(jobs) != 2 || jobs[1] != (job{"b", 2}) {
		t.Fatalf("%v %v", jobs, err)
	}
	var out bytes.Buffer
	fail.On(t, (&simulation.Workload[job]{Jobs: jobs}).Encode(&out))
	if again, err := read("w", out.String()); err != nil || len(again) != 2 || again[0] != jobs[0] {
		t.Errorf("read again: %v %v", again, err)
	}
	for text, want := range map[string]string{
		"":                                 "w: the workload has no jobs",
		`{"job":"a","size":0}`:             "w:1: size: 0 must be between 1 and 9",
		`{"job":"a","size":1,"x":2}`:       "w:1: x: unknown field (value 2)",
		"{\"job\":\"a\",\"size\":1}\n{":    "w:2: the JSON document ends too early, at byte 1",
		strings.Repeat(" ", 1<<24+1) + "{": "w:1: the line is longer than 16777216 bytes",
		"{\"job\":\"a\",\"size\":1}\n{\"job\":\"a\",\"size\":1}": `w:2: job: "a" is also the id of the job in line 1`,
	} {
		if _, err := read("w", text); err == nil || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// Workloads that were not read from a file are held against the same limits.
func TestValidate(t *testing.T) {
	for want, jobs := range map[string][]job{
		"the workload: the workload has no jobs":                       nil,
		"the workload:1: size: 0 must be between 1 and 9":              {{"a", 0}},
		`the workload:2: job: "a" is also the id of the job in line 1`: {{"a", 1}, {"a", 2}},
	} {
		if err := (&simulation.Workload[job]{Jobs: jobs}).Validate(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
