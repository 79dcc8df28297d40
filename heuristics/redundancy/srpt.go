package redundancy

import (
	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
)

// SRPTPlus serves the jobs with least remaining work, and has machines left over run copies.
var SRPTPlus = &redundancy.Algorithm{
	Name: "srpt+r",
	Doc: "least remaining work first, machines left over run copies\n\n" +
		"Xu, Lau et al. 2018, Algorithm 1: with n jobs on M > n machines ⌊M/n⌋ copies each and the remainder for the job with " +
		"least remaining work. (1+ε)-speed O(1/ε)-competitive (Theorem 1).",
	Kind: models.Heuristic, Reference: redundancy.Opt, Guarantee: srptShape,
	Run: scheduled(always(Discipline{Rule: SRPTRule})),
}

// SRPT is SRPTPlus without copies.
var SRPT = &redundancy.Algorithm{
	Name: "srpt",
	Doc:  "least remaining work first, one machine a job\n\nXu, Lau et al. 2018, section 4.2.1 and Lemma 5.",
	Kind: models.Heuristic, Reference: redundancy.Opt,
	Run: scheduled(always(Discipline{Rule: Single(SRPTRule)})),
}

// SRPTPlusPolicy is SRPTPlus on a workload.
var SRPTPlusPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "srpt+r",
		Doc: "the jobs with least remaining work run, on several machines each when there are fewer than machines\n\n" +
			"Xu, Lau et al. 2018, Algorithm 1 (SRPT+R).",
	},
	Rule: fixed(SRPTRule),
}

// SRPTPolicy is SRPT on a workload.
var SRPTPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "srpt",
		Doc:  "srpt+r with one copy of a job at most\n\nXu, Lau et al. 2018, sections 4.2 and 6.1.",
	},
	Rule: fixed(Single(SRPTRule)),
}
