package sim

import (
	"math"

	"schedgap/models/cloning"
	"schedgap/models/simulation"
)

// A Workload is a sequence of jobs and the cluster that they come to.
type Workload struct {
	Cluster []Servers // empty: the paper's 30 nodes (PaperCluster)
	simulation.Workload[Job]
}

// NewWorkload returns the workload of the given jobs.
func NewWorkload(cluster []Servers, jobs ...Job) *Workload {
	return &Workload{cluster, simulation.Workload[Job]{Jobs: jobs}}
}

// Servers is a number of equal servers.
type Servers struct {
	Count int     `json:"servers" is:"1..1000000"` // all kinds together at most MaxServers
	CPU   float64 `json:"cpu" is:">0,<=3e38"`      // cores, or in shares of a machine as in the Google trace
	Mem   float64 `json:"mem" is:">0,<=3e38"`      // GB or share
}

// A Job is a graph of phases.
type Job struct {
	ID      string  `json:"job" is:"id"`
	Arrival float64 `json:"arrival" is:"0..1e9" default:"0"`   // seconds
	Weight  float64 `json:"weight" is:">0,<=3e38" default:"1"` // of hrdf
	// jobs of a kind repeat each other's computation; empty: it is the only one
	Kind   string  `json:"kind,omitempty"`
	Phases []Phase `json:"phases" is:"some"` // at most maxPhases, parents before children
}

// A Phase is a number of equal tasks.
type Phase struct {
	Parents []int   `json:"parents,omitempty"` // earlier phases of the job by index, increasing
	Tasks   int     `json:"tasks" is:"1..10000000"`
	CPU     float64 `json:"cpu" is:"0..3e38"`           // of one copy
	Mem     float64 `json:"mem" is:"0..3e38"`           // of one copy
	Mean    float64 `json:"mean" is:"1e-6..1e9"`        // duration of a copy, seconds
	SD      float64 `json:"sd" is:"0..1e9" default:"0"` // its standard deviation, seconds
	// Durations are measured ones, at most MaxDurations. In the stochastic model the first copy of task i takes Durations[i mod
	// their number], a clone one of them at random (section 6.3 of the paper). Empty: all copies draw from the Pareto distribution
	// of Mean and SD.
	Durations []float64 `json:"durations,omitempty" is:"1e-6..1e9"` // seconds
}

// The limits of a workload beside its tags. They keep times within the accuracy of a float64 and jobs within memory.
const (
	MaxServers   = 1_000_000
	MaxTasks     = 10_000_000
	MaxDurations = 100_000
	maxPhases    = 10_000
)

// PaperCluster is the cluster of section 6.1: 2 servers of 24 cores and 48 GB, 7 of 16 cores and 32 to 64 GB, and 21 of 8 cores
// and 16 GB, 328 cores in all. The paper does not say which of the 7 has how much; here they have 32, 48 and 64 GB in turn.
func PaperCluster() []Servers {
	return []Servers{{2, 24, 48}, {3, 16, 32}, {2, 16, 48}, {2, 16, 64}, {21, 8, 16}}
}

// Key is the job's id.
func (j Job) Key() string { return j.ID }

// Validate checks a workload that was not read from a file.
func (w *Workload) Validate() error { return simulation.Valid(w, ReadWorkload) }

// instance is the workload in slots of the given length, on a cluster by the options. Fields that only name things are empty.
func (w *Workload) instance(o *options) *cloning.Instance {
	in := &cloning.Instance{
		Resources: cloning.DefaultResources(), MaxCopies: o.MaxCopies, MaxCopiesPerServer: o.PerServer,
		Jobs: make([]cloning.Job, len(w.Jobs)),
	}
	for _, kind := range o.cluster(w) {
		// All servers of a kind share one capacity.
		capacity := []float64{kind.CPU, kind.Mem}
		for range kind.Count {
			in.Servers = append(in.Servers, cloning.Server{Capacity: capacity})
		}
	}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		job := cloning.Job{ID: j.ID, Arrival: int(math.Ceil(j.Arrival/o.Slot - 1e-9)), Phases: make([]cloning.Phase, len(j.Phases))}
		for k := range j.Phases {
			p := &j.Phases[k]
			job.Phases[k] = cloning.Phase{
				Parents: p.Parents, Tasks: p.Tasks, Demand: []float64{p.CPU, p.Mem}, Mean: p.Mean / o.Slot, SD: p.SD / o.Slot,
				Speedup: cloning.ParetoSpeedup(p.Mean, p.SD, o.MaxCopies),
			}
		}
		in.Jobs[i] = job
	}
	return in
}
