package sim

import (
	"math"

	"schedgap/models/simulation/relaxed"
)

// bound is the least mean flowtime that any policy could have had with the machines' speeds of this repetition
// (docs/bounds-and-proofs.md#simulated-runs): what the machines did between two events is one machine's, which is at most as
// fast as all at their best, no job is served faster than by a machine at its best, and only so much of the service is faster
// than any one speed.
func (e *engine) bound() float64 {
	jobs := make([]relaxed.Job, len(e.Jobs))
	origin, arrivals := e.Jobs[0].Arrival, 0.0
	for i := range e.Jobs {
		arrival, counts := e.Jobs[i].Arrival, e.Jobs[i].Arrival
		if e.slot > 0 {
			counts = max(counts, math.Ceil(counts/e.slot)*e.slot)
		}
		alone := e.Jobs[i].Work / e.fastest
		jobs[i] = relaxed.Job{Release: counts - origin, Volume: e.Jobs[i].Work, Least: alone, Lag: alone / 2}
		arrivals += arrival - origin
	}
	ends := relaxed.Later(relaxed.Shortest(jobs, e.offered), relaxed.Earliest(jobs))
	sum := max(relaxed.Sum(jobs, ends), relaxed.Busy(jobs, e.offered), e.bySpeed(jobs))
	return max(0, sum-arrivals) / float64(len(jobs))
}

// bySpeed bounds the sum of the completions: at service up to some speed a job takes its work over that speed, and what machines
// did beyond that speed is all that brings jobs forward. This holds until the last arrival; afterwards any speed is granted.
func (e *engine) bySpeed(jobs []relaxed.Job) float64 {
	best, time, work := 0.0, 0.0, 0.0
	for k := levels - 1; k > 0; k-- {
		speed := float64(k) * e.spent.width
		time, work = time+e.spent.time[k], work+e.spent.work[k]
		sum := 0.0
		for i := range jobs {
			room := max(0, e.spent.until-jobs[i].Release)
			alone := jobs[i].Volume / speed
			if alone > room {
				alone = room + (jobs[i].Volume-room*speed)/e.fastest
			}
			sum += jobs[i].Release + alone
		}
		best = max(best, sum-(work-time*speed)/speed-relaxed.Margin*(sum+work/speed))
	}
	return best
}

// speeds are for how long machines had which speed, and their service then, by equal intervals of speeds.
type speeds struct {
	until      float64 // since the first arrival
	width      float64
	time, work [levels]float64
}

const levels = 32

func (s *speeds) add(speed, time float64) {
	k := min(int(speed/s.width), levels-1)
	s.time[k] += time
	s.work[k] += speed * time
}

// settle ends the count of speeds, if it goes on.
func (e *engine) settle() {
	for i := range e.machines {
		m := &e.machines[i]
		if m.spent != nil {
			m.settle()
			m.spent, e.spent.until = nil, e.Elapsed()
		}
	}
}
