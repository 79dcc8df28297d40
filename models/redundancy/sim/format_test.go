package sim_test

import (
	"strings"
	"testing"

	"schedgap/models/redundancy/sim"
	"schedgap/models/simulation/simtest"
)

const workloadFile = `{"job":"a","arrival":0,"work":40}
{"job":"b<1>","arrival":1.5,"work":0.000001}
`

// Files are read as they say, defaults filled in; every mistake is one sentence with file, line, path and value.
func TestReadWorkload(t *testing.T) {
	simtest.Read(t, sim.New(nil, sim.Source{}), simtest.Files{
		Written: workloadFile,
		Terse:   []string{strings.TrimSpace(workloadFile)},
		Faults: map[string]string{
			`w.jsonl:1: work: required field is missing`:         `{"job":"a","arrival":0}`,
			`w.jsonl:1: arrival: -1 must be between 0 and 1e+09`: `{"job":"a","arrival":-1,"work":1}`,
			`w.jsonl:1: work: 0 must be between 1e-06 and 1e+09`: `{"job":"a","arrival":0,"work":0}`,
			`w.jsonl:1: x: unknown field (value 2)`:              `{"job":"a","arrival":0,"work":1,"x":2}`,
			`w.jsonl:2: job: "a" is also the id of the job in line 1`: `{"job":"a","arrival":0,"work":1}` + "\n" +
				`{"job":"a","arrival":0,"work":1}`,
		},
	})
}

func FuzzReadWorkload(f *testing.F) {
	simtest.Fuzz(f, sim.New(nil, sim.Source{}), workloadFile)
}
