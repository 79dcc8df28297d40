package redundancy

import (
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/redundancy/sim"
)

// The families of speedups h(r). Each table is concave with h(0) = 0 and h(1) = 1; its steps have six decimals.
const (
	familyLinear  = "linear"  // r: redundancy is free
	familyFlat    = "flat"    // 1: redundancy is in vain
	familyPareto  = "pareto"  // copies take independent Pareto times of shape α: E X / E min = (α − 1/r)/(α − 1)
	familyConcave = "concave" // independent uniform steps in descending order
	familyProcess = "process" // the simulator's machines, see processSpeedup
)

var families = []string{familyLinear, familyFlat, familyPareto, familyConcave, familyProcess}

const (
	speedupShape    = 2.0  // of the pareto family, as the works' of section 6
	speedupInterval = 40.0 // between checkpoints of the process family, the mean work of section 6
)

func speedup(v models.Values, rng *rand.Rand) ([]float64, error) {
	machines := v.Int("machines")
	switch v.Text("speedup") {
	case familyLinear:
		return table(machines, func(r int) float64 { return float64(r) }), nil
	case familyPareto:
		return table(machines, func(r int) float64 { return (speedupShape - 1/float64(r)) / (speedupShape - 1) }), nil
	case familyConcave:
		steps := make([]float64, machines)
		for i := range steps {
			steps[i] = rng.Float64()
		}
		slices.Sort(steps)
		sum := make([]float64, machines+1)
		for r := range machines {
			sum[r+1] = 1
			if r > 0 {
				sum[r+1] = sum[r] + steps[machines-r]
			}
		}
		return table(machines, func(r int) float64 { return sum[r] }), nil
	case familyProcess:
		h, err := processSpeedup(min(machines, processMachines), rng)
		if err != nil {
			return nil, err
		}
		return table(machines, func(r int) float64 { return h[min(r, len(h))-1] }), nil
	}
	return table(machines, func(int) float64 { return 1 }), nil
}

// table rounds the steps of h, which keeps it concave, where rounding its values would not.
func table(machines int, h func(r int) float64) []float64 {
	const unit = 1e6
	list, sum, before := make([]float64, machines), 0.0, 0.0
	for r := range list {
		now := h(r + 1)
		sum += math.Round((now - before) * unit)
		list[r], before = sum/unit, now
	}
	return list
}

// processSamples is the number of intervals that are observed, processMachines the most machines for which h is measured: more
// have no more.
const (
	processSamples  = 4096
	processMachines = 1024
)

// processSpeedup is h as the simulator's machines have it (section 6), E max(S_1, …, S_r) / E S_1, S_i what machine i delivers
// in one interval between checkpoints (eqs. 1 and 7).
func processSpeedup(machines int, rng *rand.Rand) ([]float64, error) {
	h, err := sim.Speedup(models.Defaults(sim.Params), speedupInterval, machines, processSamples, rng)
	if err != nil {
		return nil, err
	}
	one := h[0]
	for r := range h {
		h[r] /= one
	}
	return h, nil
}
