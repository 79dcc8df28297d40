package cloning

import (
	"cmp"
	"slices"

	"schedgap/exact"
	"schedgap/models/cloning"
)

// fromFirst is the instance with time counted from its first arrival, and the slot of that (exact.FromFirst).
func fromFirst(in *cloning.Instance) (moved *cloning.Instance, origin int) {
	origin = slices.MinFunc(in.Jobs, func(a, b cloning.Job) int { return cmp.Compare(a.Arrival, b.Arrival) }).Arrival
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

// moving has a formulation state the moved instance.
func moving(f *formulation) *formulation {
	m := *f
	m.Applies = func(in *cloning.Instance) error {
		in, _ = fromFirst(in)
		return f.Applies(in)
	}
	m.Build = func(in *cloning.Instance, as exact.BuildOptions) (*exact.BuiltModel[cloning.Solution], error) {
		in, origin := fromFirst(in)
		built, err := f.Build(in, as)
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
	return &m
}
