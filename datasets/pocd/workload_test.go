package pocd_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/datasets/pocd"
	hpocd "schedgap/heuristics/pocd"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/pocd/sim"
	"schedgap/models/trials/property"
)

var simulator = sim.New(hpocd.Policies, pocd.Workloads)

// The defaults are the paper's, and the deadlines 1.3 times 60 s plus the median of the longest of N with two attempts:
// 120·(1 − 2^(−1/N))^(−1/3) is 237.2, 295.5 and 370.2 s.
func TestWorkloadDefaults(t *testing.T) {
	deadlines := map[int]float64{5: 386.4, 10: 462.2, 20: 559.2}
	seen := map[int]int{}
	w := makeWorkload(t, 1, nil)
	for _, j := range w.Jobs {
		seen[j.Tasks]++
		if want := deadlines[j.Tasks]; math.Abs(j.Deadline-want) > 0.1 || j.TMin != 120 || j.Beta != 1.5 {
			t.Errorf("job %+v, want deadline %v", j, want)
		}
	}
	if len(w.Jobs) != 100 || len(seen) != 3 || min(seen[5], seen[10], seen[20]) < 20 {
		t.Errorf("%d jobs, by tasks %v", len(w.Jobs), seen)
	}
}

// Tasks of 60 + 120·3 = 420 s on average, ten a job, 40 % of 138 VMs: a job every 4200/55.2 s, give or take 4 standard errors.
func TestArrivals(t *testing.T) {
	const n = 20_000
	w := makeWorkload(t, 1, map[string]any{"jobs": n + 1, "tasks": 10})
	if got, want := w.Jobs[n].Arrival/n, 4200/55.2; math.Abs(got-want) > 4*want/math.Sqrt(n) {
		t.Errorf("a job every %v s, want %v", got, want)
	}
	for _, j := range makeWorkload(t, 1, map[string]any{"load": 0}).Jobs {
		if j.Arrival != 0 {
			t.Errorf("job %+v of load 0", j)
		}
	}
}

// The load that is asked for is the one that a large cluster without copies has, within a tenth: β = 3 keeps the mean's error
// small.
func TestLoad(t *testing.T) {
	w := makeWorkload(t, 2, map[string]any{"jobs": 20_000, "vms": 1000, "beta": 3, "load": 0.5})
	params, err := models.Resolve(simulator.Params, map[string]any{"slaves": 1000})
	fail.On(t, err)
	r := models.SimRequest{Workload: w, Policy: "none", Params: params, Seed: 1}
	err = simulator.Run(context.Background(), r, func(m models.Metric) {
		if m.Name == "load" && math.Abs(m.Value-0.5) > 0.05 {
			t.Errorf("load %v, want 0.5", m.Value)
		}
	})
	fail.On(t, err)
}

// Whatever the parameters: the workload is valid, the same seed gives the same bytes, and the file reads back.
func TestGenerateWorkload(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		given := map[string]any{
			"jobs": rapid.IntRange(1, 60).Draw(t, "jobs"), "tasks": rapid.IntRange(0, 50).Draw(t, "tasks"),
			"load": rapid.OneOf(rapid.Just(0.), rapid.Float64Range(0.1, 2)).Draw(t, "load"), "vms": rapid.IntRange(1, 500).Draw(t, "vms"),
			"t_min": rapid.Float64Range(1e-3, 1e3).Draw(t, "t_min"), "beta": rapid.Float64Range(1.2, 10).Draw(t, "beta"),
			"launch": rapid.Float64Range(0, 100).Draw(t, "launch"), "deadline": rapid.Float64Range(0.1, 10).Draw(t, "deadline"),
		}
		makeWorkload(t, rapid.Uint64().Draw(t, "seed"), given)
	})
}
