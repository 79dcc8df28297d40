package cloning_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/datasets/cloning"
	"schedgap/datasets/datasettest"
	"schedgap/models"
	mcloning "schedgap/models/cloning"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
	"schedgap/models/trials/property"
)

// kit makes instances and workloads, and makes sure of what all problems' datasets promise.
var kit = datasettest.Kit[*mcloning.Instance, mcloning.Solution, sim.Workload]{
	Problem: mcloning.Problem, Generator: cloning.Generator, Deriver: cloning.Deriver, Simulator: simulator,
}

var generateInstance, deriveInstances, makeWorkload, workloadText = kit.Generate, kit.Derive, kit.Workload, kit.Text

// Whatever the options, the file is valid, the same seed gives the same bytes, and the options are kept.
func TestGenerateKeepsOptions(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		least := rapid.Float64Range(0.1, 20).Draw(t, "mean_min")
		cv := rapid.Float64Range(0, 3).Draw(t, "cv_from")
		demand := rapid.Float64Range(0, 1).Draw(t, "demand_from")
		given := map[string]any{
			"jobs":        rapid.IntRange(1, 12).Draw(t, "jobs"),
			"shape":       rapid.SampledFrom([]string{"single", "mapreduce", "chain", "forkjoin", "layered", "mixed"}).Draw(t, "shape"),
			"phases":      rapid.IntRange(1, 8).Draw(t, "phases"),
			"tasks":       rapid.IntRange(1, 9).Draw(t, "tasks"),
			"tasks_shape": rapid.SampledFrom([]float64{0, 0.5, 2}).Draw(t, "tasks_shape"),
			"mean_min":    least, "mean_max": 4 * least,
			"cv_from": cv, "cv_to": 2 * cv, "demand_from": demand, "demand_to": (1 + demand) / 2,
			"arrivals": rapid.SampledFrom([]string{"transient", "online"}).Draw(t, "arrivals"),
			"load":     rapid.Float64Range(0.1, 3).Draw(t, "load"),
			"cluster":  rapid.SampledFrom([]string{"single", "small", "paper", "google"}).Draw(t, "cluster"),
			"servers":  rapid.IntRange(1, 50).Draw(t, "servers"), "max_copies": rapid.IntRange(1, 4).Draw(t, "max_copies"),
		}
		in := generateInstance(t, given, rapid.Uint64().Draw(t, "seed"))
		n := given["phases"].(int)
		phases := map[string]int{"single": 1, "mapreduce": 2, "chain": n, "forkjoin": n + 2, "layered": n}
		for _, job := range in.Jobs {
			if want, plain := phases[given["shape"].(string)]; plain && len(job.Phases) != want {
				t.Errorf("%d phases of %d", len(job.Phases), want)
			}
			if job.Arrival > 0 && given["arrivals"] == "transient" {
				t.Errorf("a transient job arrives at %d", job.Arrival)
			}
			for _, p := range job.Phases {
				if p.Tasks > given["tasks"].(int) || p.Mean < least-0.051 || p.Mean > 4*least+0.051 ||
					p.SD < p.Mean*cv-0.01 || p.SD > p.Mean*2*cv+0.01 {
					t.Errorf("phase %+v of options %v", p, given)
				}
			}
		}
	})
}

// The shapes by their edges.
func TestShapes(t *testing.T) {
	parents := func(shape string) [][]int {
		var list [][]int
		for _, p := range generateInstance(t, map[string]any{"jobs": 1, "shape": shape}, 1).Jobs[0].Phases {
			list = append(list, p.Parents)
		}
		return list
	}
	for shape, want := range map[string][][]int{
		"single": {nil}, "mapreduce": {nil, {0}}, "chain": {nil, {0}, {1}}, "forkjoin": {nil, {0}, {0}, {0}, {1, 2, 3}},
	} {
		if diff := cmp.Diff(want, parents(shape)); diff != "" {
			t.Errorf("%s: parents (-want +got)\n%s", shape, diff)
		}
	}
	// All layered graphs of three phases come up: the second phase in the first's layer or below it, and the third in the
	// second's layer or below, there with one parent or with both.
	seen := map[string]bool{}
	for _, job := range generateInstance(t, map[string]any{"jobs": 300, "shape": "layered"}, 1).Jobs {
		text := ""
		for _, p := range job.Phases {
			text += strings.Repeat("-", len(p.Parents)) + "."
		}
		seen[text] = true
	}
	if diff := cmp.Diff(map[string]bool{"...": true, "..-.": true, "..--.": true, ".-.-.": true}, seen); diff != "" {
		t.Errorf("layered graphs (-want +got)\n%s", diff)
	}
}

// Online jobs offer the load: the volume of all over what the cluster has until the last arrival.
func TestOfferedLoad(t *testing.T) {
	given := map[string]any{"jobs": 4000, "arrivals": "online", "load": 0.8, "cluster": "paper"}
	if load := mcloning.Problem.Features(generateInstance(t, given, 2))["load"].(float64); load < 0.75 || load > 0.85 {
		t.Errorf("load %v, want 0.8 of the bottleneck", load)
	}
	given["load"], given["dominant_share_load"] = 0, 0.8
	in := generateInstance(t, given, 2)
	total, volume := in.Total(), 0.
	for _, job := range in.Jobs {
		for _, p := range job.Phases {
			volume += float64(p.Tasks) * p.Mean * mcloning.DominantShare(p.Demand, total)
		}
	}
	last := in.Jobs[len(in.Jobs)-1].Arrival
	if load := volume / float64(last); load < 0.75 || load > 0.85 { // ±4 standard deviations of 4000 exponential gaps
		t.Errorf("load %v", load)
	}
}

// An option changes nothing but what it governs.
func TestGenerateStreams(t *testing.T) {
	base := generateInstance(t, nil, 5)
	for _, c := range []struct {
		name  string
		given map[string]any
		erase func(in *mcloning.Instance)
	}{
		{"arrivals", map[string]any{"arrivals": "online"}, func(in *mcloning.Instance) {
			for j := range in.Jobs {
				in.Jobs[j].Arrival = 0
			}
		}},
		{"demands", map[string]any{"demand_from": 0.1, "demand_to": 0.2}, func(in *mcloning.Instance) {
			for j := range in.Jobs {
				for k := range in.Jobs[j].Phases {
					in.Jobs[j].Phases[k].Demand = nil
				}
			}
		}},
		{"servers", map[string]any{"servers": 7}, func(in *mcloning.Instance) { in.Servers = nil }},
	} {
		a, b := generateInstance(t, nil, 5), generateInstance(t, c.given, 5)
		if cmp.Equal(base, b) {
			t.Errorf("%s: nothing changes", c.name)
		}
		c.erase(a)
		c.erase(b)
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s change more:\n%s", c.name, diff)
		}
	}
}

// Ranges that are upside down are errors that name the option and its value.
func TestGenerateErrors(t *testing.T) {
	kit.RefuseInstances(t, datasettest.Refusals{
		"parameter mean_min: 7.5 must be at most mean_max":      {"mean_min": 7.5},
		"parameter cv_from: 7.5 must be at most cv_to":          {"cv_from": 7.5},
		"parameter demand_from: 0.75 must be at most demand_to": {"demand_from": 0.75},
	})
}

// The paper's testbed: 30 nodes with 328 cores; Google's mix: the shares of the trace's machines.
func TestClusters(t *testing.T) {
	paper := cloning.PaperCluster()
	cores := 0.
	for _, s := range paper {
		cores += s.Capacity[0]
	}
	if len(paper) != 30 || cores != 328 {
		t.Errorf("%d nodes with %v cores", len(paper), cores)
	}
	count := map[[2]float64]int{}
	for _, s := range cloning.GoogleCluster(30_000, rand.New(rand.NewPCG(1, 0))) {
		count[[2]float64(s.Capacity)]++
	}
	// Means 16055, 9228, 2387, 1896, 296, 130 with standard deviations of at most 87.
	for capacity, want := range map[[2]float64]int{
		{0.5, 0.4995}: 16055, {0.5, 0.2493}: 9228, {0.5, 0.749}: 2387, {1, 1}: 1896, {0.25, 0.2498}: 296, {0.5, 0.1241}: 130,
	} {
		if d := count[capacity] - want; d < -350 || d > 350 || count[capacity] == 0 {
			t.Errorf("%v: %d servers, want about %d", capacity, count[capacity], want)
		}
	}
	if len(count) != 6 {
		t.Errorf("%d kinds of servers", len(count))
	}
}

// TestIdleCopies: who asks for more copies of a task than the servers hold gets a warning; a default is no more than a limit.
func TestIdleCopies(t *testing.T) {
	for _, c := range []struct {
		given map[string]any
		want  string
	}{
		{map[string]any{}, ""},
		{map[string]any{"max_copies": 1}, ""},
		{map[string]any{"max_copies": 2}, ""},
		{map[string]any{"max_copies": 3}, "max_copies=3 decides nothing beyond 2: of servers there are 2, and max_copies_per_server is 1"},
		{map[string]any{"max_copies": 3, "servers": 3}, ""},
		{map[string]any{"max_copies": 3, "max_copies_per_server": 2}, ""},
		{map[string]any{"max_copies": 100, "servers": 9, "max_copies_per_server": 11}, "nothing beyond 99"},
		{map[string]any{"max_copies": 3, "servers": 9, "cluster": "single"}, "of servers there are 1,"},
		{map[string]any{"max_copies": 31, "servers": 99, "cluster": "paper"}, "of servers there are 30,"},
		{map[string]any{"max_copies": 31, "servers": 99, "cluster": "google"}, ""},
	} {
		v, err := models.Resolve(cloning.Generator.Params, c.given)
		fail.On(t, err)
		if got := cloning.Generator.Idle(c.given, v); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.given, got, c.want)
		}
		if _, derived := c.given["cluster"]; derived {
			continue
		}
		v, err = models.Resolve(cloning.Deriver.Params, c.given)
		fail.On(t, err)
		if got := cloning.Deriver.Idle(c.given, v); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("derived, %v: %q, want %q", c.given, got, c.want)
		}
	}
}
