package sim

import (
	"fmt"

	"schedgap/models/simulation"
)

// A Workload is a sequence of jobs. It is not changed by a run, so that runs may share it.
type Workload struct {
	Jobs []Job // in file order; jobs that arrive together are served in it
}

// A Job is a Map phase and, unless Reduce is nil, a Reduce phase whose tasks cannot compute before all Map tasks are done.
type Job struct {
	ID      string  `json:"job"`
	Arrival float64 `json:"arrival"` // seconds, 0 ≤ Arrival ≤ MaxSeconds
	Map     Phase   `json:"map"`
	Reduce  *Phase  `json:"reduce,omitempty"`
}

// A Phase is a set of independent tasks of one slot each. Their times are drawn, at the seed of a run, from a lognormal
// distribution of the given mean and coefficient of variation.
type Phase struct {
	Tasks int     `json:"tasks"` // 1 ≤ Tasks ≤ MaxTasks
	Mean  float64 `json:"mean"`  // seconds, MinSeconds ≤ Mean ≤ MaxSeconds
	CV    float64 `json:"cv"`    // standard deviation over mean, 0 ≤ CV ≤ MaxCV
}

// Work is the phase's expected work in slot-seconds.
func (p Phase) Work() float64 { return float64(p.Tasks) * p.Mean }

// The limits of a workload. They keep times within what a float64 resolves well and a phase within memory.
const (
	MaxTasks   = 10_000_000
	MinSeconds = 1e-6
	MaxSeconds = 1e9 // some 30 years
	MaxCV      = 100
)

func (j *Job) validate() *simulation.FieldError {
	if !(j.Arrival >= 0 && j.Arrival <= MaxSeconds) {
		return &simulation.FieldError{Path: "arrival", Reason: fmt.Sprintf("%v must be between 0 and %v seconds", j.Arrival, MaxSeconds)}
	}
	if err := j.Map.validate("map"); err != nil {
		return err
	}
	if j.Reduce != nil {
		return j.Reduce.validate("reduce")
	}
	return nil
}

func (p Phase) validate(path string) *simulation.FieldError {
	switch {
	case p.Tasks < 1 || p.Tasks > MaxTasks:
		return &simulation.FieldError{Path: path + ".tasks", Reason: fmt.Sprintf("%d must be between 1 and %d", p.Tasks, MaxTasks)}
	case !(p.Mean >= MinSeconds && p.Mean <= MaxSeconds):
		return &simulation.FieldError{Path: path + ".mean", Reason: fmt.Sprintf("%v must be between %v and %v seconds", p.Mean, MinSeconds, MaxSeconds)}
	case !(p.CV >= 0 && p.CV <= MaxCV):
		return &simulation.FieldError{Path: path + ".cv", Reason: fmt.Sprintf("%v must be between 0 and %d", p.CV, MaxCV)}
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
