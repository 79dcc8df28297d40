package pocd

import (
	"context"
	"math"

	"schedgap/models"
	"schedgap/models/pocd"
)

// newKnapsack states utilities for α < 1, which are not negative, over the frontiers. It returns nil when ctx ends first.
func newKnapsack(ctx context.Context, in *pocd.Instance, fs []frontier) *knapsack {
	k := &knapsack{value: make([][]float64, len(fs)), capacity: in.Spare()}
	for i, f := range fs {
		if ctx.Err() != nil {
			return nil
		}
		k.value[i] = make([]float64, len(f.logP))
		for b, p := range f.logP {
			k.value[i][b] = pocd.Utility(in.Alpha, p)
		}
	}
	return k
}

// solveCopies is the combinatorial method, for copies of stragglers or of all tasks: the dynamic program over the core for
// α < 1, marginal gains for finite α ≥ 1, bisection for α = inf.
func solveCopies(ctx context.Context, p *pocd.Pass, start *pocd.Copies, all bool) (pocd.Outcome, error) {
	in := p.Instance
	fs, ok := frontiers(ctx, in, all)
	if !ok {
		return interrupted(p, start, all), nil
	}
	var choice []int
	out := pocd.Outcome{Found: true, Status: models.Optimal}
	switch {
	case math.IsInf(in.Alpha, 1):
		choice = maxMin(in, fs)
	case in.Alpha >= 1:
		choice = concave(in, fs)
	default:
		var from []int
		if start != nil {
			from = usage(fs, *start)
		}
		k := newKnapsack(ctx, in, fs)
		if k == nil {
			return interrupted(p, start, all), nil
		}
		relaxed := k.relax()
		bound := above(k.bound(relaxed))
		p.Bounded(bound)
		var proven bool
		choice, proven = k.solve(ctx, relaxed, from, func(choice []int) { p.Improved(spread(in, fs, choice)) })
		if !proven {
			out.Status, out.Bound = models.Timeout, &bound
		}
	}
	out.Solution = spread(in, fs, choice)
	claimed := in.Value(out.Solution)
	out.Claimed = &claimed
	if out.Status == models.Optimal {
		out.Bound = &claimed
		p.Improved(out.Solution)
		p.Bounded(claimed)
	}
	return out, nil
}

// interrupted is the outcome when ctx ended before the search began.
func interrupted(p *pocd.Pass, start *pocd.Copies, all bool) pocd.Outcome {
	s := pocd.NoCopies(p.Instance)
	if start != nil {
		s = *start
	}
	bound := ceiling(p.Instance, all)
	p.Improved(s)
	p.Bounded(bound)
	return pocd.Outcome{Solution: s, Found: true, Status: models.Timeout, Bound: &bound}
}
