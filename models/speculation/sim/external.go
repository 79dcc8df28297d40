package sim

import (
	"context"
	"fmt"
	"slices"

	"schedgap/models"
	"schedgap/models/simulation"
	"schedgap/models/speculation"
)

// external is a policy that a command decides: once a window and at a job's end it is asked with the instance of the moment,
// its stragglers named s1, s2, … and its slots v1, v2, …
func external(name string, ask models.Ask, fail func(error)) *Policy {
	return &Policy{
		Policy: models.Policy{Name: name},
		Assign: func(_ context.Context, in *speculation.Instance) speculation.Matching {
			now := *in
			now.Name = "now"
			now.Stragglers, now.Slots = slices.Clone(in.Stragglers), slices.Clone(in.Slots)
			for i := range now.Stragglers {
				now.Stragglers[i].ID = fmt.Sprintf("s%d", i+1)
			}
			for j := range now.Slots {
				now.Slots[j].ID = fmt.Sprintf("v%d", j+1)
			}
			s, err := simulation.Decide(speculation.Problem, &now, ask)
			if err == nil {
				err = simulation.AnswerError(checkMatching(&now, s.Assign))
			}
			if err != nil {
				fail(err)
				return slices.Repeat(speculation.Matching{speculation.None}, len(in.Stragglers))
			}
			return s.Assign
		},
		Window: true,
	}
}
