package sim

import (
	"fmt"

	"schedgap/models/simulation"
)

// A Workload is a sequence of jobs. It is not changed by a run, so that runs may share it.
type Workload struct {
	Jobs []Job // in file order; of two that arrive together the later in the file is the later arrival
}

// A Job needs Work units of time on one machine of speed 1.
type Job struct {
	ID      string  `json:"job"`
	Arrival float64 `json:"arrival"` // 0 ≤ Arrival ≤ MaxTime
	Work    float64 `json:"work"`    // MinWork ≤ Work ≤ MaxTime
}

// The limits of a workload, units of time. They keep times within what a float64 resolves well.
const (
	MaxTime = 1e9
	MinWork = 1e-6
)

func (j *Job) validate() *simulation.FieldError {
	if !(j.Arrival >= 0 && j.Arrival <= MaxTime) {
		return &simulation.FieldError{Path: "arrival", Reason: fmt.Sprintf("%v must be between 0 and %v", j.Arrival, MaxTime)}
	}
	if !(j.Work >= MinWork && j.Work <= MaxTime) {
		return &simulation.FieldError{Path: "work", Reason: fmt.Sprintf("%v must be between %v and %v", j.Work, MinWork, MaxTime)}
	}
	return nil
}

// Validate checks a workload that was not read from a file.
func (w *Workload) Validate() error {
	if len(w.Jobs) == 0 {
		return fmt.Errorf("the workload has no jobs")
	}
	seen := make(map[string]int, len(w.Jobs))
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if first, twice := seen[j.ID]; twice {
			return fmt.Errorf("job %d: %q is also the id of job %d", i, j.ID, first)
		}
		seen[j.ID] = i
		if err := j.validate(); err != nil {
			return fmt.Errorf("job %q: %w", j.ID, err)
		}
	}
	return nil
}
