package speculation_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/heuristics/speculation"
	"schedgap/models/simulation/simtest"
	"schedgap/models/speculation/sim"
)

func TestExtremesOfSimulations(t *testing.T) {
	simtest.Extremes(t, sim.New(speculation.Policies, sim.Source{}), 100, func(rng *rand.Rand) (text string) {
		// An input of 1 MB takes a thousand seconds at the least bandwidth, and a million looks at the job: 128 MB took as long as all
		// other cases of all problems.
		at := []float64{0, 1, 1e9}[rng.IntN(3)]
		for j := range 1 + rng.IntN(3) {
			text += fmt.Sprintf(`{"job":"j%d","arrival":%g,"tasks":%d,"mean":%g,"cv":%g,"input":%d,"memory":0}`+"\n", j, at, 1+rng.IntN(4),
				math.Pow(10, -3*rng.Float64()), []float64{0, 0.2, 10}[rng.IntN(3)], rng.IntN(2))
		}
		return text
	})
}
