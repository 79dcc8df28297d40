package sim

import "schedgap/models/cloning"

// State is the information of a policy: the arrived jobs and the progress of their tasks. Policies must not change it.
type State struct {
	in      *cloning.Instance
	seen    *cloning.Instance // with the times that policies see; nil: they see in
	total   []float64         // of capacity
	weights []float64         // by job; nil: all 1
	now     int
	jobs    []jobState
	active  []int32 // by arrival, may hold ended ones
	ended   int     // of active

	revisions []int // by job, see Revision
}

// A jobState is made when its job arrives.
type jobState struct {
	phases     []phaseState
	left       int // phases that are not done
	start      int // slot after which its first copy ran; −1: none did
	finish     float64
	usage      float64 // resources of its copies times slots, in servers
	cloned     int     // tasks that had more than one copy
	clones     int     // copies besides first ones
	running    int32   // copies, where a monitor asks
	cloneUsage float64
	rerank     bool
}

type phaseState struct {
	waits    int32 // parents that are not done
	left     int32 // tasks that are not done
	started  int32 // tasks
	copies   int32 // running
	children []int32
	entries  []entry // once the parents are done
	demand   []float64
	worth    float64 // of a copy, in servers
	law      law     // stochastic model
	from     int32   // no server before it has room for a task, at the decision of that number
	decision int32
}

// Total returns the cluster's capacity by resource.
func (s *State) Total() []float64 { return s.total }

// Now is the slot that has just ended.
func (s *State) Now() int { return s.now }

// Active yields the jobs that have arrived and are not done, by arrival.
func (s *State) Active(yield func(job int) bool) {
	for _, j := range s.active {
		if s.jobs[j].left > 0 && !yield(int(j)) {
			return
		}
	}
}

// Count is the number of jobs that have arrived and are not done.
func (s *State) Count() int { return len(s.active) - s.ended }

// Left is the number of tasks of a phase that are not done.
func (s *State) Left(job, phase int) int { return int(s.jobs[job].phases[phase].left) }

// Started is the number of tasks of a phase that got a copy.
func (s *State) Started(job, phase int) int { return int(s.jobs[job].phases[phase].started) }

// Copies is the number of running copies of a phase.
func (s *State) Copies(job, phase int) int { return int(s.jobs[job].phases[phase].copies) }

// Weight is a job's weight, 1 unless the workload says otherwise.
func (s *State) Weight(job int) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[job]
}
