package flex_test

import (
	"testing"

	"schedgap/models/flex"
)

// A step within the tolerance of the one before is no time that a job keeps: who is behind the first by more than its tolerance, and in
// time for the second, pays for the first.
func TestStepsWithinTolerance(t *testing.T) {
	const work = 3067.711063879086
	in := &flex.Instance{Slots: 2, Objective: flex.Objective{Metric: flex.SLA, Aggregate: flex.Sum}, Jobs: []flex.Job{{
		ID: "j", Work: work, Max: 1, Weight: 1,
		Steps: []flex.Step{{At: 3067.7110608083067, Penalty: 1}, {At: 3067.7110638760178, Penalty: 6}, {At: 3067.7141315840136, Penalty: 14}},
	}}}
	s := flex.Schedule{{End: work, Changes: []flex.Share{{Job: 0, Slots: 1}}}}
	if rep := flex.Problem.Check(in, s); len(rep.Violations) > 0 || *rep.Objective != 1 {
		t.Errorf("%+v, objective %v, want 1", rep.Violations, *rep.Objective)
	}
}
