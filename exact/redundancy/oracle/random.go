package oracle

import (
	"fmt"
	"math/rand/v2"

	"schedgap/models/redundancy"
)

// RandomInstance makes a valid instance with few enough decisions to try them all. Arrivals and works are small
// multiples of a quarter, so that arrivals and completions coincide and jobs are alike now and then; speedups are
// linear, flat or concave.
func RandomInstance(rng *rand.Rand, multitasking bool) *redundancy.Instance {
	in := &redundancy.Instance{Multitasking: multitasking, Speed: 1}
	in.Name = "random"
	size := [][2]int{{1, 4}, {2, 2}, {2, 3}, {2, 4}, {3, 2}, {3, 3}, {4, 1}, {4, 2}}[rng.IntN(8)] // jobs, machines
	if multitasking {
		size = [][2]int{{1, 4}, {2, 2}, {2, 3}, {3, 1}, {3, 2}}[rng.IntN(5)]
	}
	in.Machines = size[1]
	in.Speedup = randomSpeedup(rng, in.Machines)
	latest := rng.IntN(3) // 0: all arrive together
	for j := range size[0] {
		in.Jobs = append(in.Jobs, redundancy.Job{
			ID: fmt.Sprint("j", j+1), Arrival: float64(rng.IntN(8*latest+1)) / 4, Work: float64(1+rng.IntN(16)) / 4,
		})
	}
	return in
}

// randomSpeedup is concave with h(1) = 1 and gains in steps of an eighth.
func randomSpeedup(rng *rand.Rand, machines int) []float64 {
	h, gain := []float64{1}, 8
	switch rng.IntN(5) {
	case 0:
		gain = 0
	case 1:
		for r := 2; r <= machines; r++ {
			h = append(h, float64(r))
		}
	}
	for len(h) < machines {
		gain = rng.IntN(gain + 1)
		h = append(h, h[len(h)-1]+float64(gain)/8)
	}
	return h
}
