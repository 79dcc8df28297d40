package sim

import (
	"math"
	"math/rand/v2"
)

// A phase is the state of a Map or Reduce phase. Its tasks start in order.
type phase struct {
	active   bool      // competes for slots or did
	times    []float64 // of the tasks, seconds, while it is active and unfinished
	tasks    int
	done     int
	started  int
	held     int     // slots
	doneTime float64 // of the finished tasks
	toStart  float64 // times of the tasks not started
	waiting  float64 // times of the Reduce tasks that hold slots while the Maps are unfinished
	endSum   float64 // times at which the computing tasks end
	blocked  bool    // started tasks wait
	work     float64 // of all tasks
	squares  float64 // of all tasks' times, summed
	longest  float64 // task

	target int
}

// draw draws the tasks' times. Each phase has a random stream of its own, so that all policies see the same tasks.
func (p *phase) draw(spec Phase, rng *rand.Rand) {
	p.active = true
	p.times = make([]float64, spec.Tasks)
	variance := math.Log1p(spec.CV * spec.CV)
	mu, sd := math.Log(spec.Mean)-variance/2, math.Sqrt(variance)
	for i := range p.times {
		if spec.CV == 0 {
			p.times[i] = spec.Mean
		} else {
			p.times[i] = math.Exp(mu + sd*rng.NormFloat64())
		}
		p.work += p.times[i]
		p.squares += p.times[i] * p.times[i]
		p.longest = max(p.longest, p.times[i])
	}
	p.toStart = p.work
}

func (p *phase) pending() bool { return p.started < p.tasks }

// start takes a slot and returns the task that gets it.
func (p *phase) start() (task int, time float64) {
	task = p.started
	time = p.times[task]
	p.started++
	p.held++
	p.toStart -= time
	if !p.pending() {
		p.toStart = 0 // not a rounding error
	}
	return task, time
}

// finish gives a task's slot back.
func (p *phase) finish(task int, at float64) (time float64) {
	time = p.times[task]
	p.done++
	p.doneTime += time
	p.held--
	p.endSum -= at
	if p.held == 0 {
		p.endSum = 0
	}
	return time
}

// key is held/target: the least is the most relatively under-allocated.
func (p *phase) key() float64 {
	if p.target == 0 {
		return math.Inf(1) // it gets only what nobody with a target can use
	}
	return float64(p.held) / float64(p.target)
}

// remaining is the true work left at time now.
func (p *phase) remaining(now float64) float64 {
	left := p.toStart + p.waiting
	if !p.blocked {
		left += p.endSum - float64(p.held)*now
	}
	// An unfinished task has work left; what rounding took from it does not make the instance invalid.
	return max(left, 1e-9*p.work/float64(p.tasks))
}
