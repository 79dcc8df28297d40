package cloning

import (
	"context"
	"slices"

	"schedgap/exact"
	"schedgap/models/cloning"
)

// Time is counted from the first arrival: flowtimes are the same, nothing runs before it, and where arrivals are dates neither
// the margins for rounding nor the sizes of models grow with them.

// fromFirst is the instance in that time, and the slot of its first arrival.
func fromFirst(in *cloning.Instance) (moved *cloning.Instance, origin int) {
	origin = in.Jobs[0].Arrival
	for j := range in.Jobs {
		origin = min(origin, in.Jobs[j].Arrival)
	}
	if origin == 0 {
		return in, 0
	}
	m := *in
	m.Jobs = slices.Clone(in.Jobs)
	for j := range m.Jobs {
		m.Jobs[j].Arrival -= origin
	}
	return &m, origin
}

// later moves a schedule in time.
func later(s cloning.Solution, by int) cloning.Solution {
	if by == 0 {
		return s
	}
	s.Copies = slices.Clone(s.Copies)
	for i := range s.Copies {
		s.Copies[i].Start += by
		s.Copies[i].End += by
	}
	return s
}

// solveFromFirst has a combinatorial method solve the moved instance.
func solveFromFirst(ctx context.Context, p *cloning.Pass, start *cloning.Solution, fixed bool) (cloning.Outcome, error) {
	in, origin := fromFirst(p.Instance)
	if origin == 0 {
		return search(ctx, p, start, fixed)
	}
	moved := *p
	moved.Instance = in
	moved.Improved = func(s cloning.Solution) { p.Improved(later(s, origin)) }
	if start != nil {
		s := later(*start, -origin)
		start = &s
	}
	out, err := search(ctx, &moved, start, fixed)
	out.Solution = later(out.Solution, origin)
	return out, err
}

// moving has a formulation state the moved instance.
func moving(f *formulation) *formulation {
	m := *f
	m.Applies = func(in *cloning.Instance) error {
		in, _ = fromFirst(in)
		return f.Applies(in)
	}
	moved := func(build func(in *cloning.Instance) (*exact.Built[cloning.Solution],
		error),
	) func(in *cloning.Instance) (*exact.Built[cloning.Solution], error) {
		return func(in *cloning.Instance) (*exact.Built[cloning.Solution], error) {
			in, origin := fromFirst(in)
			built, err := build(in)
			if err != nil || origin == 0 {
				return built, err
			}
			decode, encode := built.Decode, built.Encode
			built.Decode = func(x []float64) (cloning.Solution, error) {
				s, err := decode(x)
				return later(s, origin), err
			}
			built.Encode = func(s cloning.Solution) ([]float64, error) { return encode(later(s, -origin)) }
			return built, nil
		}
	}
	m.Build, m.Exact = moved(f.Build), moved(f.Exact)
	return &m
}
