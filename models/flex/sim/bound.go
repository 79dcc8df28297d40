package sim

import "schedgap/models/simulation/relaxed"

// bound is the least average response and the least makespan that any policy could have had with the tasks' times of this
// repetition (docs/bounds-and-proofs.md#simulated-runs): each pool is one machine, Map tasks are there from the arrival on, and
// Reduce tasks from when the maps alone could be done.
func (e *engine) bound() (response, makespan float64) {
	n, origin := len(e.Jobs), e.Jobs[0].Arrival
	maps, reduces := make([]relaxed.Job, n), make([]relaxed.Job, 0, n)
	mapOnly, arrivals := 0.0, 0.0 // sums over jobs
	for i := range e.Jobs {
		arrival := e.Jobs[i].Arrival - origin
		m, r := &e.pools[mapPool].phases[i], &e.pools[reducePool].phases[i]
		span := e.span(mapPool, m)
		job := relaxed.Job{Release: arrival, Volume: m.work, Least: span, Lag: m.squares / m.work / 2}
		if e.Jobs[i].Reduce != nil {
			tail := e.span(reducePool, r)
			reduces = append(reduces, relaxed.Job{Release: arrival + span, Volume: r.work, Least: tail, Lag: r.squares / r.work / 2})
			job.Least, job.Tail, job.Lag = span+tail, tail, job.Lag+tail
		} else {
			mapOnly += arrival + span
		}
		maps[i] = job
		arrivals += arrival
		makespan = max(makespan, arrival+job.Least)
	}
	least := func(kind int, jobs []relaxed.Job) float64 {
		c := relaxed.Constant(e.slots[kind])
		ends := relaxed.Shortest(jobs, c)
		if len(ends) > 0 {
			makespan = max(makespan, ends[len(ends)-1])
		}
		return max(relaxed.Sum(jobs, relaxed.Later(ends, relaxed.Earliest(jobs))), relaxed.Busy(jobs, c))
	}
	sum := max(least(mapPool, maps), mapOnly*(1-relaxed.Margin)+least(reducePool, reduces))
	return max(0, sum-arrivals) / float64(n), makespan * (1 - relaxed.Margin)
}

// span is how long a phase takes at least that has its pool to itself.
func (e *engine) span(kind int, p *phase) float64 {
	return max(p.longest, p.work/float64(e.slots[kind]))
}
