package pocd_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/pocd"
	mpocd "schedgap/models/pocd"
	"schedgap/models/pocd/sim"
	"schedgap/models/trials/property"
)

// kit makes instances and workloads, and makes sure of what all problems' datasets promise.
var kit = datasettest.Kit[*mpocd.Instance, mpocd.Copies, sim.Workload]{
	Problem: mpocd.Problem, Generator: pocd.Generator, Deriver: pocd.Deriver, Simulator: simulator,
}

var generateInstance, deriveInstances, makeWorkload = kit.Generate, kit.Derive, kit.Workload

// Whatever the options, the file is valid, the same seed gives the same bytes, and the options are kept: sizes, load, the
// share of stragglers, shapes.
func TestGenerateKeepsOptions(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		given := map[string]any{
			"jobs": rapid.IntRange(1, 20).Draw(t, "jobs"), "tasks": rapid.IntRange(0, 12).Draw(t, "tasks"),
			"t_min": math.Pow(10, rapid.Float64Range(-3, 5).Draw(t, "log t_min")), "beta": rapid.Float64Range(0.1, 5).Draw(t, "beta"),
			"stragglers": rapid.SampledFrom([]float64{-1, 0, 0.3, 1}).Draw(t, "stragglers"),
			"alpha":      rapid.SampledFrom([]string{"0", "0.5", "1", "50", "inf"}).Draw(t, "alpha"),
			"load":       rapid.Float64Range(0.05, 1).Draw(t, "load"),
		}
		in := generateInstance(t, given, rapid.Uint64().Draw(t, "seed"))
		base := in.BaseLoad()
		tasks, stragglers := base-len(in.Jobs), 0
		for _, job := range in.Jobs {
			if n := given["tasks"].(int); n > 0 && len(job.Tasks) > n || len(job.Tasks) > 20 {
				t.Errorf("%d tasks of %d", len(job.Tasks), n)
			}
			for _, k := range job.Tasks {
				if k.Beta > 2 || k.Beta < 1 {
					t.Errorf("β is %v", k.Beta)
				}
				if k.Straggler {
					stragglers++
				}
			}
		}
		if want := max(base, int(math.Round(float64(tasks)/given["load"].(float64)))); in.Capacity != want {
			t.Errorf("capacity %d, want %d", in.Capacity, want)
		}
		if share := given["stragglers"].(float64); share >= 0 && stragglers != int(math.Round(share*float64(tasks))) {
			t.Errorf("%d of %d tasks straggle, want %v of them", stragglers, tasks, share)
		}
	})
}

// At the defaults: sizes are equally likely, deadlines lie around Hadoop's medians, and about as many tasks straggle as a
// Pareto tail says: P(X > D | X > τ) = (max(τ, 120)/D)^1.5.
func TestGenerateMarginals(t *testing.T) {
	in := generateInstance(t, map[string]any{"jobs": 12_000}, 3)
	sizes := map[int]int{}
	expected, stragglers := 0.0, 0
	for _, job := range in.Jobs {
		if job.Elapsed > 0.25*job.Deadline {
			continue
		}
		sizes[len(job.Tasks)]++
		// τ is a quarter at most of a deadline below 445 s: below t_min, no task is done.
		median := map[int]float64{5: 237.24, 10: 295.33, 20: 370.02}[len(job.Tasks)]
		if job.Deadline < 0.79*median || job.Deadline > 1.21*median {
			t.Errorf("deadline %v of a job of %d tasks", job.Deadline, len(job.Tasks))
		}
		expected += float64(len(job.Tasks)) * math.Pow(120/job.Deadline, 1.5)
		for _, k := range job.Tasks {
			if k.Straggler {
				stragglers++
			}
		}
	}
	for _, n := range []int{5, 10, 20} {
		if sizes[n] < 1850 || sizes[n] > 2150 { // 2000 ± 4 standard deviations
			t.Errorf("%d jobs have %d tasks", sizes[n], n)
		}
	}
	if d := float64(stragglers) - expected; math.Abs(d) > 0.03*expected {
		t.Errorf("%d stragglers, %v expected", stragglers, expected)
	}
}

// A task's numbers fit together: with linear progress the estimated finish is X = τ/φ, it straggles if X > D, and β is
// X/(X − t_min) up to 2.
func TestGenerateEstimates(t *testing.T) {
	in := generateInstance(t, map[string]any{"jobs": 300}, 1)
	for _, job := range in.Jobs {
		for _, k := range job.Tasks {
			x := job.Elapsed / k.Progress
			if beta := min(2, x/(x-k.TMin)); math.Abs(k.Beta-beta) > 1e-3 {
				t.Errorf("β is %v, estimated %v", k.Beta, beta)
			}
			if math.Abs(x-job.Deadline) > 0.01*x && k.Straggler != (x > job.Deadline) {
				t.Errorf("estimated finish %v, deadline %v, straggler %v", x, job.Deadline, k.Straggler)
			}
		}
	}
}

// An option changes nothing but what it governs.
func TestGenerateStreams(t *testing.T) {
	plain := generateInstance(t, nil, 5)
	for name, value := range map[string]any{"alpha": "inf", "load": 0.5, "max_copies": 3, "stragglers": 0.5} {
		other := generateInstance(t, map[string]any{name: value}, 5)
		other.Alpha, other.Capacity, other.MaxCopies = plain.Alpha, plain.Capacity, plain.MaxCopies
		if name == "stragglers" {
			for j := range other.Jobs {
				for i := range other.Jobs[j].Tasks {
					other.Jobs[j].Tasks[i].Straggler = plain.Jobs[j].Tasks[i].Straggler
				}
			}
		}
		if diff := cmp.Diff(plain, other); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Options that make no instance are errors that name the option.
func TestGenerateErrors(t *testing.T) {
	kit.RefuseInstances(t, datasettest.Refusals{
		`parameter alpha: "-1" must be a number from 0 to 50, or inf`: {"alpha": "-1"},
		`parameter alpha: "NaN" must be`:                              {"alpha": "NaN"},
		"parameter capacity: 14 is less than the base load 15":        {"jobs": 3, "tasks": 4, "capacity": 14},
	})
}
