package fake

import (
	"fmt"
	"math"
	"math/rand/v2"

	"schedgap/bench"
	"schedgap/models"
)

// Experiment makes up the results of n instances in the manner of the FLEX paper's Figure 5: three metrics, slack and the
// share of small jobs varied, five heuristics, one of them waiving a constraint, two exact references by two solvers, and
// a bound. A few optima are not proven, a few units fail. The shapes resemble the paper's; no number is a measurement.
func Experiment(n int, rng *rand.Rand) ([]bench.Record, Instances) {
	p := Problem()
	instances := Instances{}
	var records []bench.Record
	add := func(r bench.Record, seconds float64) {
		r.WallSeconds = Ptr(seconds)
		if r.Solver != nil {
			r.UnitID += "/" + *r.Solver
		}
		records = append(records, r)
	}
	for i := range n {
		name := fmt.Sprintf("f%05d", i)
		slack, small := 0.15*float64(1+rng.IntN(6)), 0.1*float64(rng.IntN(11))
		metric := []string{"response sum", "response sum", "tardiness sum", "lateness max"}[i%4]
		c := map[string]models.Comparison{"tardiness sum": models.QuotientZero, "lateness max": models.Difference}[metric]
		instances.Add(name, c, map[string]any{"metric": metric, "slack": slack, "small_share": small + 0.01*rng.Float64()})
		jobs := int64(5 + rng.IntN(15))
		optimum := 100 * (1 + rng.Float64())
		switch {
		case metric == "tardiness sum" && rng.IntN(3) == 0:
			optimum = 0
		case metric == "lateness max":
			optimum = 40*rng.Float64() - 25
		}
		mps := optimum
		if metric != "response sum" && rng.IntN(4) == 0 {
			mps += math.Abs(optimum) * 0.02 * rng.Float64()
		}
		times := func(at, factor float64) float64 {
			v := at * factor
			if metric == "lateness max" || at == 0 {
				v = at + 12*(factor-1)*rng.Float64()
			}
			if at == 0 && rng.IntN(2) == 0 {
				v = 0
			}
			return v
		}
		solved := func(algorithm string, value, seconds float64) {
			r := Solved(p, name, algorithm, value)
			r.NJobs = &jobs
			add(r, seconds)
		}
		solved("flex", times(mps, 1+max(0, 0.004*rng.NormFloat64())), 2e-4*(1+rng.Float64()))
		solved("flex-ls", times(mps, 1+max(0, 0.0015*rng.NormFloat64())), 4e-3*float64(jobs)*(1+rng.Float64()))
		if rng.IntN(50) == 0 {
			r := Row(p, name, "fair", bench.Crash)
			r.NJobs, r.Error = &jobs, Ptr("signal: segmentation fault; goroutine 1 [running]: main.fair(…)")
			add(r, 0.01)
		} else {
			solved("fair", times(optimum, 1.3+0.25*slack+0.03*rng.Float64()), 1e-4*(1+rng.Float64()))
		}
		solved("spt", times(mps, 1+0.1*rng.ExpFloat64()), 5e-5*(1+rng.Float64()))
		fifo := Waived(p, name, "fifo", times(optimum, 0.97+0.6*slack+rng.ExpFloat64()*0.9*small*(1.1-small)*4*slack), "minimum")
		fifo.NJobs = &jobs
		add(fifo, 3e-5*(1+rng.Float64()))
		lb := Row(p, name, "lb", bench.Feasible)
		lb.Bound, lb.NJobs = Ptr(optimum-0.1*math.Abs(optimum)), &jobs
		add(lb, 1e-5)
		for _, reference := range []string{"opt", "opt-mps"} {
			best := map[string]float64{"opt": optimum, "opt-mps": mps}[reference]
			for _, solver := range []string{"highs", "bnb"} {
				seconds := math.Exp(0.55*float64(jobs)-5+rng.NormFloat64()) * map[string]float64{"highs": 1, "bnb": 0.2}[solver]
				r := Optimal(p, name, reference, best)
				if seconds > 60 {
					r = Bounded(p, name, reference, best-0.03*math.Abs(best), Ptr(best+0.02*math.Abs(best)))
					seconds = 60
				}
				r.NJobs, r.Solver, r.Nodes = &jobs, Ptr(solver), Ptr(int64(seconds*1000))
				r.PeakRSSBytes, r.SolverVersion = Ptr(int64(40<<20+rng.IntN(1<<26))), Ptr("1.2.0")
				add(r, seconds)
			}
		}
	}
	return records, instances
}
