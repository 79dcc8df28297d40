package redundancy

import (
	"cmp"
	"slices"

	"schedgap/models/redundancy"
)

// fromFirst is the instance with time counted from its first arrival, and that (exact.FromFirst). Where arrivals are dates they
// keep digits that sums of dates would cost them.
func fromFirst(in *redundancy.Instance) (moved *redundancy.Instance, origin float64) {
	origin = firstArrival(in)
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

func firstArrival(in *redundancy.Instance) float64 {
	return slices.MinFunc(in.Jobs, func(a, b redundancy.Job) int { return cmp.Compare(a.Arrival, b.Arrival) }).Arrival
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
