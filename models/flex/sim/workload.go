package sim

import (
	"schedgap/models/flex"
	"schedgap/models/simulation"
)

// A Workload is a sequence of jobs; jobs that arrive together are served in it.
type Workload = simulation.Workload[Job]

// A Job is a Map phase and, unless Reduce is nil, a Reduce phase whose tasks cannot compute before all Map tasks are done.
//
//	{"job":"a","arrival":0,"map":{"tasks":120,"mean":20,"cv":0.2},"reduce":{"tasks":10,"mean":60}}
//
// is its line of a workload file. reduce and cv may be left out.
type Job struct {
	ID      string  `json:"job" is:"id"`
	Arrival float64 `json:"arrival"` // seconds, 0 ≤ Arrival ≤ MaxSeconds
	Map     Phase   `json:"map"`
	Reduce  *Phase  `json:"reduce,omitempty"`
	// What follows may be left out: it is drawn then where it counts (penalty.go).
	Weight   float64     `json:"weight,omitempty"`   // of the job's penalty, 0 ≤ Weight ≤ MaxWeight
	Deadline float64     `json:"deadline,omitempty"` // seconds after the arrival, 0 ≤ Deadline ≤ MaxSeconds
	Metric   flex.Metric `json:"metric,omitempty" words:"response|stretch|tardy|tardiness|lateness|sla"`
}

// A Phase is a set of independent tasks of one slot each. Their times are drawn, at the seed of a run, from a lognormal
// distribution of the given mean and coefficient of variation.
type Phase struct {
	Tasks int     `json:"tasks"`          // 1 ≤ Tasks ≤ MaxTasks
	Mean  float64 `json:"mean"`           // seconds, MinSeconds ≤ Mean ≤ MaxSeconds
	CV    float64 `json:"cv" default:"0"` // standard deviation over mean, 0 ≤ CV ≤ MaxCV
}

// Work is the phase's expected work in slot-seconds.
func (p Phase) Work() float64 { return float64(p.Tasks) * p.Mean }

// The limits of a workload. They keep times within what a float64 resolves well and a phase within memory.
const (
	MaxTasks   = 10_000_000
	MinSeconds = 1e-6
	MaxSeconds = 1e9 // some 30 years
	MaxCV      = 100
	MaxWeight  = 1e9
)

// Key is the job's id.
func (j Job) Key() string { return j.ID }

// Validate says which field is out of range.
func (j Job) Validate() *simulation.FieldError {
	var reduce *simulation.FieldError
	if j.Reduce != nil {
		reduce = j.Reduce.validate("reduce")
	}
	return simulation.First(simulation.Within("arrival", j.Arrival, 0, MaxSeconds, " seconds"), j.Map.validate("map"), reduce,
		simulation.Within("weight", j.Weight, 0, MaxWeight, ""), simulation.Within("deadline", j.Deadline, 0, MaxSeconds, " seconds"))
}

func (p Phase) validate(path string) *simulation.FieldError {
	return simulation.First(
		simulation.Within(path+".tasks", p.Tasks, 1, MaxTasks, ""),
		simulation.Within(path+".mean", p.Mean, MinSeconds, MaxSeconds, " seconds"),
		simulation.Within(path+".cv", p.CV, 0, MaxCV, ""),
	)
}
