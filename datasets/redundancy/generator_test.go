package redundancy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/redundancy"
	"schedgap/models"
	"schedgap/models/fail"
	mredundancy "schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
	"schedgap/models/trials/property"
)

// kit makes instances and workloads, and makes sure of what all problems' datasets promise.
var kit = datasettest.Kit[*mredundancy.Instance, mredundancy.Solution, sim.Workload]{
	Problem: mredundancy.Problem, Generator: redundancy.Generator, Deriver: redundancy.Deriver, Simulator: simulator,
}

var generateInstance, encodeInstance, deriveInstances, makeWorkload = kit.Generate, kit.Encode, kit.Derive, kit.Workload

// Whatever the options, the file is valid (the reader checks that h is concave), the same seed gives the same bytes, jobs come
// in the order of their arrivals from 0 on, and a change of the cluster leaves the jobs alone.
func TestGenerateKeepsOptions(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		given := map[string]any{
			"jobs": rapid.IntRange(1, 30).Draw(t, "jobs"), "mean": rapid.SampledFrom([]float64{0.01, 1, 40, 1e6}).Draw(t, "mean"),
			"shape": rapid.Float64Range(1.01, 5).Draw(t, "shape"), "lambda": rapid.Float64Range(0.01, 3).Draw(t, "lambda"),
			"machines": rapid.IntRange(1, 40).Draw(t, "machines"), "multitasking": rapid.Bool().Draw(t, "multitasking"),
			"speed":   rapid.Float64Range(0.5, 5).Draw(t, "speed"),
			"speedup": rapid.SampledFrom([]string{"linear", "flat", "pareto", "concave"}).Draw(t, "speedup"),
		}
		seed := rapid.Uint64().Draw(t, "seed")
		in := generateInstance(t, given, seed)
		if len(in.Jobs) != given["jobs"] || in.Machines != given["machines"] || in.Multitasking != given["multitasking"] ||
			in.Speed != given["speed"] {
			t.Errorf("%v of %v", in, given)
		}
		for j := range in.Jobs {
			if a := in.Jobs[j].Arrival; j == 0 && a != 0 || j > 0 && a < in.Jobs[j-1].Arrival {
				t.Errorf("job %d arrives at %v", j, a)
			}
		}
		given["machines"], given["speedup"], given["speed"] = 7, "concave", 2.
		if diff := cmp.Diff(in.Jobs, generateInstance(t, given, seed).Jobs); diff != "" {
			t.Error(diff)
		}
	})
}

// The paper's workload: works of mean 40 and at least 20, a median of 20·√2, at λ = load·M/40.
func TestGenerateLaw(t *testing.T) {
	in := generateInstance(t, map[string]any{"jobs": 20_000, "machines": 100, "load": 0.8}, 1)
	sum, least, below := 0.0, math.Inf(1), 0
	for _, job := range in.Jobs {
		sum, least = sum+job.Work, min(least, job.Work)
		if job.Work < 20*math.Sqrt2 {
			below++
		}
	}
	n := float64(len(in.Jobs))
	// The variance of Pareto works of shape 2 is infinite: their mean is only roughly held.
	if mean := sum / n; mean < 36 || mean > 44 || least < 20 || math.Abs(float64(below)/n-0.5) > 0.02 {
		t.Errorf("mean %v, least %v, %v below the median", mean, least, float64(below)/n)
	}
	if lambda := (n - 1) / in.Jobs[len(in.Jobs)-1].Arrival; math.Abs(lambda-2) > 0.1 {
		t.Errorf("λ is %v", lambda)
	}
	for _, job := range generateInstance(t, map[string]any{"load": 0.}, 1).Jobs {
		if job.Arrival != 0 {
			t.Errorf("without a load %s arrives at %v", job.ID, job.Arrival)
		}
	}
}

// The families by their definitions: r; 1; (2 − 1/r)/1 and (1.5 − 1/r)/0.5 = 3 − 2/r.
func TestSpeedups(t *testing.T) {
	for _, c := range []struct {
		given map[string]any
		want  []float64
	}{
		{map[string]any{"speedup": "linear"}, []float64{1, 2, 3, 4}},
		{map[string]any{"speedup": "flat"}, []float64{1, 1, 1, 1}},
		{map[string]any{"speedup": "pareto"}, []float64{1, 1.5, 1.666667, 1.75}},
	} {
		c.given["machines"] = 4
		if diff := cmp.Diff(c.want, generateInstance(t, c.given, 1).Speedup); diff != "" {
			t.Errorf("%v: %s", c.given, diff)
		}
	}
	a, b := generateInstance(t, map[string]any{"speedup": "concave"}, 1), generateInstance(t, map[string]any{"speedup": "concave"},
		2)
	if cmp.Equal(a.Speedup, b.Speedup) {
		t.Errorf("random tables are equal: %v", a.Speedup)
	}
}

// Lemmas 1 and 2 on h measured from the machines of section 6: it is concave, which the reader checks, grows, and stays below
// the number of copies and the peak speed over the mean. In short intervals machines differ most, and in long ones hardly.
func TestProcessSpeedup(t *testing.T) {
	encodeInstance(t, generateInstance(t, map[string]any{"machines": 50, "speedup": "process"}, 1))
	// Mean lengths 32.079 and 7.5848 at speeds 1 and 0.1: the mean speed is (32.079 + 0.75848)/39.6638.
	const peak = 1.2 / ((32.079 + 0.75848) / 39.6638)
	gain := math.Inf(1)
	for _, interval := range []float64{1, 40, 1000} {
		h, err := sim.Speedup(models.Defaults(sim.Params), interval, 50, 4096, rand.New(rand.NewPCG(1, 0)))
		fail.On(t, err)
		for r := range h {
			if grown := h[r] / h[0]; grown > float64(r+1) || grown > peak*1.02 {
				t.Errorf("interval %v: h(%d) = %v", interval, r+1, grown)
			}
		}
		if last := h[len(h)-1] / h[0]; last < 1.05 || last > gain {
			t.Errorf("interval %v: h(%d) = %v, before %v", interval, len(h), last, gain)
		} else {
			gain = last
		}
	}
}
