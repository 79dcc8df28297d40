package catalog

import (
	"context"
	"slices"

	"schedgap/bench"
	datasets "schedgap/datasets/pocd"
	"schedgap/exact/milp"
	exactpocd "schedgap/exact/pocd"
	verifypocd "schedgap/exact/verify/pocd"
	heuristics "schedgap/heuristics/pocd"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
)

func pocdDefinition(solvers []milp.Solver) bench.Definition[*pocd.Instance, pocd.Copies] {
	parts := partsOf(pocd.Problem, solvers, pocdStart, heuristics.All)
	return bench.Definition[*pocd.Instance, pocd.Copies]{
		Problem:    pocd.Problem,
		Algorithms: slices.Concat(exactpocd.Algorithms(parts), heuristics.All),
		Exporter:   exactpocd.Models,
		Verify:     verifypocd.Verify,
		Generator:  datasets.Generator,
		Moves:      datasets.Moves,
		Deriver:    datasets.Deriver,
		Simulator:  sim.New(heuristics.Policies, datasets.Workloads),
		Suites:     suitesOf(pocd.Problem.Name),
	}
}

// pocdStart is the incumbent that exact methods of pocd start from.
func pocdStart(ctx context.Context, in *pocd.Instance) (pocd.Copies, error) {
	return heuristics.GreedyGainCopies(ctx, in), nil
}
