package measure

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
)

// shedChecks are the checks for the paper on Shed+.
var shedChecks = map[string]Check{
	"shed-theorems": {
		Doc: "largest distances between simulated shares of jobs that meet their deadlines and the PoCD of Theorems 1 and 2: " +
			"theorem1, theorem2",
		Params: []models.Param{{Name: "jobs", Default: 10_000, Min: 1, Max: 1e6, Doc: "jobs of each kind"}},
		Run:    shedTheorems,
	},
}

// A shedKind is a kind of jobs whose shares are simulated: of tasks with r copies each, t_min being 1.
type shedKind struct {
	tasks, copies     int
	deadline, elapsed float64
	progress, beta    float64
}

// shedTheorems compares the closed forms with the simulator, which launches at once and has VMs for all.
func shedTheorems(ctx context.Context, rng *rand.Rand, params models.Values) (map[string]float64, error) {
	fresh := []shedKind{
		{tasks: 1, deadline: 1.5, beta: 1.5},
		{tasks: 5, deadline: 3, beta: 1.2},
		{tasks: 10, deadline: 4, beta: 2},
		{tasks: 20, deadline: 8, beta: 1.5},
	}
	running := []shedKind{
		{tasks: 1, copies: 1, deadline: 2.5, elapsed: 1.5, progress: 0.3, beta: 1.2},
		{tasks: 5, copies: 2, deadline: 2, elapsed: 1, progress: 0.2, beta: 1.5},
		{tasks: 10, copies: 5, deadline: 3, elapsed: 2.4, progress: 0.5, beta: 1.5},
		{tasks: 20, copies: 3, deadline: 2.6, elapsed: 2, progress: 0.6, beta: 2},
	}
	got := map[string]float64{}
	for i, kinds := range [][]shedKind{fresh, running} {
		largest := 0.0
		for _, k := range kinds {
			share, err := k.simulate(ctx, rng.Uint64(), params.Int("jobs"))
			if err != nil {
				return nil, err
			}
			largest = max(largest, math.Abs(share-k.formula()))
		}
		got[fmt.Sprintf("theorem%d", i+1)] = largest
	}
	return got, nil
}

// formula is eq. (6); without copies and progress eq. (3).
func (k shedKind) formula() float64 {
	j := pocd.Job{Deadline: k.deadline, Elapsed: k.elapsed}
	var copies []int
	for range k.tasks {
		j.Tasks = append(j.Tasks, pocd.Task{Progress: k.progress, TMin: 1, Beta: k.beta, Straggler: true})
		copies = append(copies, k.copies)
	}
	return math.Exp(j.LogP(copies))
}

// simulate is the share of n jobs that end within what is left of their deadlines when all attempts of a task begin to process
// what is left of it at the same time, each with a time of its own.
func (k shedKind) simulate(ctx context.Context, seed uint64, n int) (share float64, err error) {
	clones := sim.Policy{
		Policy: models.Policy{Name: "clones"},
		Clones: func(sim.Start) int { return k.copies },
	}
	w := &sim.Workload{}
	for i := range n {
		w.Jobs = append(w.Jobs, sim.Job{
			ID: fmt.Sprint(i), Arrival: float64(10 * i), Deadline: k.deadline - k.elapsed, Tasks: k.tasks,
			TMin: 1 - k.progress, Beta: k.beta,
		})
	}
	params, err := models.Resolve(sim.Params, map[string]any{"launch": 0, "slaves": 1 << 20})
	if err != nil {
		return 0, err
	}
	r := models.SimRequest{Workload: w, Policy: clones.Name, Params: params, Seed: seed}
	err = sim.New([]sim.Policy{clones}, sim.Source{}).Run(ctx, r, func(m models.Metric) {
		if m.Name == "pocd" {
			share = m.Value
		}
	})
	return share, err
}
