package sim

import (
	"fmt"

	"schedgap/models/simulation"
)

// A Workload is a sequence of jobs. It is not changed by a run, so that runs may share it.
type Workload struct {
	Jobs []Job // in file order; jobs that arrive together are served in it
}

// A Job is a set of independent tasks, such as the maps of a MapReduce job. The sizes of its tasks are drawn, at the seed of a
// run, from a lognormal distribution.
type Job struct {
	ID      string  `json:"job"`
	Arrival float64 `json:"arrival"` // seconds, 0 ≤ Arrival ≤ MaxSeconds
	Tasks   int     `json:"tasks"`   // 1 ≤ Tasks ≤ MaxTasks
	// Mean and CV are the mean and the coefficient of variation of t_req of eq. (1): seconds that a task takes alone on the
	// fastest node with local data, MinSeconds ≤ Mean ≤ MaxMean, 0 ≤ CV ≤ MaxCV.
	Mean   float64 `json:"mean"`
	CV     float64 `json:"cv"`
	Input  float64 `json:"input"`  // MB that each task reads, 0 ≤ Input ≤ MaxInput
	Memory float64 `json:"memory"` // GB/s that each attempt moves from and to memory, 0 ≤ Memory ≤ MaxMemory
}

// The limits of a workload. They keep times within what a float64 resolves well and a job within memory.
const (
	MaxTasks   = 1_000_000
	MinSeconds = 1e-3
	MaxMean    = 1e6
	MaxSeconds = 1e9 // some 30 years
	MaxCV      = 10
	MaxInput   = 1e6
	MaxMemory  = 1e3
)

func (j *Job) validate() *simulation.FieldError {
	for _, f := range []struct {
		path        string
		v           float64
		least, most float64
		unit        string
	}{
		{"arrival", j.Arrival, 0, MaxSeconds, " seconds"},
		{"mean", j.Mean, MinSeconds, MaxMean, " seconds"},
		{"cv", j.CV, 0, MaxCV, ""},
		{"input", j.Input, 0, MaxInput, " MB"},
		{"memory", j.Memory, 0, MaxMemory, " GB/s"},
	} {
		if !(f.v >= f.least && f.v <= f.most) {
			return &simulation.FieldError{
				Path: f.path, Reason: fmt.Sprintf("%v must be between %v and %v%s", f.v, f.least, f.most, f.unit),
			}
		}
	}
	if j.Tasks < 1 || j.Tasks > MaxTasks {
		return &simulation.FieldError{Path: "tasks", Reason: fmt.Sprintf("%d must be between 1 and %d", j.Tasks, MaxTasks)}
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
