package oracle

import (
	"fmt"
	"math/rand/v2"

	"schedgap/models/cloning"
)

// speedups are tables h(1..3) of all kinds: no gain, Pareto-like, a gain that ends, linear at first.
var speedups = [][]float64{{1, 1, 1}, {1, 4. / 3, 13. / 9}, {1, 1.5, 1.5}, {1, 2, 2.5}, {1, 1.75, 2.5}}

// RandomInstance makes a valid instance with at most the given number of tasks, few enough slots to try everything. Release
// dates, graphs of phases, fractional means, several servers, twins, and limits on copies all occur.
func RandomInstance(rng *rand.Rand, tasks int) *cloning.Instance {
	in := &cloning.Instance{Resources: []string{"cpu", "mem"}, MaxCopies: 1 + rng.IntN(3)}
	in.Name = "random"
	in.MaxCopiesPerServer = 1 + rng.IntN(in.MaxCopies)
	for v := range 1 + rng.IntN(2) {
		capacity := []float64{float64(2 + rng.IntN(3)), float64(2 + rng.IntN(3))}
		if v > 0 && rng.IntN(2) == 0 {
			capacity = in.Servers[0].Capacity
		}
		in.Servers = append(in.Servers, cloning.Server{ID: fmt.Sprintf("s%d", v+1), Capacity: capacity})
	}
	left := 1 + rng.IntN(tasks)
	for left > 0 {
		job := cloning.Job{ID: fmt.Sprintf("j%d", len(in.Jobs)+1)}
		if rng.IntN(2) == 0 {
			job.Arrival = rng.IntN(4)
		}
		for left > 0 && (len(job.Phases) == 0 || rng.IntN(2) == 0) {
			n := 1 + rng.IntN(min(left, 2))
			left -= n
			job.Phases = append(job.Phases, randomPhase(rng, in, len(job.Phases), n))
		}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

func randomPhase(rng *rand.Rand, in *cloning.Instance, index, n int) cloning.Phase {
	ph := cloning.Phase{ID: fmt.Sprintf("p%d", index+1), Parents: []int{}, Tasks: n, Mean: []float64{0.5, 1, 1.5, 2, 2.5, 3, 4}[rng.IntN(7)]}
	for p := range index {
		if rng.IntN(3) > 0 {
			ph.Parents = append(ph.Parents, p)
		}
	}
	server := in.Servers[rng.IntN(len(in.Servers))]
	for _, c := range server.Capacity {
		ph.Demand = append(ph.Demand, []float64{0, 0.25, 0.5, 0.75, 1}[rng.IntN(5)]*c*[]float64{0.5, 1}[rng.IntN(2)])
	}
	ph.Speedup = append(ph.Speedup, speedups[rng.IntN(len(speedups))][:in.MaxCopies]...)
	return ph
}
