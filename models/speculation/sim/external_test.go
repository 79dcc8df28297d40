package sim_test

import (
	"math"
	"strings"
	"testing"

	"schedgap/models"
	"schedgap/models/speculation"
	"schedgap/models/speculation/sim"
)

// An answer that a policy of the user's cannot have meant ends the simulation with a sentence that names the field and the value.
func TestExternalAnswers(t *testing.T) {
	file := func(fields string) string {
		return `{"problem":"speculation","instance":"now","algorithm":"mine",` + fields + `}`
	}
	for answer, want := range map[string]string{
		file(`"assign":{}`):                                 "",
		file(`"assign":{}`) + "{}":                          "the answer: trailing data",
		file(`"assign":{},"assign":{}`):                     `the answer: duplicate key "assign"`,
		file(`"assign":{},"x":1`):                           "the answer: x: unknown field (value 1)",
		file(`"assigned":{}`):                               "the answer: assign: required field is missing",
		file(`"assign":{},"front":[]`):                      "the answer: front: unknown field (value an array)",
		file(`"assign":{"s1":1}`):                           "the answer: assign.s1: must be a string, not 1",
		file(`"assign":{"nobody":"v1"}`):                    `the answer: assign.nobody: "nobody" is not the id of a straggler`,
		file(`"assign":{"s1":"x"}`):                         `the answer: assign.s1: "x" is not the id of a slot`,
		file(`"assign":{"s1":"v1","s2":"v1"}`):              `has the copy of "s1" already`,
		file(`"assign":{"s1":"v2"}`):                        `the answer: assign.s1: the copy may not be on slot`,
		strings.Replace(file(`"assign":{}`), "now", "x", 1): `the answer: instance: "x" is not the instance's name "now"`,
	} {
		asked := false
		err := sim.New(nil, sim.Source{}).Run(t.Context(), models.SimRequest{
			Workload: &sim.Workload{Jobs: []sim.Job{job("a", 0, 60)}}, Policy: "mine", Params: resolve(t, map[string]any{"nodes": 30}),
			Seed: 1,
			Ask: func(question []byte) ([]byte, error) {
				in, err := speculation.Problem.ParseInstance("question", question)
				if err != nil {
					return nil, err
				}
				first, second, shared, forbidden, ok := pairs(in)
				if !ok {
					return []byte(file(`"assign":{}`)), nil
				}
				asked = true
				return []byte(strings.NewReplacer("s1", first, "s2", second, "v1", shared, "v2", forbidden).Replace(answer)), nil
			},
		}, func(models.Metric) {})
		if !asked {
			t.Fatal("there is never a slot that two stragglers may have and one that the first may not")
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", answer, err, want)
		}
	}
}

// pairs finds two stragglers with a slot that both may have and one that the first may not.
func pairs(in *speculation.Instance) (first, second, shared, forbidden string, ok bool) {
	for i := range in.CopyTime {
		for k := i + 1; k < len(in.CopyTime); k++ {
			for j, d := range in.CopyTime[i] {
				if math.IsNaN(d) {
					forbidden = in.Slots[j].ID
				} else if !math.IsNaN(in.CopyTime[k][j]) {
					shared = in.Slots[j].ID
				}
			}
			if shared != "" && forbidden != "" {
				return in.Stragglers[i].ID, in.Stragglers[k].ID, shared, forbidden, true
			}
			shared, forbidden = "", ""
		}
	}
	return "", "", "", "", false
}
