package cloning

import (
	"context"
	"math"

	"schedgap/models"
	"schedgap/models/cloning"
)

// startEffort bounds jobs times schedules of Start, some tenths of a second.
const startEffort = 100_000

// Start gives exact methods for preemptive schedules their first schedule, beside those of the policies. It is a short run of
// the search for best-known values.
var Start = &cloning.Algorithm{
	Name: "start", Kind: models.Heuristic, Reference: cloning.Opt,
	Run: func(ctx context.Context, p *cloning.Pass) (cloning.Outcome, error) {
		n := len(p.Instance.Jobs)
		s, _ := annealed(ctx, p, math.Inf(1), min(100*n*n, startEffort/n))
		return cloning.Outcome{Solution: s, Found: true, Status: models.Feasible}, nil
	},
}
