package catalog

import (
	"context"
	"slices"

	"schedgap/bench"
	datasets "schedgap/datasets/redundancy"
	"schedgap/exact"
	"schedgap/exact/milp"
	exactredundancy "schedgap/exact/redundancy"
	"schedgap/exact/verify"
	heuristics "schedgap/heuristics/redundancy"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
)

func redundancyDefinition(solvers []milp.Solver) bench.Definition[*redundancy.Instance, redundancy.Solution] {
	parts := exact.Parts[*redundancy.Instance, redundancy.Solution]{Solvers: solvers, Start: redundancyStart}
	return bench.Definition[*redundancy.Instance, redundancy.Solution]{
		Problem:    redundancy.Problem,
		Algorithms: slices.Concat(exactredundancy.Algorithms(parts), heuristics.All),
		Exporter:   exactredundancy.Models,
		Verify:     verify.Redundancy,
		Generator:  datasets.Generator,
		Moves:      datasets.Moves,
		Deriver:    datasets.Deriver,
		Simulator:  sim.New(heuristics.Policies, datasets.Workloads),
		Suites:     suitesOf(redundancy.Problem.Name),
	}
}

// redundancyStart is the incumbent that exact methods of redundancy start from: srpt+r's schedule on machines of the optimum's
// speed, whatever the instance's.
func redundancyStart(ctx context.Context, in *redundancy.Instance) (redundancy.Solution, error) {
	return heuristics.Schedule(ctx, in, heuristics.Discipline{Rule: heuristics.SRPTRule}, 1)
}
