package cloning

import (
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/cloning/sim"
)

// DollyMPCareful is the algorithm behind Corollary 4.1.
var DollyMPCareful = sim.Policy{
	Policy: models.Policy{
		Name: "dollymp-careful",
		Doc: "as dollymp, but a job of class l runs in the fewest copies that end it within 2^l slots\n\n" +
			"Xu, Liu and Lau 2022, Corollary 4.1: r_j = min {r : 2^l·h_j(r) ≥ θ_j}, of volume r·θ·d/h(r) in the knapsack; with " +
			"several phases, the least r whose critical path fits into 2^l. Clones come after the originals of their class.",
	},
	Params: []models.Param{deviations},
	Fixed:  oneSlot,
	New: func(s *sim.State, v models.Values, _ *rand.Rand) sim.Rules {
		c := &careful{sizes: newSizes(s, v.Float(deviations.Name))}
		return sim.Rules{
			MaxCopies: min(s.Instance().MaxCopies, maxCareful), Pack: sim.BestFit, Changes: sim.OnArrival, Arrived: c.classify,
			Rank: func(job, _, copies int) (sim.Rank, bool) {
				p := c.plans[job]
				return sim.Rank{Group: p.class*maxCareful + copies}, copies < p.copies
			},
		}
	},
}

// maxCareful bounds the copies of a task.
const maxCareful = 64

type careful struct {
	*sizes
	plans []plan // by job
}

type plan struct{ class, copies int }

func (c *careful) classify() {
	if c.plans == nil {
		c.plans = make([]plan, len(c.state.Instance().Jobs))
	}
	var ids []int
	var jobs []carefulSize
	for j := range c.state.Active {
		ids = append(ids, j)
		jobs = append(jobs, c.withCopies(j))
	}
	class, copies := carefulClasses(jobs)
	for i, j := range ids {
		c.plans[j] = plan{class[i], copies[i]}
	}
}

// withCopies returns the remaining size of a job by the number of copies of every task.
func (c *careful) withCopies(j int) carefulSize {
	job := &c.state.Instance().Jobs[j]
	most := min(c.state.Instance().MaxCopies, maxCareful)
	s := carefulSize{make([]float64, 0, most), make([]float64, 0, most)}
	phases := c.phases(j)
	for r := 1; r <= most; r++ {
		volume := 0.0
		for k := range phases {
			volume += float64(c.state.Left(j, k)) * phases[k].volume * float64(r) / job.Phases[k].Rate(r)
		}
		time := job.LongestPath(func(k int) float64 {
			if c.state.Left(j, k) == 0 {
				return 0
			}
			return phases[k].time / job.Phases[k].Rate(r)
		})
		s.times, s.volumes = append(s.times, time), append(s.volumes, volume)
	}
	return s
}
