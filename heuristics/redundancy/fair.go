package redundancy

import (
	"schedgap/models"
	"schedgap/models/redundancy"
)

// FairPlus shares the machines evenly, and has machines left over run copies.
var FairPlus = &redundancy.Algorithm{
	Name: "fair+r",
	Doc: "equal shares, machines left over run copies, the latest arrival first\n\n" +
		"Xu, Lau et al. 2018, Algorithm 2: n ≥ M jobs have 1/⌊n/M⌋ of a machine, the n mod M oldest wait; else ⌊M/n⌋ copies each " +
		"and the remainder for the latest. (4+ε)-speed O(1/ε)-competitive (Theorem 2). Without multitasking it runs as long as " +
		"every share is 1 (docs/problems/redundancy.md#rules).",
	Kind: models.Heuristic, Reference: redundancy.Opt, Guarantee: fairShape,
	Run: scheduled(always(Discipline{Rule: FairRule, Latest: true})),
}

// Fair is FairPlus without copies.
var Fair = &redundancy.Algorithm{
	Name: "fair",
	Doc:  "equal shares of at most one machine a job, the latest arrival first\n\nXu, Lau et al. 2018, Algorithm 2 without copies.",
	Kind: models.Heuristic, Reference: redundancy.Opt,
	Run: scheduled(always(Discipline{Rule: Single(FairRule), Latest: true})),
}
