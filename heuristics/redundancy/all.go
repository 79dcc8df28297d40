// Package redundancy has the schedulers of Xu, Lau et al. 2018, with and without redundancy: SRPT, Fair and LAPS. Their
// machines have the instance's speed, which the optimum's have not: what resource augmentation is worth shows in their ratio.
package redundancy

import (
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
	"schedgap/models/simulation"
)

// Schedulers lists the package's schedulers in the order in which reports show them.
var Schedulers = simulation.Schedulers[redundancy.Algorithm, sim.Policy]{
	SRPTPlus, FairPlus, LAPSPlus, SRPT, Fair, LAPS,
	{OnInstance: BestKnown},
}

// All lists them as algorithms on instances, and Policies as policies on workloads.
var (
	All      = Schedulers.Algorithms()
	Policies = Schedulers.Policies()
)
