package catalog

import (
	"slices"

	"schedgap/bench"
	datasets "schedgap/datasets/cloning"
	exactcloning "schedgap/exact/cloning"
	"schedgap/exact/milp"
	verifycloning "schedgap/exact/verify/cloning"
	heuristics "schedgap/heuristics/cloning"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

func cloningDefinition(solvers []milp.Solver) bench.Definition[*cloning.Instance, cloning.Solution] {
	parts := partsOf(cloning.Problem, solvers, nil, append(slices.Clone(heuristics.All), heuristics.Start))
	return bench.Definition[*cloning.Instance, cloning.Solution]{
		Problem:      cloning.Problem,
		Algorithms:   slices.Concat(exactcloning.Algorithms(parts), heuristics.All),
		Exporter:     exactcloning.Models,
		Verify:       verifycloning.Verify,
		Generator:    datasets.Generator,
		Moves:        datasets.Moves,
		Deriver:      datasets.Deriver,
		Simulator:    sim.New(heuristics.Policies, datasets.Workloads),
		Suites:       suitesOf(cloning.Problem.Name),
		Successors:   map[string]string{"lb-lp": "lb-price"},
		Augmentation: cloning.Augmentation,
		Restrictions: cloning.Restrictions,
		Blind:        []string{"drf", "capacity", "fifo", "random"},
		Without:      map[string]string{"preemption": cloning.OptNonpreemptive},
	}
}
