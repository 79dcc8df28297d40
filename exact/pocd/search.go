package pocd

import (
	"context"
	"math"

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
func solveCopies(ctx context.Context, p *pocd.Pass, all bool) {
	in := p.Instance
	p.Offer(pocd.NoCopies(in))
	fs, ok := frontiers(ctx, in, all)
	if !ok {
		p.Bound(ceiling(in, all))
		return
	}
	optimum := func(choice []int) { // up to the rounding in its sum
		s := spread(in, fs, choice)
		p.Offer(s)
		p.Bound(above(in.Value(s)))
	}
	switch {
	case math.IsInf(in.Alpha, 1):
		optimum(maxMin(in, fs))
	case in.Alpha >= 1:
		optimum(concave(in, fs))
	default:
		var from []int
		if start, _, ok := p.Best(); ok {
			from = usage(fs, start)
		}
		k := newKnapsack(ctx, in, fs)
		if k == nil {
			p.Bound(ceiling(in, all))
			return
		}
		relaxed := k.relax()
		p.Bound(above(k.bound(relaxed)))
		choice, proven := k.solve(ctx, relaxed, from, func(choice []int) { p.Offer(spread(in, fs, choice)) })
		s := spread(in, fs, choice)
		p.Offer(s)
		if proven {
			p.Bound(above(above(in.Value(s)))) // choices that are better by gapTolerance were not looked for
		}
	}
}
