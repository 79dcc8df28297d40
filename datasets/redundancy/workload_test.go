package redundancy_test

import (
	"context"
	"fmt"
	"math"
	"syscall"
	"testing"
	"time"

	"pgregory.net/rapid"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/redundancy"
	hredundancy "schedgap/heuristics/redundancy"
	"schedgap/models"
	"schedgap/models/redundancy/sim"
	"schedgap/models/simulation/simtest"
	"schedgap/models/trials"
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
	trials.Check(t, func(t *rapid.T) {
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

// cpuSeconds is the CPU time of the process.
func cpuSeconds(tb testing.TB) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// BenchmarkSimulate measures jobs a second of CPU time, which other work on the machine does not disturb, on the paper's
// cluster in light and in heavy traffic: from 2,500 to 250,000 jobs, the growth of the time with the workload.
func BenchmarkSimulate(b *testing.B) {
	params := models.Defaults(simulator.Params)
	for _, lambda := range []float64{1, 2.5} {
		for _, jobs := range []int{2500, 25_000, 250_000} {
			w := makeWorkload(b, 1, map[string]any{"jobs": jobs, "lambda": lambda})
			for _, p := range hredundancy.Policies {
				b.Run(fmt.Sprintf("%s/lambda=%v/jobs=%d", p.Name, lambda, jobs), func(b *testing.B) {
					begin := cpuSeconds(b)
					for b.Loop() {
						r := models.SimRequest{Workload: w, Policy: p.Name, Params: params, Seed: 1}
						if err := simulator.Run(context.Background(), r, func(models.Metric) {}); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(jobs)*float64(b.N)/(cpuSeconds(b)-begin), "jobs/cpu-s")
				})
			}
		}
	}
}

// What every simulator promises, of all policies.
func TestPolicies(t *testing.T) {
	simtest.Run(t, simulator, makeWorkload(t, 1, map[string]any{"jobs": 200}), nil, "flowtime")
}
