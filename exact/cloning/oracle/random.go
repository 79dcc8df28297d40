package oracle

import (
	"fmt"
	"math/rand/v2"
	"slices"

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
	ph := cloning.Phase{
		ID: fmt.Sprintf("p%d", index+1), Parents: []int{}, Tasks: n,
		Mean: []float64{0.5, 1, 1.5, 2, 2.5, 3, 4}[rng.IntN(7)],
	}
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

// extremes are cases that random instances do not have: the edges of tolerances, nothing and next to nothing, ties, and tables
// that are concave to 1e-9 only.
var extremes = struct {
	capacities, shares, means []float64
	speedups                  [][]float64
}{
	[]float64{1, 3, 0.1, 1e100, 1e-300, 3e-309, 1e-323},
	[]float64{
		0, 1e-300, 1e-40, 0.25, 1. / 3, 1. / 3 * (1 + 1e-9), 0.5, 0.5 * (1 + 1e-9), 0.5 * (1 + 1.0000002e-9), 1, 1 + 1e-9,
		1 + 5e-10, 0.1, 0.7,
	},
	[]float64{
		1e-8, 1e-9, 0.5, 1, 1 + 1e-9, 1 + 1.0000002e-9, 1.0000000015, 2, 2.000000001, 2.0000000015, 2.000000003, 8. / 3,
		8./3 + 1e-9, 3, 3 + 3e-9, 4,
	},
	[][]float64{
		{1, 1, 1},
		{1, 2, 3},
		{1, 4. / 3, 13. / 9},
		{1, 4. / 3, 5. / 3},
		{1, 2.000000001, 3.000000002},
		{1, 2.000000001, 3.0000000031},
		{1, 1, 1 + 1e-9},
		{1, 1 + 1e-9, 1 + 2e-9},
		{1, 1.5, 2.000000001},
		{1, 1.9999999995, 2.9999999985},
	},
}

// ExtremeInstance is a RandomInstance whose numbers are extremes. Jobs with the phases of the job before them leave it with at most the
// given number of tasks as well.
func ExtremeInstance(rng *rand.Rand, tasks int) *cloning.Instance {
	in, e := RandomInstance(rng, tasks), &extremes
	scale := []float64{}
	for range in.Resources {
		scale = append(scale, e.capacities[rng.IntN(len(e.capacities))])
	}
	for v := range in.Servers {
		in.Servers[v].Capacity = slices.Clone(scale)
		if r := rng.IntN(4); r < len(scale) {
			in.Servers[v].Capacity[r] = scale[r] / 2
		}
	}
	for j := range in.Jobs {
		for k := range in.Jobs[j].Phases {
			ph := &in.Jobs[j].Phases[k]
			server := in.Servers[rng.IntN(len(in.Servers))]
			for r, c := range server.Capacity {
				ph.Demand[r] = min(e.shares[rng.IntN(len(e.shares))]*c, cloning.Limit(c))
			}
			ph.Mean = e.means[rng.IntN(len(e.means))]
			copy(ph.Speedup, e.speedups[rng.IntN(len(e.speedups))])
		}
		if j > 0 && rng.IntN(4) == 0 && all(in.Jobs)-all(in.Jobs[j:j+1])+all(in.Jobs[j-1:j]) <= tasks {
			in.Jobs[j].Phases = in.Jobs[j-1].Phases // ties
		}
	}
	return in
}

// all is the number of all tasks of some jobs.
func all(jobs []cloning.Job) (tasks int) {
	for j := range jobs {
		for k := range jobs[j].Phases {
			tasks += jobs[j].Phases[k].Tasks
		}
	}
	return tasks
}

// Clustered makes an instance of jobs with one to three phases of up to three tasks, means from 2 slots on, Pareto speedups,
// and servers of capacity 1 that hold one to four tasks.
func Clustered(rng *rand.Rand, jobs, servers, longest int) *cloning.Instance {
	in := &cloning.Instance{Resources: cloning.DefaultResources(), MaxCopies: 2, MaxCopiesPerServer: 1 + rng.IntN(2)}
	in.Name = fmt.Sprintf("clustered-%d-%d", jobs, servers)
	for s := range servers {
		c := []float64{1, 1}
		if s%2 == 1 {
			c = []float64{0.75, 1}
		}
		in.Servers = append(in.Servers, cloning.Server{ID: fmt.Sprint("s", s), Capacity: c})
	}
	for j := range jobs {
		job := cloning.Job{ID: fmt.Sprint("j", j), Arrival: rng.IntN(4)}
		for k := range 1 + rng.IntN(3) {
			mean := float64(2 + rng.IntN(longest-1))
			ph := cloning.Phase{
				ID: fmt.Sprint("p", k), Tasks: 1 + rng.IntN(3), Mean: mean, SD: mean * float64(rng.IntN(3)),
				Demand: []float64{0.1 * float64(2+rng.IntN(5)), 0.1 * float64(2+rng.IntN(5))},
			}
			ph.Speedup = cloning.ParetoSpeedup(ph.Mean, ph.SD, in.MaxCopies)
			if k > 0 {
				ph.Parents = []int{rng.IntN(k)}
			}
			job.Phases = append(job.Phases, ph)
		}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

// Show is an instance's file, for messages of tests.
func Show(in *cloning.Instance) string {
	data, err := cloning.Problem.MarshalInstance(in)
	if err != nil {
		return err.Error()
	}
	return string(data)
}
