package sim

import "schedgap/models/simulation"

// A Workload is a sequence of jobs; of two that arrive together the later in the file is the later arrival.
type Workload = simulation.Workload[Job]

// A Job needs Work units of time on one machine of speed 1.
//
//	{"job":"a","arrival":0,"work":40}
//
// is its line of a workload file.
type Job struct {
	ID      string  `json:"job" is:"id"`
	Arrival float64 `json:"arrival" is:"0..1e9"`
	Work    float64 `json:"work" is:"1e-6..1e9"`
}

// The limits of a workload, in units of time, as in its tags. They keep times within the accuracy of a float64.
const (
	MaxTime = 1e9
	MinWork = 1e-6
)

// Key is the job's id.
func (j Job) Key() string { return j.ID }
