// Package redundancy has the schedulers of Xu, Lau et al. 2018, with and without redundancy: SRPT, Fair and LAPS. Their
// machines have the instance's speed, which the optimum's have not: what resource augmentation is worth shows in their ratio.
package redundancy

import (
	"slices"

	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
	"schedgap/models/simulation"
)

// Schedulers lists the package's schedulers in the order in which reports show them.
var Schedulers = append(slices.Clone(policies), simulation.Scheduler[redundancy.Algorithm, sim.Policy]{OnInstance: BestKnown})

// policies lists the policies with which the search for best-known values begins.
var policies = simulation.Schedulers[redundancy.Algorithm, sim.Policy]{SRPTPlus, FairPlus, LAPSPlus, SRPT, Fair, LAPS}

// All lists them as algorithms on instances, and Policies as policies on workloads.
var (
	All      = Schedulers.Algorithms()
	Policies = Schedulers.Policies()
)
