package cloning

import (
	"cmp"
	"context"
	"math"
	"slices"

	"schedgap/models"
	"schedgap/models/cloning"
)

// starts are the policies whose best schedule exact methods of cloning start from: cheap ones that differ.
var starts = []string{"dollymp0", "dollymp2", "srpt", "svf", "tetris"}

// Start is the incumbent that exact methods of cloning start from. Solutions of policies are nonpreemptive, so that it
// suits both regimes.
func Start(ctx context.Context, in *cloning.Instance) (cloning.Solution, error) {
	var best cloning.Solution
	least := math.Inf(1)
	for _, a := range All {
		if !slices.Contains(starts, a.Name) {
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
