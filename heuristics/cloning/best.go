package cloning

import (
	"cmp"
	"context"
	"slices"

	"schedgap/heuristics/anneal"
	"schedgap/heuristics/cloning/decoder"
	"schedgap/models/cloning"
)

// BestKnown is the search for best-known values.
var BestKnown = anneal.BestKnown(cloning.Algorithm{
	Name: "best", Reference: cloning.Opt,
	Doc: "search for a best-known value: the best of all policies here and of bins packed by least slack, then simulated annealing over " +
		"preemptive schedules",
}, "the most schedules that are tried; 0: 2,000·n², at most 1,000,000", 2000, 1_000_000, jobs, fromPolicies(keyed))

func jobs(in *cloning.Instance) int { return len(in.Jobs) }

// scheduled is a policy's schedule of an instance.
type scheduled struct {
	solution cloning.Solution
	value    float64
}

// refills is how often bins are filled again for each evaluation that a search may use: they are few of many.
const refills = 10

// fromPolicies has a search begin with what all policies find, and packing where tasks are items and servers bins.
func fromPolicies(
	search func(ctx context.Context, p *cloning.Pass, known []scheduled, budget int) (cloning.Solution, error),
) func(ctx context.Context, p *cloning.Pass, budget int) (cloning.Solution, bool, error) {
	return func(ctx context.Context, p *cloning.Pass, budget int) (best cloning.Solution, found bool, err error) {
		known, err := policiesBest(ctx, p)
		if b := newBinPacker(p.Instance, p.Rand()); b != nil && len(known) > 0 && err == nil {
			b.schedule(ctx, refills*budget, func(s cloning.Solution) {
				if v := *cloning.Problem.Check(p.Instance, s).Objective; v < known[0].value {
					p.Improved(s)
					known = slices.Insert(known, 0, scheduled{s, v})
				}
			})
		}
		found = len(known) > 0
		if found {
			best = known[0].solution
		}
		if err == nil && ctx.Err() == nil {
			best, err = search(ctx, p, known, budget)
		}
		return best, found, err
	}
}

// policiesBest are the schedules of all policies, the best first; fewer if ctx ends before.
func policiesBest(ctx context.Context, p *cloning.Pass) (known []scheduled, err error) {
	for _, a := range schedulers {
		out, err := a.AtDefaults(ctx, p.Instance, p.Seed)
		if err != nil || ctx.Err() != nil {
			return known, err
		}
		v := cloning.Problem.Check(p.Instance, out.Solution).Objective
		if len(known) == 0 || *v < known[0].value {
			p.Improved(out.Solution)
		}
		known = append(known, scheduled{out.Solution, *v})
		slices.SortStableFunc(known, func(a, b scheduled) int { return cmp.Compare(a.value, b.value) })
	}
	return known, nil
}

// keyed returns the best schedule that is found in budget evaluations of keys, or until ctx ends.
func keyed(ctx context.Context, p *cloning.Pass, known []scheduled, budget int) (cloning.Solution, error) {
	s, v := annealed(ctx, p, known[0].value, budget)
	if v < known[0].value {
		return s, nil
	}
	return known[0].solution, nil
}

// annealed returns the best schedule of an annealing over keys and its value. Schedules better than known are reported to p.
func annealed(ctx context.Context, p *cloning.Pass, known float64, budget int) (cloning.Solution, float64) {
	m := decoder.New(p.Instance)
	at, v := m.Search(m.Start(ctx), p.Threads)
	defer at.Close()
	improved := func(v float64) {
		if v < known {
			p.Improved(m.Solution(at.Saved()))
		}
	}
	improved(v)
	mean := v / float64(len(p.Instance.Jobs))
	search := anneal.Search{
		Rand: p.Rand(), Evaluations: budget, Items: m.Phases(), First: 0.05 * mean, Last: 0.005 * mean, Improved: improved,
	}
	v, _ = search.Run(ctx, at, v)
	return m.Solution(at.Saved()), v
}
