package cloning_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/datasets/cloning"
	"schedgap/datasets/datasettest"
	hcloning "schedgap/heuristics/cloning"
	mcloning "schedgap/models/cloning"
	"schedgap/models/cloning/sim"
	"schedgap/models/trials/property"
)

var simulator = sim.New(hcloning.Policies, cloning.Workloads)

// The paper's suite: 10 GB are 80 maps and 20 reduces, 1 GB 8 and 2; WordCount is one round of them, PageRank three, of either
// input half the time. On the 30 nodes requests are those of Google's trace, 0.00625 to 0.5 of 24 cores.
func TestSuite(t *testing.T) {
	const n = 2000
	seen := map[string]int{}
	w := makeWorkload(t, 1, map[string]any{"jobs": n})
	for _, j := range w.Jobs {
		kind := ""
		for k, p := range j.Phases {
			kind += fmt.Sprint(p.Tasks, " ")
			if (k == 0) != (len(p.Parents) == 0) || k > 0 && !slices.Equal(p.Parents, []int{k - 1}) {
				t.Fatalf("%s: phase %d waits for %v", j.ID, k, p.Parents)
			}
			if p.Mean < 15 || p.Mean > 45 || p.SD < 0.49*p.Mean || p.SD > 2.01*p.Mean || p.CPU < 0.15 || p.CPU > 12 {
				t.Errorf("%s: phase %+v", j.ID, p)
			}
		}
		seen[kind]++
	}
	// Half of the jobs, a quarter, a quarter: within four standard deviations of 22 and 19.
	for kind, want := range map[string]int{"80 20 ": n / 2, "80 20 80 20 80 20 ": n / 4, "8 2 8 2 8 2 ": n / 4} {
		if got := seen[kind]; got < want-90 || got > want+90 {
			t.Errorf("%d jobs of %s, want about %d", got, kind, want)
		}
	}
	if cluster := fmt.Sprint(w.Cluster); len(seen) != 3 || cluster != "[{2 24 48} {2 16 64} {2 16 48} {3 16 32} {21 8 16}]" {
		t.Errorf("jobs %v, cluster %v", seen, w.Cluster)
	}
}

// Shapes have the parents that they say; a job's tasks are divided among its phases.
func TestWorkloadShapes(t *testing.T) {
	for shape, want := range map[string][][]int{
		"single": {nil}, "mapreduce": {nil, {0}}, "chain": {nil, {0}, {1}}, "forkjoin": {nil, {0}, {0}, {0}, {1, 2, 3}},
	} {
		for _, mix := range []string{"google", "pareto"} {
			for _, j := range makeWorkload(t, 1, map[string]any{"mix": mix, "shape": shape, "jobs": 20}).Jobs {
				var got [][]int
				for _, p := range j.Phases {
					got = append(got, p.Parents)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("%s %s: %s", mix, shape, d)
				}
			}
		}
	}
}

// The google mix has the quantiles of the trace: a fifth of the jobs have several tasks, a twentieth 100 or more; half of the
// phases last 471.6 s or more, a quarter of the jobs request 0.0625 of the CPU or more. Four standard deviations of a share of
// 20,000 are at most 0.015.
func TestGoogleMix(t *testing.T) {
	const n = 20_000
	w := makeWorkload(t, 1, map[string]any{
		"mix": "google", "shape": "single", "jobs": n, "cluster": "google", "arrivals": "transient",
	})
	var several, many, long, wide float64
	count := func(c *float64, yes bool) {
		if yes {
			*c += 1. / n
		}
	}
	for _, j := range w.Jobs {
		p := j.Phases[0]
		count(&several, p.Tasks > 1)
		count(&many, p.Tasks >= 100)
		count(&long, p.Mean >= 471.6)
		count(&wide, p.CPU >= 0.0625)
		if p.Tasks > 10_500 || p.Mean > 48_534 || p.CPU > 0.5 || p.Mem > 0.2544 || j.Arrival != 0 {
			t.Fatalf("%+v", j)
		}
	}
	for _, c := range []struct{ got, want float64 }{{several, 0.2}, {many, 0.05}, {long, 0.5}, {wide, 0.25}} {
		if math.Abs(c.got-c.want) > 0.02 {
			t.Errorf("share %v, want %v", c.got, c.want)
		}
	}
	servers := 0
	for _, s := range w.Cluster {
		servers += s.Count
	}
	if servers != 30_000 || len(w.Cluster) != 6 || w.Cluster[0].CPU != 1 {
		t.Errorf("%d servers: %v", servers, w.Cluster)
	}
}

// Of the suite, rounds and requests can be told; standard deviations by the trace have its quantiles: half of the phases have
// less than 0.0769 of the mean, a tenth more than 0.547.
func TestSuiteOptions(t *testing.T) {
	w := makeWorkload(t, 1, map[string]any{"jobs": 2000, "mix": "pagerank", "rounds": 1, "spread": "trace"})
	var small, large float64
	for _, j := range w.Jobs {
		if len(j.Phases) != 2 {
			t.Fatalf("%d phases", len(j.Phases))
		}
		for _, p := range j.Phases {
			if p.SD < 0.0769*p.Mean {
				small++
			} else if p.SD > 0.547*p.Mean {
				large++
			}
		}
	}
	small /= 4000
	if math.Abs(small-0.5) > 0.04 {
		t.Errorf("%v of the phases have a small deviation, want 0.5", small)
	}
	large /= 4000
	if math.Abs(large-0.1) > 0.03 {
		t.Errorf("%v of the phases have a large deviation, want 0.1", large)
	}
}

// Requests are scaled together to the load that is asked for, unless that is more than the widest tasks can offer: a third of the
// largest server holds for all of them, so that each fits on any of the 30 nodes. WordCount's tasks may last longer.
func TestRequestedLoad(t *testing.T) {
	given := map[string]any{
		"jobs": 200, "mix": "wordcount", "gap": 20., "requested_load": 1.8, "widest": 1. / 3,
		"wordcount_seconds": 60.,
	}
	w := makeWorkload(t, 1, given)
	if load := w.Load(w.Cluster, 200*20); math.Abs(load-1.8) > 1e-3 {
		t.Errorf("load %v, want 1.8", load)
	}
	mean := 0.
	for _, j := range w.Jobs {
		for _, p := range j.Phases {
			mean += p.Mean / 400
			if p.CPU > 8 || p.Mem > 16 {
				t.Fatalf("%+v is too wide", p)
			}
		}
	}
	if math.Abs(mean-60) > 4*60/math.Sqrt(12*400) {
		t.Errorf("tasks of %v s, want 60", mean)
	}
	given["requested_load"] = 1000.
	for _, j := range makeWorkload(t, 1, given).Jobs {
		if p := j.Phases[0]; p.CPU != 8 || p.Mem != 16 {
			t.Fatalf("%+v could be wider", p)
		}
	}
}

// Arrivals: by gap at equal distances, and by load: 2,000 jobs of two tasks of a tenth of the only server for 100 s are a volume
// of 20 s each, so at load 0.5 a job comes every 40 s, give or take four standard errors.
func TestWorkloadArrivals(t *testing.T) {
	given := map[string]any{"jobs": 3, "arrivals": "regular", "gap": 200.}
	for i, j := range makeWorkload(t, 1, given).Jobs {
		if j.Arrival != 200*float64(i) {
			t.Errorf("job %d comes at %v", i, j.Arrival)
		}
	}
	const n = 2000
	given = map[string]any{
		"mix": "pareto", "shape": "mapreduce", "jobs": n + 1, "tasks": 1, "mean_min": 100., "mean_max": 100., "demand_from": 0.1,
		"demand_to": 0.1, "cluster": "single", "load": 0.5, // of all alike, both measures are the same
	}
	if got := makeWorkload(t, 1, given).Jobs[n].Arrival / n; math.Abs(got-40) > 4*40/math.Sqrt(n) {
		t.Errorf("a job every %v s, want 40", got)
	}
}

// Whatever the options: the workload is valid, every task fits on some server, the same seed gives the same bytes, the file reads
// back, and other arrivals change nothing but arrivals.
func TestGenerateWorkload(t *testing.T) {
	choices := map[string][]string{}
	for _, p := range cloning.Workloads.Specs {
		choices[p.Name] = p.Choices
	}
	property.Check(t, func(t *rapid.T) {
		given := map[string]any{
			"jobs":  rapid.IntRange(1, 20).Draw(t, "jobs"),
			"tasks": rapid.IntRange(1, 100).Draw(t, "tasks"), "tasks_shape": rapid.Float64Range(0, 3).Draw(t, "tasks_shape"),
			"phases": rapid.IntRange(1, 9).Draw(t, "phases"), "servers": rapid.IntRange(1, 50).Draw(t, "servers"),
			"input": rapid.Float64Range(0.001, 50).Draw(t, "input"), "load": rapid.Float64Range(0.1, 3).Draw(t, "load"),
			"cv_from": rapid.Float64Range(0, 2).Draw(t, "cv_from"), "demand_to": rapid.Float64Range(0.01, 1).Draw(t, "demand_to"),
		}
		for _, name := range []string{"mix", "shape", "arrivals", "cluster"} {
			given[name] = rapid.SampledFrom(choices[name]).Draw(t, name)
		}
		seed := rapid.Uint64().Draw(t, "seed")
		w := makeWorkload(t, seed, given)
		for _, j := range w.Jobs {
			for _, p := range j.Phases {
				if !slices.ContainsFunc(w.Cluster, func(s sim.Servers) bool {
					return mcloning.Fits([]float64{p.CPU, p.Mem}, []float64{s.CPU, s.Mem})
				}) {
					t.Fatalf("%s: phase %+v fits nowhere in %v", j.ID, p, w.Cluster)
				}
			}
		}
		given["arrivals"] = "transient"
		still := makeWorkload(t, seed, given)
		for i := range w.Jobs {
			w.Jobs[i].Arrival = 0
		}
		if d := cmp.Diff(w.Jobs, still.Jobs); d != "" {
			t.Fatal(d)
		}
	})
}

// Ranges the wrong way round are one sentence.
func TestWorkloadErrors(t *testing.T) {
	kit.RefuseWorkloads(t, datasettest.Refusals{"parameter cv_from: 3 must be at most cv_to, 2": {"cv_from": 3.}})
}
