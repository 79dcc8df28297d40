package kernel

import (
	"cmp"
	"slices"

	"schedgap/models/cloning"
)

// FromFirst is the instance with time counted from its first arrival, and the slot of that (exact.FromFirst).
func FromFirst(in *cloning.Instance) (moved *cloning.Instance, origin int) {
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

// Later moves a schedule in time.
func Later(s cloning.Solution, by int) cloning.Solution {
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
