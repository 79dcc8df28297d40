package redundancy

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/heuristics/anneal"
	"schedgap/models"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
)

// BestKnown is the search for best-known values.
var BestKnown = anneal.BestKnown(redundancy.Algorithm{
	Name: "best", Reference: redundancy.Opt,
	Doc: "search for a best-known value on machines of speed 1: the best of all policies there, then annealing over orders, " +
		"which events may change, and splits of the machines",
}, "the most schedules built; 0: 500·n², at most 10,000,000", 500, 10_000_000,
	func(in *redundancy.Instance) int { return len(in.Jobs) },
	func(ctx context.Context, p *redundancy.Pass, budget int) (redundancy.Solution, bool, error) {
		return Search(ctx, p.Instance, p.Rand(), budget, p.Improved)
	})

// A view is the line that a split takes to be there: its first jobs alone (0: all of them), and others behind these, jobs to come
// for instance. The more jobs there are, the more evenly it splits.
type view struct{ first, behind int }

// mostBehind is the largest number of jobs behind a line.
const mostBehind = 32

// lines are the views of all jobs in line; the first takes the line as it is. A split after an event has any of views: before the last
// arrival, optima also leave machines to the first jobs alone that each of lines would split over more of them.
var (
	lines = []view{{}, {behind: 1}, {behind: 2}, {behind: 4}, {behind: 8}, {behind: 16}, {behind: mostBehind}}
	views = append(slices.Clone(lines), view{first: 1}, view{first: 2}, view{first: 3}, view{first: 4}, view{first: 5},
		view{first: 6}, view{first: 8}, view{first: 10}, view{first: 12})
)

// hot is larger than elsewhere: events tie so many jobs together that a cool search stays beside optima (17 jobs: up to 0.7 %).
const hot = 1.2

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
	search := anneal.Search{Rand: random, Evaluations: budget, Items: len(in.Jobs), Hot: hot}
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
