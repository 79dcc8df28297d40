package sim

import "schedgap/models/simulation"

// A Workload is a sequence of jobs; jobs that arrive together are served in it.
type Workload = simulation.Workload[Job]

// A Job is a set of tasks that run in one wave. The times of their attempts are drawn, at the seed of a run, from a Pareto
// distribution: P(time > t) = (TMin/t)^Beta for t ≥ TMin.
//
//	{"job":"a","arrival":0,"deadline":400,"tasks":10,"t_min":120,"beta":1.5}
//
// is its line of a workload file.
type Job struct {
	ID       string  `json:"job" is:"id"`
	Arrival  float64 `json:"arrival" is:"0..1e9"`     // seconds
	Deadline float64 `json:"deadline" is:"1e-3..1e9"` // seconds after the arrival
	Tasks    int     `json:"tasks" is:"1..1000000"`
	TMin     float64 `json:"t_min" is:"1e-3..1e9"` // seconds
	Beta     float64 `json:"beta" is:"0.1..1e6"`
}

// The limits of a workload, as in its tags. They keep times well within the precision of a float64 and a job within memory.
const (
	MaxTasks   = 1_000_000
	MinSeconds = 1e-3
	MaxSeconds = 1e9 // some 30 years
	MinBeta    = 0.1
	MaxBeta    = 1e6
)

// mean is the mean time of an attempt, in seconds; it may be infinite.
func (j *Job) mean() float64 {
	return j.TMin * j.Beta / max(0, j.Beta-1)
}

// Key is the job's id.
func (j Job) Key() string { return j.ID }
