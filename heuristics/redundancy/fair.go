package redundancy

import (
	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
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

// FairPlusPolicy is FairPlus on a workload.
var FairPlusPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "fair+r",
		Doc: "all jobs share the machines, the latest first, on several machines each when there are fewer than machines\n\n" +
			"Xu, Lau et al. 2018, Algorithm 2 (Fair+R).",
	},
	Latest: true, Rule: fixed(FairRule),
}

// FairPolicy is Fair on a workload.
var FairPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "fair",
		Doc:  "fair+r with one copy of a job at most\n\nXu, Lau et al. 2018, section 6.1.",
	},
	Latest: true, Rule: fixed(Single(FairRule)),
}
