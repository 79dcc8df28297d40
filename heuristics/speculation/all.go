// Package speculation has the copy allocation rules that the window paper (Zhou et al., ICPP 2018) proposes and compares with,
// and a greedy rule on the scalar objective. Ties go by file order.
package speculation

import (
	"context"

	"schedgap/models"
	"schedgap/models/simulation"
	"schedgap/models/speculation"
	"schedgap/models/speculation/sim"
)

// Schedulers lists the package's schedulers in the order in which reports show them.
var Schedulers = simulation.Schedulers[speculation.Algorithm, sim.Policy]{
	{OnInstance: Window, OnWorkload: &WindowPolicy},
	{OnInstance: HeteAware, OnWorkload: &HeteAwarePolicy},
	{OnInstance: GreedyScalar},
	{OnInstance: Default, OnWorkload: &DefaultPolicy},
	{OnInstance: None, OnWorkload: &NonePolicy},
	{OnWorkload: &BlindPolicy},
}

// All lists them as algorithms on instances, and Policies as policies on workloads.
var (
	All      = Schedulers.Algorithms()
	Policies = Schedulers.Policies()
)

// scheduler is the parameter of the simulation that a policy's name may set, as in default:hopper.
const scheduler = "scheduler"

// None gives no straggler a copy.
var None = &speculation.Algorithm{
	Name: "none",
	Doc:  "no copies\n\nZhou et al. 2018, section 6.1 (noSpec).",
	Kind: models.Heuristic, Reference: speculation.Opt,
	Run: decided(func(_ context.Context, in *speculation.Instance) speculation.Matching {
		return speculation.NoCopies(in)
	}),
}

// decided makes an algorithm's Run of a rule.
func decided(
	rule func(ctx context.Context, in *speculation.Instance) speculation.Matching,
) func(context.Context, *speculation.Pass) (speculation.Outcome, error) {
	return models.Decided(func(ctx context.Context, in *speculation.Instance) speculation.Solution {
		return speculation.Solution{Assign: rule(ctx, in)}
	})
}

// NonePolicy is the paper's noSpec.
var NonePolicy = sim.Policy{
	Policy: models.Policy{Name: "none", Arg: scheduler, Doc: "no copies\n\nnoSpec of Zhou et al. 2018, section 6.1."},
}
