package sim

import (
	"math"

	"schedgap/models/simulation/relaxed"
)

// bound is the greatest share of jobs on time that any policy could have had; false: there is none but 1. Attempts draw their
// times by how many there were of the task, without end, so none takes less than its launch and t_min, and that is all that is
// certain (docs/bounds-and-proofs.md#simulated-runs). Where launch times vary, not even that is.
func (e *engine) bound() (share float64, ok bool) {
	if e.LaunchCV > 0 {
		return 0, false
	}
	return e.onTime(func(id int32) (longest, sum float64) {
		j := &e.Jobs[id]
		longest = e.Launch + e.processing(j.TMin)
		return longest, longest * float64(j.Tasks)
	}), true
}

// boundOfFew is the same for policies that start at most 1 + max_copies attempts of a task, where times are known to be no less
// than those drawn.
func (e *engine) boundOfFew() (share float64, ok bool) {
	if e.times != nil || e.mostDrawn > int32(e.MaxCopies)+1 || e.LaunchCV > 0 || e.SpeedEvery > 0 {
		return 0, false
	}
	return e.onTime(func(id int32) (longest, sum float64) {
		j := &e.Jobs[id]
		for i := range int32(j.Tasks) {
			u := 0.0 // the largest has the least time
			for k := range int32(e.MaxCopies) + 1 {
				u = max(u, uniform(e.states[id].stream, i, k))
			}
			x := e.processing(j.TMin * math.Exp(-math.Log(u)/j.Beta))
			longest = max(longest, e.Launch+x)
			sum += e.Launch + x
		}
		return longest, sum
	}), true
}

// onTime bounds the share of jobs on time, given the least time of each job's longest task and of all its tasks together. A job
// holds a VM a task until the task is done, and one for its master.
func (e *engine) onTime(least func(id int32) (longest, sum float64)) float64 {
	var windows []relaxed.Window
	origin := e.Jobs[0].Arrival
	for id := range e.Jobs {
		j := &e.Jobs[id]
		longest, sum := least(int32(id))
		if until := j.Deadline * (1 + 2*relaxed.Margin); longest*(1-relaxed.Margin) <= until {
			from := j.Arrival - origin
			windows = append(windows, relaxed.Window{From: from, To: from + until, Volume: (sum + longest) * (1 - relaxed.Margin)})
		}
	}
	return float64(relaxed.OnTime(windows, float64(e.capacity))) / float64(len(e.Jobs))
}
