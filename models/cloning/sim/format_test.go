package sim_test

import (
	"strings"
	"testing"

	"schedgap/models/cloning/sim"
	"schedgap/models/simulation/simtest"
)

const workloadFile = `{"cluster":[{"servers":2,"cpu":24,"mem":48}]}
{"job":"a","arrival":3.5,"weight":1,"phases":[{"tasks":10,"cpu":1,"mem":2,"mean":60,"sd":20},{"parents":[0],"tasks":2,"cpu":1,"mem":4,"mean":30,"sd":0,"durations":[20,40]}]}
{"job":"b","arrival":0,"weight":2,"phases":[{"tasks":1,"cpu":0,"mem":1,"mean":9,"sd":0}]}
`

// Files are read as they say, defaults filled in; every mistake is one sentence with file, line, path and value.
func TestReadWorkload(t *testing.T) {
	job := func(phases string) string { return `{"job":"a","phases":[` + phases + `]}` }
	const phase = `{"tasks":1,"cpu":1,"mem":1,"mean":5}`
	simtest.Read(t, sim.New(nil, sim.Source{}), simtest.Files{
		Written: workloadFile,
		Terse: []string{`{"cluster":[{"servers":2,"cpu":24,"mem":48}]}
{"job":"a","arrival":3.5,"phases":[{"tasks":10,"cpu":1,"mem":2,"mean":60,"sd":20},{"parents":[0],"tasks":2,"cpu":1,"mem":4,"mean":30,"durations":[20,40]}]}
{"job":"b","weight":2,"phases":[{"tasks":1,"cpu":0,"mem":1,"mean":9}]}
`, strings.TrimSpace(workloadFile)},
		Faults: map[string]string{
			"w.jsonl:1: cluster: the list of servers must not be empty":      `{"cluster":[]}`,
			"w.jsonl:1: cluster[0].servers: 0 must be between 1 and 1000000": `{"cluster":[{"servers":0,"cpu":1,"mem":1}]}`,
			"w.jsonl:1: cluster[0].cpu: 0 must be greater than 0":            `{"cluster":[{"servers":1,"cpu":0,"mem":1}]}`,
			"w.jsonl:2: cluster: the cluster": job(phase) + "\n" +
				`{"cluster":[{"servers":1,"cpu":1,"mem":1}]}`,
			"w.jsonl:1: phases: the list of phases must not be empty":      job(""),
			"w.jsonl:1: phases[0].tasks: 0 must be between 1 and 10000000": job(`{"tasks":0,"cpu":1,"mem":1,"mean":5}`),
			"w.jsonl:1: phases[0].cpu: -1 must be between 0":               job(`{"tasks":1,"cpu":-1,"mem":1,"mean":5}`),
			"w.jsonl:1: phases[0].mean: 0 must be between 1e-06 and 1e+09": job(`{"tasks":1,"cpu":1,"mem":1,"mean":0}`),
			"w.jsonl:1: phases[0].parents[0]: 0 must be one of the phases before phase 0": job(
				`{"parents":[0],"tasks":1,"cpu":1,"mem":1,"mean":5}`),
			"w.jsonl:1: phases[0].durations[1]: 0 must be between": job(
				`{"tasks":1,"cpu":1,"mem":1,"mean":5,"durations":[3,0]}`),
			`w.jsonl:2: job: "a" is also the id of the job in line 1`: job(phase) + "\n" + job(phase),
			"w.jsonl:1: weight: 0 must be greater than 0": strings.Replace(job(phase), `"phases"`,
				`"weight":0,"phases"`, 1),
			"w.jsonl:1: phases[0].load: unknown field (value 1)": strings.Replace(job(phase), `"mean":5`,
				`"mean":5,"load":1`, 1),
			"w.jsonl: the workload has no jobs": `{"cluster":[{"servers":1,"cpu":1,"mem":1}]}`,
		},
	})
}

func FuzzReadWorkload(f *testing.F) {
	simtest.Fuzz(f, sim.New(nil, sim.Source{}), workloadFile)
}
