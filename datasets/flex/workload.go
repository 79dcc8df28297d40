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
	models.Between("jobs", 10, 1, 1e6, "number of jobs"),
	models.Between("lambda", 0.0, 0, 1e5,
		"mean time between two arrivals in minutes, exponentially distributed; 0: all jobs arrive at time 0"),
	models.Between("sigma", 1.0, 0, maxSigma,
		"spread of the job sizes, proportional to their standard deviation: 0 for equal jobs, and at 4 the smallest is a "+
			"tenth of the largest; a unit is 13 % of the mean size when there are 10 jobs"),
	models.Between("map_tasks", 12480, 1, 1e8, "Map tasks of all jobs together"),
	models.Between("reduce_tasks", 1040, 0, 1e8, "Reduce tasks of all jobs together; 0: no Reduce phases"),
	models.Between("cv", 0.2, 0, sim.MaxCV, "standard deviation of the task times over their mean"),
}

// Mean times of tasks in seconds, decided here.
const (
	mapTime    = 20.0
	reduceTime = 60.0
)

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
		reduces, err = shareTasks(total, sizes)
		if err != nil {
			return nil, fmt.Errorf("reduce_tasks: %w", err)
		}
	}
	w := &sim.Workload{Jobs: make([]sim.Job, n)}
	arrival := 0.0
	for i := range w.Jobs {
		w.Jobs[i] = sim.Job{
			ID: fmt.Sprintf("job%d", i+1), Arrival: arrival,
			Map: sim.Phase{Tasks: maps[i], Mean: mapTime, CV: v.Float("cv")},
		}
		if reduces[i] > 0 {
			w.Jobs[i].Reduce = &sim.Phase{Tasks: reduces[i], Mean: reduceTime, CV: v.Float("cv")}
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
