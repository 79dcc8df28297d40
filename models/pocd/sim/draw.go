package sim

import (
	"math"

	"schedgap/models/simulation"
)

// pareto is the time of a task's k-th attempt, counted from 0, for the whole task.
func pareto(j *Job, stream uint64, task, k int32) float64 {
	return j.TMin * math.Exp(-math.Log(uniform(stream, task, k))/j.Beta)
}

// uniform is a number in (0, 1) for a task's k-th attempt.
func uniform(stream uint64, task, k int32) float64 {
	return simulation.Unit(simulation.SubStream(stream, uint64(task)<<32|uint64(k)))
}

// A purpose has a stream of its own beside a job's.
type purpose uint64

const (
	ofLaunch purpose = iota + 1
	ofSpeed
	ofStretch
)

func (p purpose) of(stream uint64) uint64 {
	return simulation.SplitMix64(stream ^ simulation.SplitMixStep*uint64(p))
}
