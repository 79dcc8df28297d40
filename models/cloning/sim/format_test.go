package sim_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models/cloning/sim"
)

// A workload is read as it was written, defaults filled in; written and read again it is the same.
func TestWorkloadRoundTrip(t *testing.T) {
	const text = `{"cluster":[{"servers":2,"cpu":24,"mem":48}]}
{"job":"a","arrival":3.5,"phases":[{"tasks":10,"cpu":1,"mem":2,"mean":60,"sd":20},{"parents":[0],"tasks":2,"cpu":1,"mem":4,"mean":30,"durations":[20,40]}]}
{"job":"b","weight":2,"phases":[{"tasks":1,"cpu":0,"mem":1,"mean":9}]}
`
	want := sim.NewWorkload([]sim.Servers{{Count: 2, CPU: 24, Mem: 48}},
		sim.Job{ID: "a", Arrival: 3.5, Weight: 1, Phases: []sim.Phase{
			{Tasks: 10, CPU: 1, Mem: 2, Mean: 60, SD: 20},
			{Parents: []int{0}, Tasks: 2, CPU: 1, Mem: 4, Mean: 30, Durations: []float64{20, 40}},
		}},
		sim.Job{ID: "b", Weight: 2, Phases: []sim.Phase{{Tasks: 1, Mem: 1, Mean: 9}}})
	w, err := sim.ReadWorkload("w", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, w); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var out bytes.Buffer
	if err := w.Encode(&out); err != nil {
		t.Fatal(err)
	}
	again, err := sim.ReadWorkload("w", &out)
	if diff := cmp.Diff(want, again); err != nil || diff != "" {
		t.Errorf("read again: %v (-want +got)\n%s", err, diff)
	}
}

// Every mistake is one sentence with file, line, path and value.
func TestWorkloadErrors(t *testing.T) {
	job := func(phases string) string { return `{"job":"a","phases":[` + phases + `]}` }
	const phase = `{"tasks":1,"cpu":1,"mem":1,"mean":5}`
	for text, want := range map[string]string{
		`{"cluster":[{"servers":1,"cpu":1,"mem":1}]}`: "w: the workload has no jobs",
		`{"cluster":[]}`: "w:1: cluster: the list of servers must not be empty",
		`{"cluster":[{"servers":0,"cpu":1,"mem":1}]}`:                     "w:1: cluster[0].servers: 0 must be between 1 and 1000000",
		`{"cluster":[{"servers":1,"cpu":0,"mem":1}]}`:                     "w:1: cluster[0].cpu: 0 must be greater than 0",
		job(phase) + "\n" + `{"cluster":[{"servers":1,"cpu":1,"mem":1}]}`: "w:2: cluster: the cluster",
		job(""): "w:1: phases: 0 phases must be between 1 and 10000",
		job(`{"tasks":0,"cpu":1,"mem":1,"mean":5}`):                       "w:1: phases[0].tasks: 0 must be between 1 and 10000000",
		job(`{"tasks":1,"cpu":-1,"mem":1,"mean":5}`):                      "w:1: phases[0].cpu: -1 must be between 0",
		job(`{"tasks":1,"cpu":1,"mem":1,"mean":0}`):                       "w:1: phases[0].mean: 0 must be between 1e-06 and 1e+09 seconds",
		job(`{"parents":[0],"tasks":1,"cpu":1,"mem":1,"mean":5}`):         "w:1: phases[0].parents[0]: 0 must be one of the phases before phase 0",
		job(`{"tasks":1,"cpu":1,"mem":1,"mean":5,"durations":[3,0]}`):     "w:1: phases[0].durations[1]: 0 must be between",
		job(phase) + "\n" + job(phase):                                    `w:2: job: "a" is also the id of the job in line 1`,
		strings.Replace(job(phase), `"phases"`, `"weight":0,"phases"`, 1): "w:1: weight: 0 must be greater than 0",
		strings.Replace(job(phase), `"mean":5`, `"mean":5,"load":1`, 1):   "w:1: phases[0].load: unknown field (value 1)",
	} {
		if _, err := sim.ReadWorkload("w", strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
