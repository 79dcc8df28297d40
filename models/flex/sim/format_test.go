package sim_test

import (
	"strings"
	"testing"

	"schedgap/models/flex/sim"
	"schedgap/models/simulation/simtest"
)

const workloadFile = `{"job":"a","arrival":0,"map":{"tasks":120,"mean":20,"cv":0.2},"reduce":{"tasks":10,"mean":60,"cv":0}}
{"job":"b<1>","arrival":1.5,"map":{"tasks":1,"mean":0.1,"cv":0}}
`

// Files are read as they say, defaults filled in; every mistake is one sentence with file, line, path and value.
func TestReadWorkload(t *testing.T) {
	simtest.Read(t, sim.New(nil, sim.Source{}), simtest.Files{
		Written: workloadFile,
		Terse: []string{
			strings.ReplaceAll(strings.ReplaceAll(workloadFile, `,"cv":0}`, "}"), "120", "120.0"),
			strings.TrimSpace(workloadFile),
		},
		Faults: map[string]string{
			`w.jsonl:1: the JSON document ends too early, at byte 0`:                                                      "\n",
			`w.jsonl:1: must be a JSON object, not an array`:                                                              `[]`,
			`w.jsonl:1: map: required field is missing`:                                                                   `{"job":"a","arrival":0}`,
			`w.jsonl:1: map: must be a JSON object, not 7`:                                                                `{"job":"a","arrival":0,"map":7}`,
			`w.jsonl:1: job: "a b" is not an identifier: it must be non-empty and free of commas, colons and white space`: `{"job":"a b","arrival":0,"map":{"tasks":1,"mean":1}}`,
			`w.jsonl:1: arrival: -1 must be between 0 and 1e+09`:                                                          `{"job":"a","arrival":-1,"map":{"tasks":1,"mean":1}}`,
			`w.jsonl:1: map.tasks: 0 must be between 1 and 10000000`:                                                      `{"job":"a","arrival":0,"map":{"tasks":0,"mean":1}}`,
			`w.jsonl:1: map.tasks: 1.5 must be an integer`:                                                                `{"job":"a","arrival":0,"map":{"tasks":1.5,"mean":1}}`,
			`w.jsonl:1: map.mean: 0 must be between 1e-06 and 1e+09`:                                                      `{"job":"a","arrival":0,"map":{"tasks":1,"mean":0}}`,
			`w.jsonl:1: map.sd: unknown field (value 1)`:                                                                  `{"job":"a","arrival":0,"map":{"tasks":1,"mean":1,"sd":1}}`,
			`w.jsonl:1: reduce.cv: -1 must be between 0 and 100`:                                                          `{"job":"a","arrival":0,"map":{"tasks":1,"mean":1},"reduce":{"tasks":1,"mean":1,"cv":-1}}`,
			`w.jsonl:1: reduce: must be a JSON object, not null`:                                                          `{"job":"a","arrival":0,"map":{"tasks":1,"mean":1},"reduce":null}`,
			`w.jsonl:3: job: "a" is also the id of the job in line 1`: workloadFile +
				`{"job":"a","arrival":0,"map":{"tasks":1,"mean":1}}`,
			`w.jsonl:3: the line is longer than 16777216 bytes`: workloadFile +
				`{"job":"` + strings.Repeat("x", 1<<24) + `"`,
		},
	})
}

func FuzzReadWorkload(f *testing.F) {
	simtest.Fuzz(f, sim.New(nil, sim.Source{}), workloadFile, `{"job":"é","arrival":1e9,"map":{"tasks":1e7,"mean":1e-6,"cv":100}}`)
}
