package simulate_test

import (
	"bytes"
	"strings"
	"testing"

	"schedgap/models/simulate"
	"schedgap/models/strict"
)

type job struct {
	ID   string `json:"job"`
	Size int    `json:"size"`
}

func read(file, text string) ([]job, error) {
	return simulate.ReadJobs(file, strings.NewReader(text), func(o *strict.Object) (j job, err error) {
		if j.ID, err = o.ID("job"); err != nil {
			return j, err
		}
		if j.Size, err = o.Int("size"); err != nil {
			return j, err
		}
		return j, o.Done()
	}, func(j *job) *simulate.FieldError {
		if j.Size < 1 {
			return &simulate.FieldError{Path: "size", Reason: "0 must be at least 1"}
		}
		return nil
	}, func(j *job) string { return j.ID })
}

// Jobs are read as they were written; each mistake is one sentence with file, line, path and value.
func TestJobs(t *testing.T) {
	jobs, err := read("w", `{"job":"a","size":1}`+"\n"+`{"job":"b","size":2}`+"\n")
	if err != nil || len(jobs) != 2 || jobs[1] != (job{"b", 2}) {
		t.Fatalf("%v %v", jobs, err)
	}
	var out bytes.Buffer
	if err := simulate.EncodeJobs(&out, jobs); err != nil {
		t.Fatal(err)
	}
	if again, err := read("w", out.String()); err != nil || len(again) != 2 || again[0] != jobs[0] {
		t.Errorf("read again: %v %v", again, err)
	}
	for text, want := range map[string]string{
		"":                                 "w: the workload has no jobs",
		`{"job":"a","size":0}`:             "w:1: size: 0 must be at least 1",
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
