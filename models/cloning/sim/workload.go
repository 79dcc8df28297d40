package sim

import (
	"fmt"
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
	Count int     `json:"servers"` // 1 ≤ Count, all kinds together at most MaxServers
	CPU   float64 `json:"cpu"`     // cores, or in shares of a machine as in the Google trace; > 0
	Mem   float64 `json:"mem"`     // GB or share, > 0
}

// A Job is a graph of phases.
type Job struct {
	ID      string  `json:"job" is:"id"`
	Arrival float64 `json:"arrival" default:"0"` // seconds, 0 ≤ Arrival ≤ MaxSeconds
	Weight  float64 `json:"weight" default:"1"`  // of hrdf, > 0
	Kind    string  `json:"kind,omitempty"`      // jobs of a kind repeat each other's computation; empty: it is the only one
	Phases  []Phase `json:"phases"`              // 1 to MaxPhases, parents before children
}

// A Phase is a number of equal tasks.
type Phase struct {
	Parents []int   `json:"parents,omitempty"` // earlier phases of the job by index, increasing
	Tasks   int     `json:"tasks"`             // 1 ≤ Tasks ≤ MaxTasks
	CPU     float64 `json:"cpu"`               // of one copy, ≥ 0
	Mem     float64 `json:"mem"`               // of one copy, ≥ 0
	Mean    float64 `json:"mean"`              // duration of a copy, seconds, MinSeconds ≤ Mean ≤ MaxSeconds
	SD      float64 `json:"sd" default:"0"`    // its standard deviation, seconds, 0 ≤ SD ≤ MaxSeconds
	// Durations are those that were measured, at most MaxDurations: in the stochastic model the first copy of task i takes
	// Durations[i mod their number], a clone one of them at random (section 6.3 of the paper). Empty: all copies draw from the
	// Pareto distribution of Mean and SD.
	Durations []float64 `json:"durations,omitempty"` // seconds, each as Mean
}

// The limits of a workload. They keep times within what a float64 resolves well and jobs within memory.
const (
	MaxServers   = 1_000_000
	MaxTasks     = 10_000_000
	MaxPhases    = 10_000
	MaxDurations = 100_000
	MinSeconds   = 1e-6
	MaxSeconds   = 1e9 // some 30 years
)

const seconds = " seconds"

// PaperCluster is the cluster of section 6.1: 2 servers of 24 cores and 48 GB, 7 of 16 cores and 32 to 64 GB, and 21 of 8 cores
// and 16 GB, 328 cores in all. The paper does not say which of the 7 has how much; here they have 32, 48 and 64 GB in turn.
func PaperCluster() []Servers {
	return []Servers{{2, 24, 48}, {3, 16, 32}, {2, 16, 48}, {2, 16, 64}, {21, 8, 16}}
}

func (s *Servers) validate(path string) *simulation.FieldError {
	return simulation.First(simulation.Within(path+".servers", s.Count, 1, MaxServers, ""), positive(path+".cpu", s.CPU),
		positive(path+".mem", s.Mem))
}

func positive(path string, v float64) *simulation.FieldError {
	if v > 0 && v <= math.MaxFloat32 {
		return nil
	}
	return &simulation.FieldError{Path: path, Reason: fmt.Sprintf("%v must be greater than 0", v)}
}

func validateCluster(cluster []Servers) *simulation.FieldError {
	n := 0
	for i := range cluster {
		if err := cluster[i].validate(fmt.Sprintf("cluster[%d]", i)); err != nil {
			return err
		}
		if n += cluster[i].Count; n > MaxServers {
			return &simulation.FieldError{
				Path:   fmt.Sprintf("cluster[%d].servers", i),
				Reason: fmt.Sprintf("%d makes more than %d servers in all", cluster[i].Count, MaxServers),
			}
		}
	}
	return nil
}

// Key is the job's id.
func (j Job) Key() string { return j.ID }

// Validate says which field is out of range.
func (j Job) Validate() *simulation.FieldError {
	if err := simulation.First(simulation.Within("arrival", j.Arrival, 0, MaxSeconds, seconds),
		positive("weight", j.Weight)); err != nil {
		return err
	}
	if n := len(j.Phases); n < 1 || n > MaxPhases {
		return &simulation.FieldError{Path: "phases", Reason: fmt.Sprintf("%d phases must be between 1 and %d", n, MaxPhases)}
	}
	for k := range j.Phases {
		if err := j.Phases[k].validate(fmt.Sprintf("phases[%d]", k), k); err != nil {
			return err
		}
	}
	return nil
}

func (p *Phase) validate(path string, k int) *simulation.FieldError {
	for i, q := range p.Parents {
		if q < 0 || q >= k || i > 0 && q <= p.Parents[i-1] {
			return &simulation.FieldError{
				Path:   fmt.Sprintf("%s.parents[%d]", path, i),
				Reason: fmt.Sprintf("%d must be one of the phases before phase %d, in increasing order", q, k),
			}
		}
	}
	if err := simulation.First(
		simulation.Within(path+".tasks", p.Tasks, 1, MaxTasks, ""),
		simulation.Within(path+".cpu", p.CPU, 0, math.MaxFloat32, ""), simulation.Within(path+".mem", p.Mem, 0, math.MaxFloat32, ""),
		simulation.Within(path+".mean", p.Mean, MinSeconds, MaxSeconds, seconds),
		simulation.Within(path+".sd", p.SD, 0, MaxSeconds, seconds),
	); err != nil {
		return err
	}
	if n := len(p.Durations); n > MaxDurations {
		return &simulation.FieldError{Path: path + ".durations", Reason: fmt.Sprintf("%d values must be at most %d", n, MaxDurations)}
	}
	for i, d := range p.Durations {
		if err := simulation.Within(fmt.Sprintf("%s.durations[%d]", path, i), d, MinSeconds, MaxSeconds, seconds); err != nil {
			return err
		}
	}
	return nil
}

// Validate checks a workload that was not read from a file.
func (w *Workload) Validate() error {
	if err := validateCluster(w.Cluster); err != nil {
		return err
	}
	return w.Workload.Validate()
}

// instance is the workload in slots of the given length, on a cluster by the options. Fields that only name things are empty.
func (w *Workload) instance(o *options) *cloning.Instance {
	in := &cloning.Instance{
		Resources: cloning.DefaultResources(), MaxCopies: o.MaxCopies, MaxCopiesPerServer: o.PerServer,
		Jobs: make([]cloning.Job, len(w.Jobs)),
	}
	for _, kind := range o.cluster(w) {
		// All servers of a kind share one capacity.
		capacity := []float64{kind.CPU * o.CPUFactor, kind.Mem}
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
