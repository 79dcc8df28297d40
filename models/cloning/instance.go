// Package cloning is the multi-resource scheduling problem of DollyMP (ICPP 2022): jobs are graphs of phases, a phase is
// a number of equal tasks, tasks may run in several copies at once, and servers have capacities of several resources; minimise
// the sum of the jobs' flowtimes.
//
// Time is slotted: slot t is the interval (t−1, t].
package cloning

import "schedgap/models"

// An Instance is one cluster with the jobs that arrive at it.
type Instance struct {
	models.Header
	Resources          []string // names of the resources, at least one; cpu and mem unless the file names others
	MaxCopies          int      // the most running copies of a task, all counted, ≥ 1
	MaxCopiesPerServer int      // of these, on one server, ≥ 1; 1 is the paper's x ∈ {0, 1}
	Servers            []Server
	Jobs               []Job // in file order, which breaks ties everywhere
}

// Head implements models.Instance.
func (in *Instance) Head() models.Header { return in.Header }

// A Server has capacities of the instance's resources.
type Server struct {
	ID       string
	Capacity []float64 // by resource, ≥ 0
}

// A Job is done when all its phases are.
type Job struct {
	ID      string
	Arrival int     // slot after which its tasks may run, ≥ 0
	Phases  []Phase // at least one
}

// A Phase starts when all tasks of all its parents are done.
type Phase struct {
	ID      string
	Parents []int     // indices of the job's phases, without cycles
	Tasks   int       // equal tasks, ≥ 1
	Demand  []float64 // of one copy, by resource, ≥ 0
	Mean    float64   // mean duration θ of a copy in slots, > 0
	SD      float64   // standard deviation σ of it, ≥ 0
	// Speedup is h: Speedup[r−1] = h(r) is the progress a slot of a task with r running copies, r = 1..MaxCopies;
	// h(1) = 1, non-decreasing, concave with h(0) = 0.
	Speedup []float64
}
