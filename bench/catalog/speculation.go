package catalog

import (
	"context"
	"slices"

	"schedgap/bench"
	datasets "schedgap/datasets/speculation"
	"schedgap/exact/milp"
	exactspeculation "schedgap/exact/speculation"
	verifyspeculation "schedgap/exact/verify/speculation"
	heuristics "schedgap/heuristics/speculation"
	"schedgap/models/speculation"
	"schedgap/models/speculation/sim"
)

func speculationDefinition(solvers []milp.Solver) bench.Definition[*speculation.Instance, speculation.Solution] {
	parts := partsOf(speculation.Problem, solvers, speculationStart, heuristics.All)
	return bench.Definition[*speculation.Instance, speculation.Solution]{
		Problem:    speculation.Problem,
		Algorithms: slices.Concat(exactspeculation.Algorithms(parts), heuristics.All),
		Exporter:   exactspeculation.Models,
		Verify:     verifyspeculation.Verify,
		Generator:  datasets.Generator,
		Moves:      datasets.Moves,
		Deriver:    datasets.Deriver,
		Simulator:  sim.New(heuristics.Policies, datasets.Workloads),
		Suites:     suitesOf(speculation.Problem.Name),
		Successors: map[string]string{
			"pareto": "opt", "front-window": "window", "front-hete-aware": "hete-aware", "front-greedy-scalar": "greedy-scalar",
			"front-default": "default", "front-none": "none",
		},
	}
}

// speculationStart is the incumbent that exact methods of speculation start from.
func speculationStart(ctx context.Context, in *speculation.Instance) (speculation.Solution, error) {
	return speculation.Solution{Assign: heuristics.WindowMatching(ctx, in)}, nil
}
