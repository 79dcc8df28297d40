// Package cloning has DollyMP (Xu, Liu and Lau, ICPP 2022) and the schedulers it is compared with, as policies of one engine
// (models/cloning/sim): as algorithms they run on instance files in the deterministic model of the optimum, as policies on
// workloads. docs/baselines has a page on each scheduler that is not the paper's, with its source and the decisions taken.
package cloning

import (
	"context"
	"slices"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// Policies lists the package's schedulers in the order in which reports show them.
var Policies = speculating(policies)

var policies = []sim.Policy{
	DollyMP(0), DollyMP(1), DollyMP(2), DollyMP(3), DollyMPCareful,
	Tetris, DRF, Capacity, Carbyne, Graphene, SRPT, SVF, HRDF, FIFO, Random, Index,
}

// All lists the same schedulers as algorithms, those of the transient case, which is no workload's, and the searches.
var All = append(slices.Clone(schedulers), BestKnown, BestNonpreemptive)

var schedulers = algorithms(append(slices.Clone(policies), DollyMPTransient, DollyMPTransientCareful))

func algorithms(policies []sim.Policy) []*cloning.Algorithm {
	list := make([]*cloning.Algorithm, len(policies))
	for i := range policies {
		list[i] = algorithm(&policies[i])
	}
	return list
}

const capacityFactor = "capacity_factor"

// algorithm runs a policy on an instance.
func algorithm(p *sim.Policy) *cloning.Algorithm {
	return &cloning.Algorithm{
		Name: p.Name, Doc: p.Doc, Kind: models.Heuristic,
		Reference: cloning.Opt, Class: cloning.OptNonpreemptive,
		Fixed:  p.Fixed,
		Random: p.Name == Random.Name, Guarantee: guarantee(p.Name),
		Params: append(slices.Clone(p.Params), models.Param{
			Name: capacityFactor, Default: 1.0, Min: 1, Max: 1e6,
			Doc: "factor of all server capacities, as in section 5.1; the optimum is always that of factor 1",
		}),
		Run: func(ctx context.Context, pass *cloning.Pass) (cloning.Outcome, error) {
			s, err := sim.Schedule(ctx, pass.Instance, p, pass.Params, pass.Params.Float(capacityFactor), pass.Rand())
			if ctx.Err() != nil {
				return cloning.Outcome{Status: models.Timeout}, nil
			}
			if err != nil {
				return cloning.Outcome{}, err
			}
			return cloning.Outcome{Solution: s, Found: true, Status: models.Feasible}, nil
		},
	}
}
