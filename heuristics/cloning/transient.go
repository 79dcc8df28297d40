package cloning

import (
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/cloning/sim"
)

// DollyMPTransient is Algorithm 1 as printed, which Theorem 1 is about: unlike section 5 it lets no job pass another.
var DollyMPTransient = sim.Policy{
	Policy: models.Policy{
		Name: "dollymp-transient",
		Doc: "jobs by the classes of Algorithm 1 without clones; the first one that does not fit has all later ones wait\n\n" +
			"Xu, Liu and Lau 2022, Algorithm 1, lines 12, 13 and 16, and Theorem 1, for one server and jobs that are all there at the " +
			"start.",
	},
	Params: []models.Param{deviations},
	Fixed:  oneSlot,
	New: func(s *sim.State, v models.Values, _ *rand.Rand) sim.Rules {
		d := &dolly{sizes: newSizes(s, v.Float(deviations.Name))}
		return sim.Rules{
			MaxCopies: 1, Strict: true, Changes: sim.OnArrival, Arrived: d.classify,
			Rank: func(job, _, copies int) (sim.Rank, bool) { return sim.Rank{Group: int(d.class[job])}, copies == 0 },
		}
	},
}

// DollyMPTransientCareful is the same with the clones of Corollary 4.1. A job's clones come right after its originals.
var DollyMPTransientCareful = sim.Policy{
	Policy: models.Policy{
		Name: "dollymp-transient-careful",
		Doc: "dollymp-transient with the copies of dollymp-careful\n\n" +
			"Xu, Liu and Lau 2022, Algorithm 1 and Corollary 4.1.",
	},
	Params: []models.Param{deviations},
	Fixed:  oneSlot,
	New: func(s *sim.State, v models.Values, _ *rand.Rand) sim.Rules {
		c := &careful{sizes: newSizes(s, v.Float(deviations.Name))}
		return sim.Rules{
			MaxCopies: min(s.Instance().MaxCopies, maxCareful), Strict: true, Changes: sim.OnArrival, Arrived: c.classify,
			Rank: func(job, _, copies int) (sim.Rank, bool) {
				p := c.plans[job]
				return sim.Rank{Group: p.class}, copies < p.copies
			},
		}
	},
}
