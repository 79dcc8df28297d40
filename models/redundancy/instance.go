// Package redundancy is the scheduling problem of redundant execution with checkpoints (Xu, Lau et al., 2018): jobs run on
// several machines at once at a concave speedup, and allocations change at arrivals and completions only; minimise the sum of
// the jobs' flowtimes. Time is continuous.
package redundancy

import "schedgap/models"

// An Instance is one cluster of equal machines with the jobs that arrive at it.
type Instance struct {
	models.Header `json:"-"`
	Machines      int  `json:"machines" is:">=1" doc:"M"`
	Multitasking  bool `json:"multitasking" doc:"whether machines may be shared"`
	// Speed of the machines of an algorithm that is given more than OPT has; OPT's have 1.
	Speed float64 `json:"speed" is:">0" doc:"of the machines for algorithms; the optimum has 1"`
	// Speedup is h: Speedup[r−1] = h(r) is the rate of a job on r machines, r = 1..Machines; h(1) = 1, non-decreasing,
	// concave with h(0) = 0.
	Speedup []float64 `json:"speedup" is:"some" schema:">=1" doc:"h(1), …, h(M)"`
	// Jobs in file order; of two that arrive together the later in the file is the later arrival.
	Jobs []Job `json:"jobs" is:"some"`
}

// Head implements models.Instance.
func (in *Instance) Head() models.Header { return in.Header }

// A Job needs Work units of time on one machine.
type Job struct {
	ID      string  `json:"id" is:"id,unique"`
	Arrival float64 `json:"arrival" is:">=0,<=1e100" doc:"a_j"`
	Work    float64 `json:"work" is:">0" doc:"W_j, time on one machine of speed 1"`
}

// ByArrival lists the jobs as they arrive, those that arrive together in the file's order.
func ByArrival(in *Instance) []int {
	return models.OrderBy(len(in.Jobs), func(j int) float64 { return in.Jobs[j].Arrival })
}
