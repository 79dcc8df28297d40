package flex_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/flex"
	hflex "schedgap/heuristics/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/trials/property"
)

var simulator = sim.New(hflex.Policies, flex.Workloads)

// The anchors of σ: at 0 all jobs are equal, at 4 the smallest is a tenth of the largest, in between the standard deviation
// grows in proportion.
func TestSigma(t *testing.T) {
	spread := func(sigma float64) (ratio, sd float64) {
		var tasks []int
		for _, j := range makeWorkload(t, 1, map[string]any{"sigma": sigma, "map_tasks": 1_000_000}).Jobs {
			tasks = append(tasks, j.Map.Tasks)
			sd += math.Pow(float64(j.Map.Tasks)/100_000-1, 2) / 10
		}
		return float64(slices.Min(tasks)) / float64(slices.Max(tasks)), math.Sqrt(sd)
	}
	if r, sd := spread(0); r != 1 || sd != 0 {
		t.Errorf("σ = 0: smallest over largest %v, deviation %v", r, sd)
	}
	r4, sd4 := spread(4)
	if math.Abs(r4-0.1) > 1e-3 {
		t.Errorf("σ = 4: smallest over largest %v", r4)
	}
	// 4·9/44 times the deviation of ten points evenly spaced over [−1, 1], √(11/27).
	if want := 36. / 44 * math.Sqrt(11./27); math.Abs(sd4-want) > 1e-3 {
		t.Errorf("σ = 4: deviation %v of the mean size, want %v", sd4, want)
	}
	if _, sd := spread(1); math.Abs(sd-sd4/4) > 1e-3 {
		t.Errorf("deviation %v at σ = 1, %v at 4", sd, sd4)
	}
}

// Times between arrivals are exponential with mean λ: of 20,000, their mean lies within 5 standard errors of 2 min, and about
// the share exp(−1) exceeds it.
func TestLambda(t *testing.T) {
	const n = 20_000
	w := makeWorkload(t, 1, map[string]any{"jobs": n + 1, "lambda": 2, "map_tasks": n + 1, "reduce_tasks": 0})
	longer := 0.0
	for i := range n {
		if w.Jobs[i+1].Arrival-w.Jobs[i].Arrival > 120 {
			longer++
		}
	}
	if got := w.Jobs[n].Arrival / n; math.Abs(got-120) > 5*120/math.Sqrt(n) {
		t.Errorf("mean %v s", got)
	}
	if got, want := longer/n, math.Exp(-1); math.Abs(got-want) > 5*math.Sqrt(want/n) {
		t.Errorf("%v are longer than the mean, want %v", got, want)
	}
}

// Whatever the parameters: total work is what was asked for, every job has tasks, the same seed gives the same bytes, and the
// file reads back.
func TestGenerateWorkload(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		jobs := rapid.IntRange(1, 40).Draw(t, "jobs")
		maps := rapid.IntRange(jobs, 5000).Draw(t, "map_tasks")
		reduces := rapid.OneOf(rapid.Just(0), rapid.IntRange(jobs, 500)).Draw(t, "reduce_tasks")
		given := map[string]any{
			"jobs": jobs, "map_tasks": maps, "reduce_tasks": reduces,
			"sigma": rapid.Float64Range(0, 4.8).Draw(t, "sigma"), "lambda": rapid.Float64Range(0, 9).Draw(t, "lambda"),
		}
		w := makeWorkload(t, rapid.Uint64().Draw(t, "seed"), given)
		gotMaps, gotReduces := 0, 0
		for _, j := range w.Jobs {
			gotMaps += j.Map.Tasks
			if j.Reduce != nil {
				gotReduces += j.Reduce.Tasks
			}
		}
		if len(w.Jobs) != jobs || gotMaps != maps || gotReduces != reduces {
			t.Fatalf("%d jobs with %d and %d tasks", len(w.Jobs), gotMaps, gotReduces)
		}
	})
}

// Fewer tasks than jobs cannot be shared.
func TestGenerateWorkloadErrors(t *testing.T) {
	kit.RefuseWorkloads(t, datasettest.Refusals{"reduce_tasks: 4 are too few for 5 jobs": {"jobs": 5, "reduce_tasks": 4}})
}
