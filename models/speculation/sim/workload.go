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
	Arrival float64 `json:"arrival" is:"0..1e9"` // seconds
	Tasks   int     `json:"tasks" is:"1..1000000"`
	// Mean and CV are the mean and the coefficient of variation of t_req of eq. (1): seconds that a task takes alone on the
	// fastest node with local data.
	Mean   float64 `json:"mean" is:"1e-3..1e6"`
	CV     float64 `json:"cv" is:"0..10"`
	Input  float64 `json:"input" is:"0..1e6"`  // MB that each task reads
	Memory float64 `json:"memory" is:"0..1e3"` // GB/s that each attempt moves from and to memory
}

// The limits of a workload, as in its tags. They keep times well within the precision of a float64 and a job within memory.
const (
	MaxTasks   = 1_000_000
	MinSeconds = 1e-3
	MaxMean    = 1e6
	MaxCV      = 10
	MaxInput   = 1e6
	MaxMemory  = 1e3
)

// Key is the job's id.
func (j Job) Key() string { return j.ID }
