package flex

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"schedgap/models"
	"schedgap/models/flex/sim"
)

// Workloads makes the workloads of the epoch simulator.
var Workloads = sim.Source{Specs: workloadSpecs, Generate: generateWorkload, FromTrace: workloadFromTrace}

// workloadSpecs describe workloads like those of section 4.2 of the paper: jobs of one kind in different sizes, "10 jobs that
// can be completed on our cluster in about 45 minutes". The paper gives no numbers of tasks. The defaults keep the 104 Map
// slots of sim.Params busy for 40 minutes and the 52 Reduce slots for 20, the last Reduces running alone; 12,480 Maps also
// are about what 1.8 TB of input makes in blocks of 128 MiB. The total work is the same whatever the number of jobs and
// their sizes.
var workloadSpecs = []models.Param{
	{Name: "jobs", Default: 10, Min: 1, Max: 1e6, Doc: "number of jobs"},
	{
		Name: "lambda", Default: 0.0, Min: 0, Max: 1e5,
		Doc: "mean time between two arrivals in minutes, exponentially distributed; 0: all jobs arrive at time 0",
	},
	{
		Name: "sigma", Default: 1.0, Min: 0, Max: maxSigma,
		Doc: "spread of the job sizes, proportional to their standard deviation: 0 for equal jobs, and at 4 the smallest is a " +
			"tenth of the largest; a unit is 13 % of the mean size when there are 10 jobs",
	},
	{Name: "map_tasks", Default: 12480, Min: 1, Max: 1e8, Doc: "Map tasks of all jobs together"},
	{Name: "map_time", Default: 20.0, Min: 1e-3, Max: 1e6, Doc: "mean time of a Map task in seconds"},
	{Name: "reduce_tasks", Default: 1040, Min: 0, Max: 1e8, Doc: "Reduce tasks of all jobs together; 0: no Reduce phases"},
	{Name: "reduce_time", Default: 60.0, Min: 1e-3, Max: 1e6, Doc: "mean time of a Reduce task in seconds"},
	{Name: "cv", Default: 0.2, Min: 0, Max: sim.MaxCV, Doc: "standard deviation of the task times over their mean"},
}

// spreadPerSigma makes (1 − 4x)/(1 + 4x) = 1/10: "when σ=4, the smallest job is roughly one-tenth the size of the largest".
const (
	spreadPerSigma = 9. / 44
	maxSigma       = 4.8 // just short of a job of size 0
)

// jobSizes are n sizes of mean 1 evenly spaced over 1 ± sigma·9/44, in random order. The paper measures σ in units that it
// does not state; even spacing makes its two anchors, equal jobs at 0 and the tenth at 4, hold exactly.
func jobSizes(n int, sigma float64, rng *rand.Rand) []float64 {
	sizes := make([]float64, n)
	for i := range sizes {
		sizes[i] = 1
		if n > 1 {
			sizes[i] += sigma * spreadPerSigma * (2*float64(i)/float64(n-1) - 1)
		}
	}
	rng.Shuffle(n, func(a, b int) { sizes[a], sizes[b] = sizes[b], sizes[a] })
	return sizes
}

func generateWorkload(v models.Values, rng *rand.Rand) (*sim.Workload, error) {
	n := v.Int("jobs")
	sizes := jobSizes(n, v.Float("sigma"), rng)
	maps, err := shareTasks(v.Int("map_tasks"), sizes)
	if err != nil {
		return nil, fmt.Errorf("map_tasks: %w", err)
	}
	reduces := make([]int, n)
	if total := v.Int("reduce_tasks"); total > 0 {
		if reduces, err = shareTasks(total, sizes); err != nil {
			return nil, fmt.Errorf("reduce_tasks: %w", err)
		}
	}
	w := &sim.Workload{Jobs: make([]sim.Job, n)}
	arrival := 0.0
	for i := range w.Jobs {
		w.Jobs[i] = sim.Job{
			ID: fmt.Sprintf("job%d", i+1), Arrival: arrival,
			Map: sim.Phase{Tasks: maps[i], Mean: v.Float("map_time"), CV: v.Float("cv")},
		}
		if reduces[i] > 0 {
			w.Jobs[i].Reduce = &sim.Phase{Tasks: reduces[i], Mean: v.Float("reduce_time"), CV: v.Float("cv")}
		}
		arrival += 60 * v.Float("lambda") * rng.ExpFloat64()
	}
	return w, w.Validate()
}

// shareTasks splits total tasks in proportion to sizes, at least one each.
func shareTasks(total int, sizes []float64) ([]int, error) {
	if total < len(sizes) {
		return nil, fmt.Errorf("%d are too few for %d jobs", total, len(sizes))
	}
	return apportion(sizes, total, 1, slices.Repeat([]int{total}, len(sizes))), nil
}
