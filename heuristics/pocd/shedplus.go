package pocd

import (
	"context"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
)

// ShedPlus is the paper's rule. It looks at the objective's α nowhere.
var ShedPlus = &pocd.Algorithm{
	Name: "shed+",
	Doc: "one copy at a time to the job with least PoCD, in it to the straggler with least R_i\n\n" +
		"Alamro et al. 2020, Algorithm 1, lines 7 to 27. Stragglers with max_copies copies, and jobs without other stragglers, are " +
		"set aside (lines 20 to 25).",
	Kind: models.Heuristic, Reference: pocd.Opt,
	Run: models.Decided(ShedPlusCopies),
}

// ShedPlusCopies is the decision of ShedPlus.
func ShedPlusCopies(ctx context.Context, in *pocd.Instance) pocd.Copies {
	return greedy{
		// R_i(r) = 1 − exp(miss·(r+1)) is least where the exponent, which is negative, is greatest.
		taskKey: func(miss pocd.Miss, r int) float64 { return -float64(miss) * float64(r+1) },
		jobKey:  func(logP float64, _ pocd.Miss, _ int) float64 { return logP },
	}.run(ctx, in)
}

// ShedPlusPolicy is ShedPlus at every check.
var ShedPlusPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "shed+",
		Doc: "copies of stragglers, decided again at ξ of every new job and every θ\n\n" +
			"Alamro et al. 2020, Algorithm 1 and section V: jobs past their deadlines are killed; β by eq. (14); of each task the " +
			"fastest attempt is kept and the copies go on from its progress.",
	},
	Copies:      ShedPlusCopies,
	Checks:      sim.AtProgress | sim.Periodic,
	KeepFastest: true, KillLate: true, Resume: true, EstimateBeta: true,
}
