package sim

import (
	"math"

	"schedgap/models/simulation"
)

// draws make the durations of copies. Each depends on the seed and on the copy's job, phase, task and number only, so that all
// policies meet the same tasks.
type draws struct {
	seed uint64
	jobs []Job
	slot float64 // seconds
	// slowest bounds durations that are drawn, over the phase's mean; 0: no bound.
	slowest float64
	// alike has a clone take as long as the first copy of some task of its phase.
	alike bool
}

// A law is the distribution of a phase's durations.
type law struct {
	phase *Phase
	bits  uint64 // random ones of the phase
	// The Pareto distribution of the phase's mean and deviation: α = 1 + √(1 + (θ/σ)²), x_m = θ(α − 1)/α.
	alpha, least float64
	most         float64 // bound of a duration, seconds
}

func (d *draws) law(job, phase int) law {
	p := &d.jobs[job].Phases[phase]
	alpha := 1 + math.Hypot(1, p.Mean/p.SD)
	l := law{phase: p, bits: simulation.SubStream(d.seed, 0), alpha: alpha, least: p.Mean * (alpha - 1) / alpha, most: math.Inf(1)}
	if d.slowest > 0 {
		l.most = d.slowest * p.Mean
	}
	l.bits = mixed(mixed(l.bits, job), phase)
	return l
}

// mixed are the random bits of what x is of.
func mixed(bits uint64, x int) uint64 { return simulation.SubStream(bits, uint64(x)) }

// duration is that, in slots, of the k-th copy of a task of a phase, counted from 0.
func (d *draws) duration(l *law, task, k int) float64 {
	bits := mixed(mixed(l.bits, task), k)
	if d.alike && k > 0 && len(l.phase.Durations) == 0 {
		task, k = int(bits%uint64(l.phase.Tasks)), 0
		bits = mixed(mixed(l.bits, task), k)
	}
	return l.draw(bits, task, k) / d.slot
}

// draw is a copy's duration in seconds, given its random bits.
func (l *law) draw(bits uint64, task, k int) float64 {
	if n := uint64(len(l.phase.Durations)); n > 0 {
		if k == 0 {
			return l.phase.Durations[uint64(task)%n]
		}
		return l.phase.Durations[bits%n]
	}
	if l.alpha > 1e15 {
		return l.phase.Mean // to a float64; far above, x_m overflows
	}
	return min(l.most, l.least*math.Exp(-math.Log(simulation.Unit(bits))/l.alpha))
}
