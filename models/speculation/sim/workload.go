package sim

import "schedgap/models/simulation"

// A Workload is a sequence of jobs; jobs that arrive together are served in it.
type Workload = simulation.Workload[Job]

// A Job is a set of independent tasks, such as the maps of a MapReduce job. The sizes of its tasks are drawn, at the seed of a
// run, from a lognormal distribution.
//
//	{"job":"a","arrival":0,"tasks":600,"mean":30,"cv":0.2,"input":128,"memory":1}
//
// is its line of a workload file.
type Job struct {
	ID      string  `json:"job" is:"id"`
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

// Key is the job's id.
func (j Job) Key() string { return j.ID }

// Validate says which field is out of range.
func (j Job) Validate() *simulation.FieldError {
	return simulation.First(
		simulation.Within("arrival", j.Arrival, 0, MaxSeconds, " seconds"),
		simulation.Within("mean", j.Mean, MinSeconds, MaxMean, " seconds"),
		simulation.Within("cv", j.CV, 0, MaxCV, ""),
		simulation.Within("input", j.Input, 0, MaxInput, " MB"),
		simulation.Within("memory", j.Memory, 0, MaxMemory, " GB/s"),
		simulation.Within("tasks", j.Tasks, 1, MaxTasks, ""),
	)
}
