package redundancy

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"schedgap/heuristics/anneal"
	"schedgap/models"
	"schedgap/models/redundancy"
)

// BestKnown is the search for best-known values.
var BestKnown = &redundancy.Algorithm{
	Name: "best",
	Doc: "search for a best-known value on machines of speed 1: the best of all policies there, then simulated annealing over " +
		"priority orders and the split of the machines at every event\n\n" +
		"docs/design/results.md#best-known-values. It ends by itself after `evaluations`; at a limit it returns the best so far.",
	Kind: models.Heuristic, Reference: redundancy.Opt, Random: true,
	Params: []models.Param{{
		Name: "evaluations", Default: 0, Doc: "the most schedules built; 0: 500·n², at most 10,000,000",
	}},
	Run: func(ctx context.Context, p *redundancy.Pass) (redundancy.Outcome, error) {
		budget := p.Params.Int("evaluations")
		if budget == 0 {
			n := min(len(p.Instance.Jobs), 1000)
			budget = min(500*n*n, 10_000_000)
		}
		s, finished, err := Search(ctx, p.Instance, p.Rand(), budget, p.Improved)
		out := redundancy.Outcome{Solution: s, Found: len(s.Intervals) > 0, Status: models.Feasible}
		if !finished {
			out.Status = models.Timeout
		}
		return out, err
	},
}

// behind are the numbers of jobs that the split after an event may take to be behind those in line, jobs to come for instance:
// the more there are, the more evenly it splits.
var behind = []int{0, 1, 2, 4, 8, 16, 32}

// Search returns the best schedule at speed 1 that is found in budget evaluations, and false when ctx ended first; the schedule
// has no intervals when there was no time for any. improved is
// called with incumbents on the way, unless it is nil.
func Search(
	ctx context.Context, in *redundancy.Instance, random *rand.Rand, budget int, improved func(redundancy.Solution),
) (best redundancy.Solution, finished bool, err error) {
	known := math.Inf(1)
	for _, d := range []Discipline{
		{Rule: SRPTRule},
		{Rule: FairRule, Latest: true},
		{Rule: LAPSWaitingRule(0.5), Latest: true},
		{Rule: LAPSSharedRule(0.5), Latest: true},
		{Rule: Single(SRPTRule)},
		{Rule: Single(FairRule), Latest: true},
		{Rule: Single(LAPSWaitingRule(0.5)), Latest: true},
		{Rule: Single(LAPSSharedRule(0.5)), Latest: true},
	} {
		s, err := Schedule(ctx, in, d, 1)
		if ctx.Err() != nil {
			return best, false, nil
		}
		if na := new(models.NotApplicable); errors.As(err, &na) {
			continue
		}
		if err != nil {
			return best, false, err
		}
		if v := redundancy.Problem.Check(in, s).Objective; v != nil && *v < known {
			best, known = s, *v
		}
	}
	l := newLister(ctx, in)
	v := l.start()
	if ctx.Err() != nil {
		return best, false, nil
	}
	search := anneal.Search{Rand: random, Evaluations: budget, Items: len(in.Jobs)}
	if improved != nil {
		improved(best)
		search.Improved = func(v float64) {
			if v < known {
				improved(l.schedule())
			}
		}
	}
	v, finished = search.Run(ctx, l, v)
	if v < known {
		best = l.schedule()
	}
	return best, finished, nil
}
