package redundancy_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/redundancy"
	hredundancy "schedgap/heuristics/redundancy"
	"schedgap/models/redundancy/sim"
	"schedgap/models/trials/property"
)

var simulator = sim.New(hredundancy.Policies, redundancy.Workloads)

// The defaults are the paper's: 1e5 units at λ = 1 make 1e5 jobs within five standard errors of 316; the work is at least
// 20, a quarter of it beyond 40 = 20·4^(1/2), and its mean near 40 (it has no variance: within 2).
func TestWorkloadDefaults(t *testing.T) {
	w := makeWorkload(t, 1, nil)
	n, sum, beyond := float64(len(w.Jobs)), 0.0, 0.0
	for _, j := range w.Jobs {
		if j.Work < 20 || j.Arrival < 0 || j.Arrival >= 1e5 {
			t.Fatalf("job %+v", j)
		}
		sum += j.Work
		if j.Work > 40 {
			beyond++
		}
	}
	if math.Abs(n-1e5) > 5*316 || math.Abs(beyond/n-0.25) > 5*0.0014 || math.Abs(sum/n-40) > 2 {
		t.Errorf("%v jobs, mean work %v, %v of them above 40", n, sum/n, beyond/n)
	}
}

// Whatever the parameters: the number of jobs is as asked for, the same seed gives the same bytes, and the file reads back.
func TestGenerateWorkload(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		given := map[string]any{
			"jobs": rapid.IntRange(1, 60).Draw(t, "jobs"), "lambda": rapid.Float64Range(0.01, 100).Draw(t, "lambda"),
			"mean": rapid.Float64Range(0.1, 1e3).Draw(t, "mean"), "shape": rapid.Float64Range(1.2, 10).Draw(t, "shape"),
		}
		if w := makeWorkload(t, rapid.Uint64().Draw(t, "seed"), given); len(w.Jobs) != given["jobs"] {
			t.Fatalf("%d jobs", len(w.Jobs))
		}
	})
}

// Rates and horizons at which there are no jobs or too many are errors that name them.
func TestWorkloadErrors(t *testing.T) {
	kit.RefuseWorkloads(t, datasettest.Refusals{
		"parameters lambda and horizon: 1e+09 jobs on average, more than 1e+08":             {"lambda": 1e6, "horizon": 1e3},
		"parameters lambda and horizon: no job arrives before time 0.001 at 1e-06 per unit": {"lambda": 1e-6, "horizon": 1e-3},
	})
}
