package sim

import (
	"fmt"

	"schedgap/models/simulation"
)

// A Workload is a sequence of jobs. It is not changed by a run, so that runs may share it.
type Workload struct {
	Jobs []Job // in file order; jobs that arrive together are served in it
}

// A Job is a set of tasks that run in one wave. The times of their attempts are drawn, at the seed of a run, from a Pareto
// distribution: P(time > t) = (TMin/t)^Beta for t ≥ TMin.
type Job struct {
	ID       string  `json:"job"`
	Arrival  float64 `json:"arrival"`  // seconds, 0 ≤ Arrival ≤ MaxSeconds
	Deadline float64 `json:"deadline"` // seconds after the arrival, MinSeconds ≤ Deadline ≤ MaxSeconds
	Tasks    int     `json:"tasks"`    // 1 ≤ Tasks ≤ MaxTasks
	TMin     float64 `json:"t_min"`    // seconds, MinSeconds ≤ TMin ≤ MaxSeconds
	Beta     float64 `json:"beta"`     // MinBeta ≤ Beta ≤ MaxBeta
}

// The limits of a workload. They keep times within what a float64 resolves well and a job within memory.
const (
	MaxTasks   = 1_000_000
	MinSeconds = 1e-3
	MaxSeconds = 1e9 // some 30 years
	MinBeta    = 0.1
	MaxBeta    = 1e6
)

func (j *Job) validate() *simulation.FieldError {
	within := func(path string, v, least, most float64, unit string) *simulation.FieldError {
		if v >= least && v <= most {
			return nil
		}
		return &simulation.FieldError{Path: path, Reason: fmt.Sprintf("%v must be between %v and %v%s", v, least, most, unit)}
	}
	const seconds = " seconds"
	for _, err := range []*simulation.FieldError{
		within("arrival", j.Arrival, 0, MaxSeconds, seconds),
		within("deadline", j.Deadline, MinSeconds, MaxSeconds, seconds),
		within("t_min", j.TMin, MinSeconds, MaxSeconds, seconds),
		within("beta", j.Beta, MinBeta, MaxBeta, ""),
	} {
		if err != nil {
			return err
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
