package sim_test

import (
	"strings"
	"testing"

	"schedgap/models"
	"schedgap/models/cloning/sim"
)

// An answer that a policy of the user's cannot have meant ends the simulation with a sentence that names the field and the value.
func TestExternalAnswers(t *testing.T) {
	w := one(1, sim.Phase{Tasks: 1, CPU: 1, Mem: 1, Mean: 5})
	id := w.Jobs[0].ID
	for answer, want := range map[string]string{
		`{"serve":[{"job":"` + id + `","phase":0}]}`:  "",
		`{"served":[{"job":"` + id + `","phase":0}]}`: "the answer: serve: required field is missing",
		`null`:                    "the answer: must be a JSON object, not null",
		`{"serve":[]}`:            "never completes",
		`{"serve":[]} {}`:         "the answer: trailing data",
		`{"serve":[],"Serve":[]}`: "the answer: Serve: unknown field",
		`{"serve":[],"serve":[]}`: `the answer: duplicate key "serve"`,
		`{"serve":[{"job":"` + id + `","phase":1}]}`: "the answer: serve[0].phase: phase 1 of job",
		`{"serve":[{"job":"nobody","phase":0}]}`:     `the answer: serve[0].job: "nobody"`,
		`{"serve":[{"job":1,"phase":0}]}`:            "the answer: serve[0].job: must be a string, not 1",
		`{"serve":[{"job":"` + id + `"}]}`: "the answer: serve[0].phase: required field is " +
			"missing",
		`{"serve":[{"job":"` + id + `","phase":0,"copies":-1}]}`: "the answer: serve[0].copies: -1 must be at " +
			"least 1",
		`{"serve":[{"job":"` + id + `","phase":0,"copies":0.5}]}`: "the answer: serve[0].copies: 0.5 must be an " +
			"integer",
		`{"serve":[{"job":"` + id + `","phase":0,"copy":2}]}`: "the answer: serve[0].copy: unknown field " +
			"(value 2)",
		`{"serve":[{"job":"` + id + `","phase":0},{"job":"` + id + `","phase":0}]}`: "the answer: serve[1]: phase 0 of job",
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
