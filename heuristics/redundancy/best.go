package redundancy

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"schedgap/heuristics/anneal"
	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
)

// BestKnown is the search for best-known values.
var BestKnown = anneal.BestKnown(redundancy.Algorithm{
	Name: "best", Reference: redundancy.Opt,
	Doc: "search for a best-known value on machines of speed 1: the best of all policies there, then annealing over orders " +
		"and splits of the machines",
}, "the most schedules built; 0: 500·n², at most 10,000,000", 500, 10_000_000,
	func(in *redundancy.Instance) int { return len(in.Jobs) },
	func(ctx context.Context, p *redundancy.Pass, budget int) (redundancy.Solution, bool, error) {
		return Search(ctx, p.Instance, p.Rand(), budget, p.Improved)
	})

// behind are the numbers of jobs that the split after an event may take to be behind those in line, jobs to come for instance:
// the more there are, the more evenly it splits.
var behind = []int{0, 1, 2, 4, 8, 16, 32}

// lapsBeta is the β of the policies that have one.
const lapsBeta = "0.5"

// Search returns the best schedule at speed 1 that is found in budget evaluations or until ctx ends, and false when there was no
// time for any. improved is called with incumbents on the way, unless it is nil.
func Search(
	ctx context.Context, in *redundancy.Instance, random *rand.Rand, budget int, improved func(redundancy.Solution),
) (best redundancy.Solution, found bool, err error) {
	known, slow := math.Inf(1), *in
	slow.Speed = 1
	for _, a := range policies.Algorithms() {
		options := []string{""}
		if len(a.Params) > 0 {
			options = sim.Remainder.Choices
		}
		for _, remainder := range options {
			p := &redundancy.Pass{Instance: &slow, Arg: lapsBeta, Params: models.Values{sim.Remainder.Name: remainder}}
			out, err := a.Run(ctx, p)
			if ctx.Err() != nil {
				return best, found, nil
			}
			if na := new(models.NotApplicable); errors.As(err, &na) {
				continue
			}
			if err != nil {
				return best, found, err
			}
			if v := redundancy.Problem.Check(in, out.Solution).Objective; v != nil && *v < known {
				best, known, found = out.Solution, *v, true
			}
		}
	}
	l := newLister(ctx, in)
	v := l.start()
	if ctx.Err() != nil {
		return best, found, nil
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
	v, _ = search.Run(ctx, l, v)
	if v < known {
		best = l.schedule()
	}
	return best, found, nil
}
