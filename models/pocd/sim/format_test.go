package sim_test

import (
	"strings"
	"testing"

	"schedgap/models/pocd/sim"
	"schedgap/models/simulation/simtest"
)

const workloadFile = `{"job":"a","arrival":0,"deadline":400,"tasks":10,"t_min":120,"beta":1.5}
{"job":"b<1>","arrival":1.5,"deadline":0.25,"tasks":1,"t_min":0.001,"beta":2}
`

// Files are read as they say, defaults filled in; every mistake is one sentence with file, line, path and value.
func TestReadWorkload(t *testing.T) {
	with := func(field, value string) string {
		return simtest.With(`{"job":"a","arrival":0,"deadline":9,"tasks":3,"t_min":1,"beta":1}`, field, value)
	}
	simtest.Read(t, sim.New(nil, sim.Source{}), simtest.Files{
		Written: workloadFile,
		Terse:   []string{strings.ReplaceAll(workloadFile, `:10,`, `:10.0,`), strings.TrimSpace(workloadFile)},
		Faults: map[string]string{
			`w.jsonl:1: the JSON document ends too early, at byte 0`: "\n",
			`w.jsonl:1: must be a JSON object, not an array`:         `[]`,
			`w.jsonl:1: deadline: required field is missing`:         `{"job":"a","tasks":1,"arrival":0}`,
			`w.jsonl:1: job: "a b" is not an identifier: it must be non-empty and free of commas, colons and white space`: with("job",
				`"a b"`),
			`w.jsonl:1: arrival: -1 must be between 0 and 1e+09`: with("arrival",
				"-1"),
			`w.jsonl:1: deadline: 0 must be between 0.001 and 1e+09`: with("deadline",
				"0"),
			`w.jsonl:1: tasks: 0 must be between 1 and 1000000`: with("tasks",
				"0"),
			`w.jsonl:1: tasks: 1.5 must be an integer`: with("tasks",
				"1.5"),
			`w.jsonl:1: t_min: 2e+09 must be between 0.001 and 1e+09`: with("t_min",
				"2e9"),
			`w.jsonl:1: beta: 0 must be between 0.1 and 1e+06`: with("beta",
				"0"),
			`w.jsonl:1: alpha: unknown field (value 1)`: with("beta",
				`1,"alpha":1`),
			`w.jsonl:3: job: "a" is also the id of the job in line 1`: workloadFile +
				with("beta", "1"),
			`w.jsonl:3: the line is longer than 16777216 bytes`: workloadFile +
				`{"job":"` + strings.Repeat("x", 1<<24) + `"`,
		},
	})
}

func FuzzReadWorkload(f *testing.F) {
	simtest.Fuzz(f, sim.New(nil, sim.Source{}), workloadFile)
}
