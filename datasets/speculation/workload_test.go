package speculation_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/datasets/speculation"
	hspeculation "schedgap/heuristics/speculation"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/speculation/sim"
	"schedgap/models/trials/property"
)

var simulator = sim.New(hspeculation.Policies, speculation.Workloads)

// What the paper tells of its trace holds of the defaults: 1,000 tasks a job on average, three jobs in ten with more. The
// bound on the number of tasks costs a little of the mean; four standard errors are 57 tasks (σ of a job's: 1,414) and 0.018.
func TestWorkloadDefaults(t *testing.T) {
	const n = 10_000
	tasks, large, mean := 0, 0, 0.0
	for _, j := range makeWorkload(t, 1, map[string]any{"jobs": n}).Jobs {
		tasks += j.Tasks
		if j.Tasks > 1000 {
			large++
		}
		mean += j.Mean / n
		if j.CV != 0.2 || j.Input != 128 || j.Memory != 1 {
			t.Fatalf("job %+v", j)
		}
	}
	if math.Abs(float64(tasks)/n-1000) > 60 || math.Abs(float64(large)/n-0.3) > 0.018 || math.Abs(mean-30) > 0.6 {
		t.Errorf("%v tasks a job, %v of the jobs large, tasks of %v s", float64(tasks)/n, float64(large)/n, mean)
	}
}

// Tasks of 30 seconds that meet nothing, ten a job, half of 600 slots: a job a second, give or take 4 standard errors.
func TestArrivals(t *testing.T) {
	const n = 20_000
	given := map[string]any{
		"jobs": n + 1, "tasks": 10, "slots": 600, "load": 0.5, "heterogeneity": 1, "contention": 1,
		"stragglers": 0,
	}
	if got := makeWorkload(t, 1, given).Jobs[n].Arrival / n; math.Abs(got-1) > 4/math.Sqrt(n) {
		t.Errorf("a job every %v s", got)
	}
	given["load"] = 0
	for _, j := range makeWorkload(t, 1, given).Jobs {
		if j.Arrival != 0 {
			t.Errorf("job %+v of load 0", j)
		}
	}
}

// The load that is asked for is the one that the cluster has without copies, within a tenth.
func TestLoad(t *testing.T) {
	for _, load := range []float64{0.5, 0.8} {
		w := makeWorkload(t, 2, map[string]any{"jobs": 3000, "tasks": 40, "load": load})
		r := models.SimRequest{Workload: w, Policy: "none", Params: models.Defaults(simulator.Params), Seed: 1}
		err := simulator.Run(context.Background(), r, func(m models.Metric) {
			if m.Name == "utilisation" && math.Abs(m.Value-load) > 0.1*load {
				t.Errorf("utilisation %v, want %v", m.Value, load)
			}
		})
		fail.On(t, err)
	}
}

// Whatever the parameters: the workload is valid, the same seed gives the same bytes, and the file reads back.
func TestGenerateWorkload(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		given := map[string]any{
			"jobs": rapid.IntRange(1, 60).Draw(t, "jobs"), "tasks": rapid.IntRange(0, 50).Draw(t, "tasks"),
			"load":  rapid.OneOf(rapid.Just(0.), rapid.Float64Range(0.1, 2)).Draw(t, "load"),
			"slots": rapid.IntRange(1, 500).Draw(t, "slots"), "heterogeneity": rapid.Float64Range(1, 10).Draw(t, "heterogeneity"),
		}
		makeWorkload(t, rapid.Uint64().Draw(t, "seed"), given)
	})
}
