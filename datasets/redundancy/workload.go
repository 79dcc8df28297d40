package redundancy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"schedgap/models"
	"schedgap/models/redundancy/sim"
)

// Workloads makes the workloads of the stochastic simulator.
var Workloads = sim.Source{Specs: workloadSpecs, Generate: generateWorkload, FromTrace: workloadFromTrace}

// workloadSpecs describe the workload of section 6 of Xu, Lau et al. 2018: Poisson arrivals at rate λ ∈ [1, 2.5] over 1e5
// units of time, Pareto distributed work of mean 40. The paper's Pareto parameters are lost; shape 2 is decided
// (docs/problems/redundancy.md#simulator). On 100 machines of mean speed 1, λ = 2.5 is a load of 1.
var workloadSpecs = []models.Param{
	models.Between("lambda", 1.0, 1e-6, 1e6, "λ, arrivals per unit of time"),
	models.Between("horizon", 1e5, 1e-3, sim.MaxTime, "jobs arrive before it, units of time"),
	models.Between("jobs", 0, 0, 1e8, "number of jobs, whatever the horizon; 0: all that arrive before it"),
	models.Between("mean", 40.0, 1e-3, 1e6, "mean work of a job, units of time at speed 1"),
	models.Between("shape", 2.0, 1.01, 1e3, "shape of the Pareto work, whose least is mean·(1 − 1/shape)"),
}

// maxJobs bounds what lambda and horizon may ask for.
const maxJobs = 1e8

func generateWorkload(v models.Values, rng *rand.Rand) (*sim.Workload, error) {
	lambda, horizon, n := v.Float("lambda"), v.Float("horizon"), v.Int("jobs")
	if n == 0 && lambda*horizon > maxJobs {
		return nil, fmt.Errorf("parameters lambda and horizon: %v jobs on average, more than %v", lambda*horizon, maxJobs)
	}
	shape := v.Float("shape")
	least := v.Float("mean") * (1 - 1/shape)
	w := &sim.Workload{}
	for arrival := 0.0; ; {
		arrival += rng.ExpFloat64() / lambda
		if n == 0 && arrival >= horizon || n > 0 && len(w.Jobs) == n {
			break
		}
		work := least * math.Exp(rng.ExpFloat64()/shape) // Pareto: least·U^(−1/shape)
		w.Jobs = append(w.Jobs, sim.Job{ID: fmt.Sprintf("job%d", len(w.Jobs)+1), Arrival: arrival, Work: work})
	}
	if len(w.Jobs) == 0 {
		return nil, fmt.Errorf("parameters lambda and horizon: no job arrives before time %v at %v per unit", horizon, lambda)
	}
	return w, w.Validate()
}
