package sim

import "math"

// mix is the output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

const golden = 0x9e3779b97f4a7c15

// draws make the durations of copies. Each depends on the seed and on the copy's job, phase, task and number alone, so that all
// policies meet the same tasks.
type draws struct {
	seed uint64
	jobs []Job
	slot float64 // seconds
}

// duration is that, in slots, of the k-th copy of a task, counted from 0.
func (d *draws) duration(job, phase, task, k int) float64 {
	p := &d.jobs[job].Phases[phase]
	h := mix(d.seed + golden)
	for _, x := range [...]int{job, phase, task, k} {
		h = mix(h + golden*uint64(x+1))
	}
	return p.draw(h, task, k) / d.slot
}

// draw is a copy's duration in seconds by random bits h.
func (p *Phase) draw(h uint64, task, k int) float64 {
	if n := uint64(len(p.Durations)); n > 0 {
		if k == 0 {
			return p.Durations[uint64(task)%n]
		}
		return p.Durations[h%n]
	}
	// The Pareto distribution of the given mean and deviation: α = 1 + √(1 + (θ/σ)²), x_m = θ(α − 1)/α.
	alpha := 1 + math.Hypot(1, p.Mean/p.SD)
	if alpha > 1e15 {
		return p.Mean // to a float64; far above, the product below overflows
	}
	u := (float64(h>>11) + 0.5) * (1. / (1 << 53)) // in (0, 1)
	return p.Mean * (alpha - 1) / alpha * math.Exp(-math.Log(u)/alpha)
}
