package redundancy

import (
	"context"
	"slices"

	"schedgap/models/redundancy"
)

type solver func(ctx context.Context, p *redundancy.Pass, start *redundancy.Solution) (redundancy.Outcome, error)

// fromFirst has an instance solved with time counted from its first arrival. Flowtimes are the same, and where arrivals are
// dates they keep digits that sums of dates would cost them.
func fromFirst(ctx context.Context, p *redundancy.Pass, start *redundancy.Solution, solve solver) (redundancy.Outcome, error) {
	origin := firstArrival(p.Instance)
	if origin == 0 {
		return solve(ctx, p, start)
	}
	in, moved := *p.Instance, *p
	in.Jobs = slices.Clone(in.Jobs)
	for j := range in.Jobs {
		in.Jobs[j].Arrival -= origin
	}
	moved.Instance = &in
	moved.Improved = func(s redundancy.Solution) { p.Improved(later(s, origin)) }
	if start != nil {
		s := later(*start, -origin)
		start = &s
	}
	out, err := solve(ctx, &moved, start)
	if out.Found {
		out.Solution = later(out.Solution, origin)
	}
	return out, err
}

func firstArrival(in *redundancy.Instance) float64 {
	first := in.Jobs[0].Arrival
	for j := range in.Jobs {
		first = min(first, in.Jobs[j].Arrival)
	}
	return first
}

// later moves a schedule in time. Nothing runs before the first arrival, so that what comes to lie before 0 can be left out.
func later(s redundancy.Solution, by float64) redundancy.Solution {
	var list []redundancy.Interval
	for _, iv := range s.Intervals {
		iv.Start, iv.End = max(0, iv.Start+by), iv.End+by
		if iv.End > 0 {
			list = append(list, iv)
		}
	}
	s.Intervals = fromZero(list)
	return s
}
