package sim

import (
	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/simulation"
)

// external is a policy that a command decides: it is asked with the pool's instance of the moment, and the first interval of
// its solution says how many slots each job shall hold until the next epoch.
func external(name string, ask models.Ask, fail func(error)) *Policy {
	return &Policy{
		Policy: models.Policy{Name: name},
		Targets: func(in *flex.Instance, targets []float64) {
			now := *in
			now.Name = "now"
			schedule, err := simulation.Decide(flex.Problem, &now, ask)
			if err != nil {
				fail(err)
				return
			}
			if len(schedule) > 0 {
				for _, c := range schedule[0].Changes {
					targets[c.Job] = c.Slots
				}
			}
		},
	}
}
