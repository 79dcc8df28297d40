package catalog

import (
	"context"
	"slices"

	"schedgap/bench"
	datasets "schedgap/datasets/flex"
	exactflex "schedgap/exact/flex"
	"schedgap/exact/milp"
	verifyflex "schedgap/exact/verify/flex"
	heuristics "schedgap/heuristics/flex"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
)

func flexDefinition(solvers []milp.Solver) bench.Definition[*flex.Instance, flex.Schedule] {
	parts := partsOf(flex.Problem, solvers, flexStart, heuristics.All)
	return bench.Definition[*flex.Instance, flex.Schedule]{
		Problem:    flex.Problem,
		Algorithms: slices.Concat(exactflex.Algorithms(parts), heuristics.All),
		Exporter:   exactflex.Models,
		Verify:     verifyflex.Verify,
		Generator:  datasets.Generator,
		Moves:      datasets.Moves,
		Deriver:    datasets.Deriver,
		Simulator:  sim.New(heuristics.Policies, datasets.Workloads),
		Suites:     suitesOf(flex.Problem.Name),
		Blind:      []string{"fair", "fifo-min"},
		Without:    map[string]string{"malleability": flex.OptMoldable},
	}
}

// flexStart is the incumbent that exact methods of flex start from: what flex-ls finds, within an effort that stays small
// beside theirs.
func flexStart(ctx context.Context, in *flex.Instance) (flex.Schedule, error) {
	packer := flex.NewPacker(in)
	// An evaluation looks at all jobs a few times.
	evaluations := min(10_000, max(10, 2_000_000/len(in.Jobs)))
	order, _ := heuristics.AdjacentSwaps(ctx, in, packer, heuristics.Best(in, packer), evaluations)
	return packer.Pack(order), nil
}
