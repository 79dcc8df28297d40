package sim_test

import (
	"strings"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/redundancy/sim"
)

// An answer that a policy of the user's cannot have meant ends the simulation with a sentence that names the field and the value.
func TestExternalAnswers(t *testing.T) {
	params, err := models.Resolve(sim.Params, map[string]any{"machines": 4})
	fail.On(t, err)
	for answer, want := range map[string]string{
		`{"served":1,"first":1,"others":1,"share":1}`:            "",
		`{"served":1,"first":1,"others":1,"share":1}{}`:          "the answer: trailing data",
		`{"served":1,"first":1,"others":1,"share":1,"second":2}`: "the answer: second: unknown field (value 2)",
		`{"served":1,"served":2,"first":1,"others":1,"share":1}`: `the answer: duplicate key "served"`,
		`{"served":1,"first":1,"others":1}`:                      "the answer: share: required field is missing",
		`{"served":"1","first":1,"others":1,"share":1}`:          `the answer: served: must be a number, not "1"`,
		`{"served":1.5,"first":1,"others":1,"share":1}`:          "the answer: served: 1.5 must be an integer",
		`{"served":2,"first":1,"others":1,"share":1}`:            "the answer: served: 2 must be between 1 and 1",
		`{"served":1,"first":5,"others":1,"share":1}`:            "the answer: first: 5 must be between 1 and 4",
		`{"served":1,"first":1,"others":0,"share":1}`:            "the answer: others: 0 must be between 1 and 4",
		`{"served":1,"first":1,"others":1,"share":0}`:            "the answer: share: 0 must be greater than 0",
		`{"served":1,"first":1,"others":1,"share":0.7}`:          "a share of 0.7, not 1 over a whole number",
		`[1]`: "the answer: must be a JSON object, not an array",
	} {
		err := sim.New(nil, sim.Source{}).Run(t.Context(), models.SimRequest{
			Workload: &sim.Workload{Jobs: []sim.Job{{ID: "a", Work: 5}}}, Policy: "mine", Params: params, Seed: 1,
			Ask: func([]byte) ([]byte, error) { return []byte(answer), nil },
		}, func(models.Metric) {})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", answer, err, want)
		}
	}
}
