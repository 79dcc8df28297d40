package cloning

import (
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/cloning/sim"
)

// SRPT serves the job with least remaining effective time.
var SRPT = sim.Policy{
	Policy: models.Policy{
		Name: "srpt",
		Doc: "jobs by least remaining effective time e_j(t)\n\n" +
			"Xu, Liu and Lau 2022, section 4.2 and eq. (17). docs/problems/cloning.md#baselines.",
	},
	Params: []models.Param{deviations},
	New: func(s *sim.State, v models.Values, _ *rand.Rand) sim.Rules {
		return byJob(newSizes(s, v.Float(deviations.Name)).time, sim.OnProgress)
	},
}

// SVF serves the job with least remaining effective volume.
var SVF = sim.Policy{
	Policy: models.Policy{
		Name: "svf",
		Doc: "jobs by least remaining effective volume v_j(t)\n\n" +
			"Xu, Liu and Lau 2022, section 4.2 and eq. (16). docs/problems/cloning.md#baselines.",
	},
	Params: []models.Param{deviations},
	New: func(s *sim.State, v models.Values, _ *rand.Rand) sim.Rules {
		return byJob(newSizes(s, v.Float(deviations.Name)).volume, sim.OnProgress)
	},
}

// HRDF serves the job with the highest residual density.
var HRDF = sim.Policy{
	Policy: models.Policy{
		Name: "hrdf",
		Doc: "jobs by largest weight over remaining effective volume; svf where all weights are 1\n\n" +
			"Fox and Korupolu, Weighted Flowtime on Capacitated Machines, SODA 2013; " +
			"docs/problems/cloning.md#baselines.",
	},
	Params: []models.Param{deviations},
	New: func(s *sim.State, v models.Values, _ *rand.Rand) sim.Rules {
		z := newSizes(s, v.Float(deviations.Name))
		return byJob(func(job int) float64 { return z.volume(job) / s.Weight(job) }, sim.OnProgress)
	},
}

// Capacity is YARN's Capacity Scheduler.
var Capacity = sim.Policy{
	Policy: models.Policy{
		Name: "capacity",
		Doc: "YARN's Capacity Scheduler with one queue: jobs by arrival\n\n" +
			"Apache Hadoop 2.7. docs/problems/cloning.md#baselines.",
	},
	New: func(s *sim.State, _ models.Values, _ *rand.Rand) sim.Rules { return byJob(arrival(s), 0) },
}

// FIFO is first come, first served.
var FIFO = sim.Policy{
	Policy: models.Policy{
		Name: "fifo",
		Doc: "jobs by arrival; the first waiting task that does not fit has all later ones wait\n\n" +
			"First come, first served. Jobs whose tasks all run or wait for parents hold up nobody.",
	},
	New: func(s *sim.State, _ models.Values, _ *rand.Rand) sim.Rules {
		rules := byJob(arrival(s), 0)
		rules.Strict = true
		return rules
	},
}

// Random serves the phases in random order.
var Random = sim.Policy{
	Policy: models.Policy{
		Name: "random",
		Doc: "phases whose parents are done in random order\n\n" +
			"The order of a phase is drawn once.",
	},
	New: func(_ *sim.State, _ models.Values, rng *rand.Rand) sim.Rules {
		seed := rng.Uint64()
		return sim.Rules{Rank: func(job, phase, copies int) (sim.Rank, bool) {
			pcg := rand.NewPCG(seed, uint64(job)<<32|uint64(phase))
			return sim.Rank{Key: float64(pcg.Uint64() >> 11)}, copies == 0
		}}
	},
}

// byJob serves jobs by a key, least first, without clones.
func byJob(key func(job int) float64, changes sim.When) sim.Rules {
	return sim.Rules{
		Changes: changes,
		Rank:    func(job, _, copies int) (sim.Rank, bool) { return sim.Rank{Key: key(job)}, copies == 0 },
	}
}

func arrival(s *sim.State) func(job int) float64 {
	return func(job int) float64 { return float64(s.Instance().Jobs[job].Arrival) }
}
