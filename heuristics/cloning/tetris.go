package cloning

import (
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/cloning/sim"
)

var epsilonParam = models.Param{
	Name: "epsilon", Default: 0.0, Min: 0, Max: 1e9,
	Doc: "weight of 1 − remaining work over the largest; 0: the mean resource fit over the mean of that term, as in the Tetris " +
		"paper",
}

// Tetris packs and prefers short jobs.
var Tetris = sim.Policy{
	Policy: models.Policy{
		Name: "tetris",
		Doc: "every server takes the task with the largest sum of resource fit and ε·(1 − remaining work/largest remaining work)\n\n" +
			"Grandl et al., Multi-Resource Packing for Cluster Schedulers, SIGCOMM 2014, section 3. " +
			"docs/problems/cloning.md#tetris.",
	},
	Params: []models.Param{epsilonParam},
	New: func(s *sim.State, v models.Values, _ *rand.Rand) sim.Rules {
		rules := byJob(newSizes(s, 0).work, sim.OnProgress)
		rules.Pack, rules.Epsilon = sim.Blend, v.Float(epsilonParam.Name)
		return rules
	},
}
