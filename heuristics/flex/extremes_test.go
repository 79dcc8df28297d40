package flex_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/heuristics/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/simulation/simtest"
)

func TestExtremesOfSimulations(t *testing.T) {
	simtest.Extremes(t, sim.New(flex.Policies, sim.Source{}), 100, func(rng *rand.Rand) (text string) {
		if rng.IntN(4) == 0 { // tasks shorter than the clock can tell
			return `{"job":"a","arrival":1e9,"map":{"tasks":1,"mean":1e-6,"cv":100}}`
		}
		at := []float64{0, 1, 1e9}[rng.IntN(3)]
		for j := range 1 + rng.IntN(3) {
			text += fmt.Sprintf(`{"job":"j%d","arrival":%g,"map":{"tasks":%d,"mean":%g,"cv":%g}`, j, at, 1+rng.IntN(4),
				math.Pow(10, -6*rng.Float64()), []float64{0, 0.2, 100}[rng.IntN(3)])
			if rng.IntN(2) == 0 {
				text += fmt.Sprintf(`,"reduce":{"tasks":1,"mean":%g}`, math.Pow(10, -6*rng.Float64()))
			}
			text += "}\n"
		}
		return text
	})
}
