package sim

import (
	"context"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/simulation"
)

// external is a policy that a command decides: at the checks of shed+, and with all that shed+ has the engine do around its
// decision, it is asked with the instance of the moment.
func external(name string, ask models.Ask, fail func(error)) *Policy {
	return &Policy{
		Policy: models.Policy{Name: name},
		Copies: func(_ context.Context, in *pocd.Instance) pocd.Copies {
			copies, err := simulation.Decide(pocd.Problem, in, ask)
			if err != nil {
				fail(err)
				return pocd.NoCopies(in)
			}
			return copies
		},
		Checks:      AtProgress | Periodic,
		KeepFastest: true, KillLate: true, Resume: true, EstimateBeta: true,
	}
}
