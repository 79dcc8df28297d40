package sim

import "math"

// mix is the output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

const golden = 0x9e3779b97f4a7c15

// stream is the source of a job's times: it depends on the seed and the job's place in the file only, so that all policies
// meet the same tasks.
func stream(seed uint64, place int) uint64 { return mix(mix(seed+golden) + golden*uint64(place+1)) }

// pareto is the time of a task's k-th attempt, counted from 0, for the whole task.
func pareto(j *Job, stream uint64, task, k int32) float64 {
	return j.TMin * math.Exp(-math.Log(uniform(stream, task, k))/j.Beta)
}

// uniform is a number in (0, 1) for a task's k-th attempt.
func uniform(stream uint64, task, k int32) float64 {
	h := mix(stream + golden*(uint64(task)<<32|uint64(k)+1))
	return (float64(h>>11) + 0.5) * (1. / (1 << 53))
}

// A purpose has a stream of its own beside a job's.
type purpose uint64

const (
	ofLaunch purpose = iota + 1
	ofSpeed
	ofStretch
)

func (p purpose) of(stream uint64) uint64 { return mix(stream ^ golden*uint64(p)) }
