// Package speculation makes instances of the speculation problem: Generator draws windows, Deriver takes them out of traces,
// Workloads makes runs of the simulator, and Moves changes instances in searches for worst cases. bench/catalog registers all of
// them.
package speculation

import (
	"fmt"
	"math"
	"math/rand/v2"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/speculation/sim"
)

// Workloads makes the workloads of the cluster simulator.
var Workloads = sim.Source{Specs: workloadSpecs, Generate: generateWorkload, FromTrace: workloadFromTrace}

// workloadSpecs describe the workloads of section 6.1 of the paper. Its trace, a month of OpenCloud's Hadoop jobs, is not to be
// had. In its place jobs have lognormal numbers of tasks with the two figures that the paper tells of it: a mean of 1,000 tasks
// (1.5 million in 1,500 jobs), and 30 % of the jobs with more than 1,000. Decided here: mean task times of 30 s, lognormal over
// the jobs; tasks of one job nearly alike, as the paper assumes of evenly split input; input blocks of Hadoop's 128 MB. Jobs
// arrive as a Poisson process; its rate is that at which their tasks, without copies, would keep the share load of the slots
// busy: 90 % stands for the paper's "highly utilized".
var workloadSpecs = []models.Param{
	models.Between("jobs", 100, 1, 1e6, "number of jobs"),
	models.Between("tasks", 0, 0, sim.MaxTasks,
		"tasks of a job; 0: lognormal with mean 1,000, three jobs in ten with more, at most 20,000"),
	models.Between("cv", 0.2, 0, sim.MaxCV, "coefficient of variation of the sizes of a job's tasks"),
	models.Between("load", 0.9, 0, 100, "busy slots over slots, without copies; 0: all jobs arrive at time 0"),
	models.Between("slots", 512, 1, 1<<28, "slots of the cluster that load speaks of"),
	models.Between("nodes", 1, 1, 1<<17, "nodes with that many slots each"),
	models.Between("heterogeneity", 3.0, 1, 1e3, "the simulator's, which load reckons with"),
	models.Between("contention", 2.5, 1, 1e3, "the same"),
	models.Choice("contention_law", sim.ContentionLaws[0], sim.ContentionLaws, "the same"),
	models.Between("stragglers", 0.2, 0, 1, "the same"),
	models.Between("slowdown", 10.0, 1.5, 1e6, "the same"),
	models.Choice("slowdown_law", sim.Mantri, sim.SlowdownLaws, "the same"),
}

const (
	meanSize   = 30.0  // of tasks, seconds alone on the fastest node
	meanCV     = 0.5   // coefficient of variation of the jobs' mean sizes
	blockMB    = 128.0 // that a task reads
	memoryRate = 1.0   // GB/s that an attempt moves from and to memory
)

// A lognormal variable X of mean 1000 with P(X > 1000) = 0.3 has σ/2 = 0.5244, the 0.7-quantile of the normal distribution, as
// ln 1000 lies σ²/2 above the mean of ln X.
const (
	meanTasks  = 1000
	tasksSigma = 2 * 0.524400512708041
	mostTasks  = 20_000
)

func generateWorkload(v models.Values, rng *rand.Rand) (*sim.Workload, error) {
	slots := float64(v.Int("nodes") * v.Int("slots"))
	w := &sim.Workload{Jobs: make([]sim.Job, v.Int("jobs")), Held: v.Float("load") * slots}
	size := float64(v.Int("tasks"))
	if size == 0 {
		size = meanTasks
	}
	between := 0.0
	if load := v.Float("load"); load > 0 {
		took := meanSize * sim.Stretch(v, load)
		between = size * took / (load * slots)
	}
	meanSigma := math.Sqrt(math.Log1p(meanCV * meanCV))
	arrival := 0.0
	for i := range w.Jobs {
		tasks := v.Int("tasks")
		if x := lognormal(meanTasks, tasksSigma, rng); tasks == 0 {
			tasks = int(min(mostTasks, max(1, math.Round(x))))
		}
		mean := lognormal(meanSize, meanSigma, rng)
		w.Jobs[i] = sim.Job{
			ID: fmt.Sprintf("job%d", i+1), Arrival: derive.RoundTo(arrival, 3), Tasks: tasks,
			Mean: min(sim.MaxMean, max(sim.MinSeconds, derive.RoundTo(mean, 3))), CV: v.Float("cv"),
			Input: blockMB, Memory: memoryRate,
		}
		arrival += between * rng.ExpFloat64()
	}
	return w, w.Validate()
}

func lognormal(mean, sigma float64, rng *rand.Rand) float64 {
	return mean * math.Exp(sigma*rng.NormFloat64()-sigma*sigma/2)
}
