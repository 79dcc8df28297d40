package flex

import (
	"slices"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
)

// Policies lists the package's schedulers as policies of the epoch simulator.
var Policies = []sim.Policy{FlexPolicy, FairPolicy, FIFOPolicy}

// FlexPolicy is Flex, epoch by epoch: of the better order's schedule only the first interval is put into force.
var FlexPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "flex",
		Doc: "each epoch the first interval of the better of the generic and the metric-specific order through MPS\n\n" +
			"Wolf et al. 2010, sections 2.2 and 3: \"only the first interval in the FLEX output will actually be enforced\".",
	},
	Targets: func(in *flex.Instance, targets []float64) {
		generic, specific := RAPOrder(in), SpecificOrder(in)
		other := make([]float64, len(targets))
		firstInterval(in, generic, false, targets)
		firstInterval(in, specific, false, other)
		// The two orders mostly agree on their first jobs, and whole schedules are packed only to choose between different ones.
		if slices.Equal(targets, other) {
			return
		}
		packer := flex.NewPacker(in)
		value := in.Value(packer.Completions(generic))
		if in.Value(packer.Completions(specific)) < value {
			copy(targets, other)
		}
	},
}

// FairPolicy is Fair, epoch by epoch.
var FairPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "fair",
		Doc: "minima, then waterline filling of the slack\n\n" +
			"Zaharia et al. 2009 as described in Wolf et al. 2010, section 1.",
	},
	Targets: func(in *flex.Instance, targets []float64) {
		w := NewWaterline(in)
		level := w.Level(float64(in.Slots))
		for j := range targets {
			targets[j] = w.Share(j, level)
		}
	},
}

// FIFOPolicy is FIFO, epoch by epoch.
var FIFOPolicy = sim.Policy{
	Policy: models.Policy{
		Name: "fifo",
		Doc: "order of arrival, minima taken as 0: it waives the minima\n\n" +
			"Wolf et al. 2010, section 4.",
	},
	Targets: func(in *flex.Instance, targets []float64) {
		firstInterval(in, FileOrder(in), true, targets)
	},
}

// firstInterval fills targets with the allocation in the first interval of an order's packing: the minima, unless waived,
// then the slack to each job in turn up to its maximum.
func firstInterval(in *flex.Instance, order []int, waive bool, targets []float64) {
	slack := in.Slots
	least := func(j int) int {
		if waive {
			return 0
		}
		return in.Jobs[j].Min
	}
	for j := range in.Jobs {
		slack -= least(j)
	}
	for _, j := range order {
		extra := min(slack, in.Jobs[j].Max-least(j))
		targets[j] = float64(least(j) + extra)
		slack -= extra
	}
}
