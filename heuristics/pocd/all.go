// Package pocd has the speculation rules that the Shed+ paper (Alamro et al., IEEE TNSM 2020) proposes and compares with, and
// a greedy rule on the objective itself. None spends copies on hopeless jobs; ties go by file order.
package pocd

import (
	"context"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
	"schedgap/models/simulation"
)

// Schedulers lists the package's schedulers in the order in which reports show them.
var Schedulers = simulation.Schedulers[pocd.Algorithm, sim.Policy]{
	{OnInstance: ShedPlus, OnWorkload: &ShedPlusPolicy},
	{OnInstance: Shed, OnWorkload: &ShedPolicy},
	{OnInstance: GreedyGain},
	{OnInstance: Dolly, OnWorkload: &DollyPolicy},
	{OnInstance: Hopper, OnWorkload: &HopperPolicy},
	{OnInstance: Hadoop, OnWorkload: &HadoopPolicy},
	{OnInstance: None, OnWorkload: &NonePolicy},
	{OnWorkload: &ClairvoyantPolicy},
}

// All lists them as algorithms on instances, and Policies as policies on workloads.
var (
	All      = Schedulers.Algorithms()
	Policies = Schedulers.Policies()
)

// None leaves every task its one attempt.
var None = &pocd.Algorithm{
	Name: "none",
	Doc:  "no extra copies\n\nThe baseline without speculation.",
	Kind: models.Heuristic, Reference: pocd.Opt,
	Run: models.Decided(func(_ context.Context, in *pocd.Instance) pocd.Copies { return pocd.NoCopies(in) }),
}

// NonePolicy leaves every task its one attempt.
var NonePolicy = sim.Policy{
	Policy: models.Policy{Name: "none", Doc: "no extra attempts\n\nThe baseline without speculation."},
}

// ClairvoyantPolicy knows the times of the attempts.
var ClairvoyantPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "clairvoyant",
		Doc: "of each task only the attempt that will take least time among the first and max_copies others\n\n" +
			"The value of copying every task when its job starts, at no cost and with foresight; a job that misses " +
			"its deadline even so is dropped when its turn to start comes. It is no proven bound: policies that start copies " +
			"again and again see more attempts than it, and it keeps the order of arrival.",
	},
	Clairvoyant: true,
}
