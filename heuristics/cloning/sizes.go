package cloning

import (
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
)

// deviations is r of e = θ + r·σ.
var deviations = models.Param{
	Name: "r", Default: 1.5, Min: 0, Max: 1e6,
	Doc: "standard deviations that a phase's effective processing time adds to its mean (sections 5 and 6.1)",
}

// sizes measures jobs and caches the quantities that never change.
type sizes struct {
	state *sim.State
	r     float64
	jobs  [][]phaseSize
	of    []int // by job: the revision of its times that jobs has the sizes of
}

type phaseSize struct {
	time   float64 // e, the effective processing time, slots
	share  float64 // d, the dominant share (eq. 15)
	volume float64 // e·d, of one task
	work   float64 // mean times the sum of the shares of all resources, of one task
	path   float64 // longest path from the phase's start to the job's end, in effective times
}

func newSizes(s *sim.State, r float64) *sizes {
	n := len(s.Instance().Jobs)
	return &sizes{state: s, r: r, jobs: make([][]phaseSize, n), of: make([]int, n)}
}

// phases returns the sizes of a job's phases.
func (z *sizes) phases(job int) []phaseSize {
	if now := z.state.Revision(job); z.jobs[job] == nil || now != z.of[job] {
		z.jobs[job], z.of[job] = z.measure(&z.state.Instance().Jobs[job]), now
	}
	return z.jobs[job]
}

func (z *sizes) measure(job *cloning.Job) []phaseSize {
	list := make([]phaseSize, len(job.Phases))
	total := z.state.Total()
	for k := range job.Phases {
		p, q := &job.Phases[k], &list[k]
		q.time = p.Mean + z.r*p.SD
		q.share = cloning.DominantShare(p.Demand, total)
		q.volume = q.time * q.share
		for r, d := range p.Demand {
			if d > 0 {
				q.work += p.Mean * d / total[r]
			}
		}
		q.path = q.time
	}
	if len(list) == 1 {
		return list
	}
	order := job.Order()
	for i := len(order) - 1; i >= 0; i-- { // children before parents
		k := order[i]
		for _, parent := range job.Phases[k].Parents {
			list[parent].path = max(list[parent].path, list[parent].time+list[k].path)
		}
	}
	return list
}

// time is e_j(t) of eq. (17): the longest path over the phases that are not done.
func (z *sizes) time(job int) float64 {
	longest := 0.0
	for k, p := range z.phases(job) {
		if z.state.Left(job, k) > 0 {
			longest = max(longest, p.path)
		}
	}
	return longest
}

// volume is v_j(t) of eq. (16).
func (z *sizes) volume(job int) float64 {
	return z.sum(job, func(p *phaseSize) float64 { return p.volume })
}

// work is the remaining work of Tetris: demands over the cluster's capacity, summed over resources, times mean durations.
func (z *sizes) work(job int) float64 {
	return z.sum(job, func(p *phaseSize) float64 { return p.work })
}

func (z *sizes) sum(job int, of func(p *phaseSize) float64) float64 {
	total, phases := 0.0, z.phases(job)
	for k := range phases {
		if left := z.state.Left(job, k); left > 0 {
			total += float64(left) * of(&phases[k])
		}
	}
	return total
}
