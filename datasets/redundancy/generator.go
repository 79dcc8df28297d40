// Package redundancy makes instances of the redundancy problem: Generator draws the workload of the paper's experiments, Deriver
// takes jobs of traces, Workloads makes runs of the simulator, and Moves changes instances in searches for worst cases.
// bench/catalog registers all of them.
package redundancy

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"schedgap/datasets/derive"
	"schedgap/models"
	"schedgap/models/redundancy"
)

// Generator makes instances of the paper's workload: Xu, Lau et al. 2018, section 6. Jobs arrive as a Poisson process, the first
// at time 0, and their works are Pareto distributed with mean 40. The paper's shape is lost; 2 is our reading
// (docs/problems/redundancy.md#simulator). Its cluster has 100 machines and λ from 1 to 2.5, a load of 0.4 to 1; the
// defaults are small enough for the exact methods. Arrivals, works and a random speedup have random streams of their own, so an
// option leaves all other draws unchanged.
var Generator = &models.Generator[*redundancy.Instance]{
	Doc: "Poisson arrivals of jobs with Pareto works\n\n" +
		"Xu, Lau et al., Online Job Scheduling with Redundancy and Opportunistic Checkpointing, 2018, section 6; speedups by " +
		"family, see docs/problems/redundancy.md#derivation-from-traces.",
	Params:   generatorParams(),
	Fixed:    clusterFixed(nil),
	Generate: generate,
}

func generatorParams() []models.Param {
	return slices.Concat([]models.Param{
		models.Between("jobs", 4, 1, 1e6, "number of jobs"),
		models.Between("mean", 40.0, 1e-2, 1e9, "mean work, units of time on one machine"),
		models.Between("shape", 2.0, 1.01, 1e3, "Pareto shape of the works"),
		models.Between("lambda", 0.0, 0, 1e6, "arrivals a unit of time; 0: by load"),
		models.Between("load", 1.0, 0, 1e6, "offered load, λ·mean/machines; 0: all jobs arrive at time 0"),
	}, clusterParams())
}

func generate(name string, v models.Values, rng *rand.Rand) (*redundancy.Instance, error) {
	streams := derive.Streams(rng, 3)
	arrivals, works, tables := streams[0], streams[1], streams[2]

	in, err := cluster(v, tables)
	if err != nil {
		return nil, err
	}
	in.Name, in.Jobs = name, make([]redundancy.Job, v.Int("jobs"))
	lambda := v.Float("lambda")
	if lambda == 0 {
		lambda = v.Float("load") * float64(in.Machines) / v.Float("mean") // models.Load of a job in 1/λ, solved for λ
	}
	least, now := v.Float("mean")*(1-1/v.Float("shape")), 0.0
	for j := range in.Jobs {
		work := least * math.Pow(1-works.Float64(), -1/v.Float("shape"))
		in.Jobs[j] = redundancy.Job{
			ID: fmt.Sprintf("j%d", j+1), Arrival: derive.RoundTo(now, 2), Work: max(0.01, derive.RoundTo(work, 2)),
		}
		if gap := arrivals.ExpFloat64(); lambda > 0 {
			now += gap / lambda
		}
	}
	return in, nil
}

// clusterParams are the options of everything but the jobs.
func clusterParams() []models.Param {
	return []models.Param{
		models.Between("machines", 3, 1, 1e5, "number of machines, M"),
		models.Flag("multitasking", "machines may be shared"),
		models.Between("speed", 1.0, 1e-3, 1e3, "of the algorithms' machines; the optimum's have 1"),
		models.Choice("speedup", familyPareto, families, "h: r; 1; of Pareto times; random; of the paper's machines"),
	}
}

// clusterFixed are more and what clusterParams had.
func clusterFixed(more models.Fixed) models.Fixed {
	fixed := models.Fixed{"speedup_shape": speedupShape, "speedup_interval": speedupInterval}
	maps.Copy(fixed, more)
	return fixed
}

// cluster makes the instance without its name and jobs.
func cluster(v models.Values, rng *rand.Rand) (*redundancy.Instance, error) {
	h, err := speedup(v, rng)
	if err != nil {
		return nil, err
	}
	return &redundancy.Instance{
		Machines: v.Int("machines"), Multitasking: v.Bool("multitasking"), Speed: v.Float("speed"), Speedup: h,
	}, nil
}
