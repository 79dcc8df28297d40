package sim

import (
	"math"

	"schedgap/models/simulation/relaxed"
)

// bound is the least mean flowtime that any policy could have had with the machines' speeds of this repetition
// (docs/bounds-simulated.md): what the machines did between two events is one machine's, which is at most as fast as all at their
// best, and no job is served faster than by a machine at its best.
func (e *engine) bound() float64 {
	jobs := make([]relaxed.Job, len(e.jobs))
	origin, arrivals := e.jobs[0].Arrival, 0.0
	for i := range e.jobs {
		arrival, counts := e.jobs[i].Arrival, e.jobs[i].Arrival
		if e.slot > 0 {
			counts = max(counts, math.Ceil(counts/e.slot)*e.slot)
		}
		alone := e.jobs[i].Work / e.fastest
		jobs[i] = relaxed.Job{Release: counts - origin, Volume: e.jobs[i].Work, Least: alone, Lag: alone / 2}
		arrivals += arrival - origin
	}
	ends := relaxed.Later(relaxed.Shortest(jobs, e.offered), relaxed.Earliest(jobs))
	sum := max(relaxed.Sum(jobs, ends), relaxed.Busy(jobs, e.offered))
	return max(0, sum-arrivals) / float64(len(jobs))
}
