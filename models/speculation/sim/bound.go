package sim

import (
	"cmp"
	"math"
	"slices"

	"schedgap/models/simulation/relaxed"
)

// A least is a lower bound on the time of a job's tasks, for any attempts: sizes times the lesser slowdown of the task's
// attempts, on a node of slowness 1 that runs nothing else.
type least struct{ volume, squares, longest float64 }

func (l *least) add(x float64) {
	l.volume += x
	l.squares += x * x
	l.longest = max(l.longest, x)
}

// bounds are the least mean execution, response and energy that any policy could have had with the sizes and slowdowns of this
// repetition (docs/bounds-and-proofs.md#simulated-runs): the nodes are one machine as fast as all of them at their best
// together, and inputs are everywhere.
func (e *engine) bounds() (execution, response, energy float64) {
	speed, fastest := 0.0, math.Inf(1)
	best := 0.0
	for k := 1; k <= e.PerNode; k++ {
		best = max(best, float64(k)/e.stretches[k])
	}
	for i := range e.nodes {
		speed += best / e.nodes[i].slowness
		fastest = min(fastest, e.nodes[i].slowness)
	}
	nodes := e.frugal()
	jobs := make([]relaxed.Job, len(e.Jobs))
	origin, arrivals := e.Jobs[0].Arrival, 0.0
	for i := range e.Jobs {
		l, release := &e.states[i].least, e.Jobs[i].Arrival-origin
		alone := l.longest * fastest
		execution += alone
		jobs[i] = relaxed.Job{
			Release: release, Volume: l.volume, Least: max(alone, l.volume/speed), Lag: l.squares / l.volume * fastest / 2,
		}
		arrivals += release
		power := math.Inf(1) // energy of a unit of volume
		for _, n := range nodes {
			power = min(power, n.slowness*(e.static+n.corePower+MemoryEnergy*e.Jobs[i].Memory))
		}
		energy += l.volume * power
	}
	c := relaxed.Constant(speed)
	sum := max(relaxed.Sum(jobs, relaxed.Later(relaxed.Shortest(jobs, c), relaxed.Earliest(jobs))), relaxed.Busy(jobs, c))
	n := float64(len(jobs))
	response = max(0, sum-arrivals) / n
	execution *= (1 - relaxed.Margin) / n
	if e.FromArrival {
		execution = response
	}
	return execution, response, energy * (1 - relaxed.Margin) / n
}

// frugal are the nodes for which no other is as fast at no more energy.
func (e *engine) frugal() []node {
	nodes := slices.Clone(e.nodes)
	slices.SortFunc(nodes, func(a, b node) int {
		return cmp.Or(cmp.Compare(a.slowness, b.slowness), cmp.Compare(a.corePower, b.corePower))
	})
	list, power := nodes[:0], math.Inf(1)
	for _, n := range nodes {
		if n.corePower < power {
			list, power = append(list, n), n.corePower
		}
	}
	return list
}
