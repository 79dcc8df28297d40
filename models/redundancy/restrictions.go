package redundancy

import (
	"slices"

	"schedgap/models"
)

// Restrictions narrow instances.
var Restrictions = []*models.Restriction[*Instance, Solution]{{
	Name: "copies", Doc: "machines that run a job at once",
	// More machines give a job no more than the most; Lift takes them away, and its rate stays the same.
	Narrow: func(in *Instance, most int) *Instance {
		narrow := *in
		narrow.Speedup = slices.Clone(in.Speedup)
		for i := most; i < len(narrow.Speedup); i++ {
			narrow.Speedup[i] = narrow.Speedup[most-1]
		}
		return &narrow
	},
	Lift: func(s Solution, most int) Solution {
		s.Intervals = slices.Clone(s.Intervals)
		for i := range s.Intervals {
			alloc := slices.Clone(s.Intervals[i].Alloc)
			for k := range alloc {
				alloc[k].Copies = min(alloc[k].Copies, most)
			}
			s.Intervals[i].Alloc = alloc
		}
		return s
	},
}, {
	Name: "sharing", Doc: "jobs that a machine runs at once",
	Narrow: func(in *Instance, most int) *Instance {
		narrow := *in
		narrow.Multitasking = in.Multitasking && most > 1
		return &narrow
	},
}}

// Augmentation gives algorithms faster machines. A job on machines of a speed takes as long as a smaller one at speed 1.
var Augmentation = &models.Augmentation[*Instance]{
	Set: func(in *Instance, factor float64) *Instance {
		faster := *in
		faster.Speed = factor
		return &faster
	},
	Equal: func(in *Instance, factor float64) *Instance {
		smaller := *in
		smaller.Speed, smaller.Jobs = 1, slices.Clone(in.Jobs)
		for j := range smaller.Jobs {
			smaller.Jobs[j].Work /= factor
		}
		return &smaller
	},
}
