package flex

import (
	"slices"

	"schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/simulation"
)

// Schedulers lists the package's schedulers in the order in which reports show them.
var Schedulers = append(slices.Clone(policies), scheduler{OnInstance: Given}, scheduler{OnInstance: BestKnown})

// policies lists the policies with which the search for best-known values begins.
var policies = simulation.Schedulers[flex.Algorithm, sim.Policy]{
	{OnInstance: Flex, OnWorkload: &FlexPolicy},
	Generic,
	{OnInstance: LocalSearch},
	{OnInstance: Fair, OnWorkload: &FairPolicy},
	{OnInstance: FIFO, OnWorkload: &FIFOPolicy},
	FIFOMin, SPT, WSPT, EDD, MooreHodgson,
}

type scheduler = simulation.Scheduler[flex.Algorithm, sim.Policy]

// All lists them as algorithms on instances, and Policies as policies on workloads.
var (
	All      = Schedulers.Algorithms()
	Policies = Schedulers.Policies()
)
