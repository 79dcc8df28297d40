package sim_test

import (
	"strings"
	"testing"

	"schedgap/models/simulation/simtest"
	"schedgap/models/speculation/sim"
)

const workloadFile = `{"job":"a","arrival":0,"tasks":600,"mean":30,"cv":0.2,"input":128,"memory":1}
{"job":"b<1>","arrival":1.5,"tasks":1,"mean":0.001,"cv":0,"input":0,"memory":0}
`

// Files are read as they say, defaults filled in; every mistake is one sentence with file, line, path and value.
func TestReadWorkload(t *testing.T) {
	with := func(field, value string) string {
		return simtest.With(`{"job":"a","arrival":0,"tasks":3,"mean":1,"cv":1,"input":1,"memory":1}`, field, value)
	}
	simtest.Read(t, sim.New(nil, sim.Source{}), simtest.Files{
		Written: workloadFile,
		Terse:   []string{strings.ReplaceAll(workloadFile, `:600,`, `:600.0,`), strings.TrimSpace(workloadFile)},
		Faults: map[string]string{
			`w.jsonl:1: mean: required field is missing`:              `{"job":"a","tasks":1,"arrival":0}`,
			`w.jsonl:1: arrival: -1 must be between 0 and 1e+09`:      with("arrival", "-1"),
			`w.jsonl:1: tasks: 0 must be between 1 and 1000000`:       with("tasks", "0"),
			`w.jsonl:1: tasks: 1.5 must be an integer`:                with("tasks", "1.5"),
			`w.jsonl:1: mean: 0 must be between 0.001 and 1e+06`:      with("mean", "0"),
			`w.jsonl:1: cv: 11 must be between 0 and 10`:              with("cv", "11"),
			`w.jsonl:1: input: -2 must be between 0 and 1e+06`:        with("input", "-2"),
			`w.jsonl:1: memory: must be a number, not "x"`:            with("memory", `"x"`),
			`w.jsonl:1: alpha: unknown field (value 1)`:               with("memory", `1,"alpha":1`),
			`w.jsonl:3: job: "a" is also the id of the job in line 1`: workloadFile + with("cv", "1"),
		},
	})
}

func FuzzReadWorkload(f *testing.F) {
	simtest.Fuzz(f, sim.New(nil, sim.Source{}), workloadFile)
}
