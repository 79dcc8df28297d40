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
	Arrival float64 `json:"arrival"` // 0 ≤ Arrival ≤ MaxTime
	Work    float64 `json:"work"`    // MinWork ≤ Work ≤ MaxTime
}

// The limits of a workload, units of time. They keep times within what a float64 resolves well.
const (
	MaxTime = 1e9
	MinWork = 1e-6
)

// Key is the job's id.
func (j Job) Key() string { return j.ID }

// Validate says which field is out of range.
func (j Job) Validate() *simulation.FieldError {
	return simulation.First(
		simulation.Within("arrival", j.Arrival, 0, MaxTime, ""), simulation.Within("work", j.Work, MinWork, MaxTime, ""))
}
