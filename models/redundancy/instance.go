// Package redundancy is the scheduling problem of redundant execution with checkpoints (Xu, Lau et al., 2018): jobs run on
// several machines at once at a concave speedup, and allocations change at arrivals and completions only; minimise the sum of
// the jobs' flowtimes. Time is continuous.
package redundancy

import "schedgap/models"

// An Instance is one cluster of equal machines with the jobs that arrive at it.
type Instance struct {
	models.Header
	Machines     int     // M ≥ 1
	Multitasking bool    // machines may be shared
	Speed        float64 // of the machines of an algorithm that is given more than OPT has, > 0; OPT's have 1
	// Speedup is h: Speedup[r−1] = h(r) is the rate of a job on r machines, r = 1..Machines; h(1) = 1, non-decreasing,
	// concave with h(0) = 0.
	Speedup []float64
	Jobs    []Job // in file order; of two that arrive together the later in the file is the later arrival
}

// Head implements models.Instance.
func (in *Instance) Head() models.Header { return in.Header }

// A Job needs Work units of time on one machine.
type Job struct {
	ID      string  `json:"id"`
	Arrival float64 `json:"arrival"` // ≥ 0
	Work    float64 `json:"work"`    // > 0
}
