package sim_test

import (
	"strings"
	"testing"

	"schedgap/models"
	"schedgap/models/cloning/sim"
)

// An answer that a policy of the user's cannot have meant ends the simulation with a sentence, a misspelt key among them.
func TestExternalAnswers(t *testing.T) {
	w := one(1, sim.Phase{Tasks: 1, CPU: 1, Mem: 1, Mean: 5})
	id := w.Jobs[0].ID
	for answer, want := range map[string]string{
		`{"serve":[{"job":"` + id + `","phase":0}]}`:  "",
		`{"served":[{"job":"` + id + `","phase":0}]}`: "needs serve",
		`null`:         "needs serve",
		`{"serve":[]}`: "never completes",
		`{"serve":[{"job":"` + id + `","phase":1}]}`:              "phase 1 of job",
		`{"serve":[{"job":"nobody","phase":0}]}`:                  `job "nobody", which there is not`,
		`{"serve":[{"job":"` + id + `","phase":0,"copies":-1}]}`:  "-1 copies",
		`{"serve":[{"job":"` + id + `","phase":0,"copies":0.5}]}`: "cannot unmarshal number 0.5",
	} {
		err := sim.New(nil, sim.Source{}).Run(t.Context(), models.SimRequest{
			Workload: w, Policy: "mine", Params: resolve(t, nil), Seed: 1,
			Ask: func([]byte) ([]byte, error) { return []byte(answer), nil },
		}, func(models.Metric) {})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", answer, err, want)
		}
	}
}
