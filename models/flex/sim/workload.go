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
	Arrival float64 `json:"arrival" is:"0..1e9"` // seconds
	Map     Phase   `json:"map"`
	Reduce  *Phase  `json:"reduce,omitempty"`
	// What follows may be left out: it is drawn then where it counts (penalty.go).
	Weight   float64     `json:"weight,omitempty" is:"0..1e9"`   // of the job's penalty
	Deadline float64     `json:"deadline,omitempty" is:"0..1e9"` // seconds after the arrival
	Metric   flex.Metric `json:"metric,omitempty" words:"response|stretch|tardy|tardiness|lateness|sla"`
}

// A Phase is a set of independent tasks of one slot each. Their times are drawn, at the seed of a run, from a lognormal
// distribution of the given mean and coefficient of variation.
type Phase struct {
	Tasks int     `json:"tasks" is:"1..10000000"`
	Mean  float64 `json:"mean" is:"1e-6..1e9"`        // seconds
	CV    float64 `json:"cv" is:"0..100" default:"0"` // standard deviation over mean, at most MaxCV
}

// Work is the phase's expected work in slot-seconds.
func (p Phase) Work() float64 { return float64(p.Tasks) * p.Mean }

// MaxCV is the limit of CV. All limits keep times well within the precision of a float64 and a phase within memory.
const MaxCV = 100

// Key is the job's id.
func (j Job) Key() string { return j.ID }
