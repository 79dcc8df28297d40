package flex

import (
	"context"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
)

// FIFO is the paper's baseline: file order, minima taken as 0, maxima kept.
var FIFO = &flex.Algorithm{
	Name: "fifo",
	Doc: "file order through MPS with minima taken as 0: it waives the minima\n\n" +
		"Wolf et al. 2010, section 4.",
	Kind: models.Heuristic, Reference: flex.Opt, Waives: []string{"minimum"},
	Run: func(_ context.Context, p *flex.Pass) (flex.Outcome, error) {
		packer := flex.NewPacker(p.Instance)
		packer.WaiveMinima()
		return flex.Outcome{Solution: packer.Pack(FileOrder(p.Instance)), Found: true, Status: models.Feasible}, nil
	},
}

// FileOrder is the order of the instance file.
func FileOrder(in *flex.Instance) []int {
	order := make([]int, len(in.Jobs))
	for j := range order {
		order[j] = j
	}
	return order
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
