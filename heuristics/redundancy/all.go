// Package redundancy has the schedulers of Xu, Lau et al. 2018, with and without redundancy: SRPT, Fair and LAPS. Their
// machines have the instance's speed, which the optimum's have not: what resource augmentation is worth shows in their ratio.
package redundancy

import (
	"context"

	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
	"schedgap/models/simulation"
)

// Schedulers lists the package's schedulers in the order in which reports show them.
var Schedulers = simulation.Schedulers[redundancy.Algorithm, sim.Policy]{
	{OnInstance: SRPTPlus, OnWorkload: &SRPTPlusPolicy},
	{OnInstance: FairPlus, OnWorkload: &FairPlusPolicy},
	{OnInstance: LAPSPlus, OnWorkload: &LAPSPlusPolicy},
	{OnInstance: SRPT, OnWorkload: &SRPTPolicy},
	{OnInstance: Fair, OnWorkload: &FairPolicy},
	{OnInstance: LAPS, OnWorkload: &LAPSPolicy},
	{OnInstance: BestKnown},
}

// All lists them as algorithms on instances, and Policies as policies on workloads.
var (
	All      = Schedulers.Algorithms()
	Policies = Schedulers.Policies()
)

// scheduled makes an algorithm's Run of a discipline.
func scheduled(d func(p *redundancy.Pass) (Discipline, error)) func(context.Context, *redundancy.Pass) (redundancy.Outcome, error) {
	return func(ctx context.Context, p *redundancy.Pass) (redundancy.Outcome, error) {
		discipline, err := d(p)
		if err != nil {
			return redundancy.Outcome{}, err
		}
		s, err := Schedule(ctx, p.Instance, discipline, p.Instance.Speed)
		return redundancy.Outcome{Solution: s, Found: err == nil, Status: models.Feasible}, err
	}
}

// always is a discipline that no option changes.
func always(d Discipline) func(*redundancy.Pass) (Discipline, error) {
	return func(*redundancy.Pass) (Discipline, error) { return d, nil }
}

// fixed is a rule that no option changes.
func fixed(rule sim.Rule) func(models.Values) sim.Rule {
	return func(models.Values) sim.Rule { return rule }
}
