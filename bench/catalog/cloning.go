package catalog

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/bench"
	datasets "schedgap/datasets/cloning"
	"schedgap/exact"
	exactcloning "schedgap/exact/cloning"
	"schedgap/exact/milp"
	heuristics "schedgap/heuristics/cloning"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

func cloningDefinition(solvers []milp.Solver) bench.Definition[*cloning.Instance, cloning.Solution] {
	parts := exact.Parts[*cloning.Instance, cloning.Solution]{Solvers: solvers, Start: cloningStart}
	return bench.Definition[*cloning.Instance, cloning.Solution]{
		Problem:    cloning.Problem,
		Algorithms: slices.Concat(exactcloning.Algorithms(parts), heuristics.All),
		Exporter:   exactcloning.Models,
		Generator:  datasets.Generator,
		Deriver:    datasets.Deriver,
		Simulator:  sim.New(heuristics.Policies, datasets.Workloads),
		Suites:     suitesOf(cloning.Problem.Name),
	}
}

// cloningStarts are the policies whose best schedule exact methods of cloning start from: cheap ones that differ.
var cloningStarts = []string{"dollymp0", "dollymp2", "srpt", "svf", "tetris"}

// cloningStart is the incumbent that exact methods of cloning start from. Solutions of policies are nonpreemptive, so that it
// suits both regimes.
func cloningStart(ctx context.Context, in *cloning.Instance) (cloning.Solution, error) {
	var best cloning.Solution
	least := math.Inf(1)
	for _, a := range heuristics.All {
		if !slices.Contains(cloningStarts, a.Name) {
			continue
		}
		out, err := a.Run(ctx, &cloning.Pass{
			Instance: in, Params: models.Defaults(a.Params), Seed: 1, Threads: 1,
			Improved: func(cloning.Solution) {}, Bounded: func(float64) {},
		})
		if ctx.Err() != nil && !math.IsInf(least, 1) {
			break // what the others have found is a start, too
		}
		if err != nil || !out.Found {
			return best, cmp.Or(err, ctx.Err())
		}
		if r := cloning.Problem.Check(in, out.Solution); r.Objective != nil && *r.Objective < least {
			best, least = out.Solution, *r.Objective
		}
	}
	return best, nil
}
