package speculation_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/datasets/claimstest"
	"schedgap/datasets/speculation"
	"schedgap/models"
)

// A measured run: the means of its run metrics, and its jobs' metrics one after another.
type measured struct {
	mean map[string]float64
	jobs map[string][]float64
}

// measure makes a run at a point at seeds 1, 2, …. All runs meet the same workloads, with more specs than the point's if given.
func measure(tb testing.TB, p speculation.Point, run speculation.Run, repetitions int, more map[string]any) measured {
	tb.Helper()
	given := maps.Clone(run.Params)
	if given == nil {
		given = map[string]any{}
	}
	maps.Copy(given, p.Params)
	params, err := models.Resolve(simulator.Params, given)
	if err != nil {
		tb.Fatal(err)
	}
	specs := maps.Clone(more)
	if specs == nil {
		specs = map[string]any{}
	}
	maps.Copy(specs, p.Specs)
	m := measured{map[string]float64{}, map[string][]float64{}}
	for i := range repetitions {
		seed := uint64(i + 1)
		resolved, err := models.Resolve(simulator.Specs, specs)
		if err != nil {
			tb.Fatal(err)
		}
		w, err := simulator.Generate(resolved, rand.New(rand.NewPCG(seed, 0)))
		if err != nil {
			tb.Fatal(err)
		}
		r := models.SimRequest{Workload: w, Policy: run.Policy, Params: params, Seed: seed}
		err = simulator.Run(context.Background(), r, func(v models.Metric) {
			if v.Scope == "run" {
				m.mean[v.Name] += v.Value / float64(repetitions)
			} else {
				m.jobs[v.Name] = append(m.jobs[v.Name], v.Value)
			}
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return m
}

// value is what was measured of a claim.
func value(c speculation.Claim, runs map[string]measured) float64 {
	a, b := runs[c.Run].mean[c.Metric], runs[c.Baseline].mean[c.Metric]
	switch c.Kind {
	case speculation.Reduction:
		return 100 * (1 - a/b)
	case speculation.Increase:
		return 100 * (a/b - 1)
	case speculation.Ratio:
		return a / b
	case speculation.Share:
		n, base := 0.0, runs[c.Baseline].jobs[c.Metric]
		for i, x := range runs[c.Run].jobs[c.Metric] {
			if 100*(1-x/base[i]) > c.Above {
				n++
			}
		}
		return n / float64(len(base))
	}
	return a
}

func sweep(tb testing.TB, name string) speculation.Sweep {
	tb.Helper()
	all := speculation.Figures()
	i := slices.IndexFunc(all, func(s speculation.Sweep) bool { return s.Name == name })
	if i < 0 {
		tb.Fatalf("no sweep %s", name)
	}
	return all[i]
}

// Every point is a valid request, and every claim is about the sweep and has a row on the page of claims.
func TestFigures(t *testing.T) {
	claims := claimstest.Read(t, "speculation")
	names := map[string]bool{}
	for _, s := range speculation.Figures() {
		if names[s.Name] || len(s.Points) == 0 || len(s.Metrics) == 0 {
			t.Errorf("sweep %q is double or empty", s.Name)
		}
		names[s.Name] = true
		runs := []string{""}
		for _, r := range s.Runs {
			runs = append(runs, r.Name)
			if !slices.ContainsFunc(simulator.Policies, func(p models.Policy) bool { return p.Name == r.Policy }) {
				t.Errorf("%s: unknown policy %s", s.Name, r.Policy)
			}
			if _, err := models.Resolve(simulator.Params, r.Params); err != nil {
				t.Errorf("%s: %s: %v", s.Name, r.Name, err)
			}
		}
		for _, p := range s.Points {
			if _, err := models.Resolve(simulator.Specs, p.Specs); err != nil {
				t.Errorf("%s at %v: %v", s.Name, p.X, err)
			}
			if _, err := models.Resolve(simulator.Params, p.Params); err != nil {
				t.Errorf("%s at %v: %v", s.Name, p.X, err)
			}
			for _, c := range p.Claims {
				known := slices.Contains(runs, c.Run) && slices.Contains(runs, c.Baseline)
				if !known || (c.Baseline == "") != (c.Kind == speculation.Absolute) {
					t.Errorf("%s at %v: claim %s compares %q with %q", s.Name, p.X, c.ID, c.Run, c.Baseline)
				}
				if c.Kind != speculation.Share && !slices.Contains(s.Metrics, c.Metric) {
					t.Errorf("%s at %v: claim %s is about %s", s.Name, p.X, c.ID, c.Metric)
				}
				if claims.Row(c.ID) == "" {
					t.Errorf("%s at %v: claim %s is not on the page of claims", s.Name, p.X, c.ID)
				}
			}
		}
	}
}

// small makes less work than the figures' defaults.
var small = map[string]any{"jobs": 30}

const repetitions = 3

func at(t *testing.T, s speculation.Sweep, i int) map[string]measured {
	t.Helper()
	runs := map[string]measured{}
	for _, r := range s.Runs {
		runs[r.Name] = measure(t, s.Points[i], r, repetitions, small)
	}
	return runs
}

// Figure 6: window's jobs take least time and, as copies cut stragglers short, least energy; default wastes more on killed
// copies than hete-aware, and fewer of its copies win; without copies jobs take longest. Section 1: who copies as early but
// ignores the variation of performance pays for it.
func TestShapeOfComparison(t *testing.T) {
	for _, name := range []string{"fig6-7", "fig6-7-copies"} {
		runs := at(t, sweep(t, name), 0)
		get := func(run, metric string) float64 { return runs[run].mean[metric] }
		order := []string{"window", "hete-aware", "default", "none"}
		for i, run := range order[1:] {
			if a, b := get(order[i], "mean_execution"), get(run, "mean_execution"); a >= b {
				t.Errorf("%s: mean execution %v under %s, %v under %s", name, a, order[i], b, run)
			}
			if a, b := get("window", "mean_energy"), get(run, "mean_energy"); a >= b {
				t.Errorf("%s: energy %v under window, %v under %s", name, a, b, run)
			}
		}
		// Figure 6b: window's copies end stragglers early.
		straggling := func(run string) float64 { return get(run, "energy_strag_success") + get(run, "energy_strag_killed") }
		if a := straggling("window"); a > 0.8*straggling("default") || a > 0.8*straggling("hete-aware") {
			t.Errorf("%s: stragglers take %v J a job under window, %v under default, %v under hete-aware", name, a,
				straggling("default"), straggling("hete-aware"))
		}
		if get("hete-aware", "energy_copy_killed") >= get("default", "energy_copy_killed") {
			t.Errorf("%s: hete-aware wastes more on copies than default", name)
		}
		won := func(run string) float64 { return get(run, "copies_won") / get(run, "copies") }
		if won("window") < won("default")+0.1 || won("hete-aware") < won("default")+0.1 {
			t.Errorf("%s: shares of copies that win: %v, %v, %v", name, won("window"), won("hete-aware"), won("default"))
		}
		for _, metric := range []string{"mean_execution", "mean_energy"} {
			if a, b := get("window-blind", metric), get("window", metric); a <= 1.05*b {
				t.Errorf("%s: %s is %v under window-blind, %v under window", name, metric, a, b)
			}
		}
	}
}

// Figure 7: under late copies some jobs take more time or more energy than without copies; where stragglers are at most 2.5 times
// slower, quite a few take more of both.
func TestWorseForSomeJobs(t *testing.T) {
	more := func(values, base []float64) float64 {
		n := 0.0
		for i, x := range values {
			if x > base[i] {
				n++
			}
		}
		return n / float64(len(base))
	}
	for _, name := range []string{"fig6-7", "fig6-7-mild"} {
		runs := at(t, sweep(t, name), 0)
		for _, run := range []string{"default", "hete-aware"} {
			share := func(metric string) float64 { return more(runs[run].jobs[metric], runs["none"].jobs[metric]) }
			t.Logf("%s: under %s %.3f of the jobs take more time, %.3f more energy", name, run, share("execution"), share("energy"))
			if name == "fig6-7-mild" && share("execution") == 0 || share("energy") == 0 || share("execution") > 0.5 {
				t.Errorf("%s: %v and %v of the jobs are worse under %s", name, share("execution"), share("energy"), run)
			}
		}
	}
}

// Figures 8, 11 and 12: in larger windows copies find faster slots; the more stragglers, the more window gains on hete-aware;
// window beats default at any utilisation.
func TestShapeOfSweeps(t *testing.T) {
	fig8 := sweep(t, "fig8")
	short, long := at(t, fig8, 0)["window"].mean, at(t, fig8, 9)["window"].mean
	if short["mean_copy_time"] <= long["mean_copy_time"] {
		t.Errorf("copies take %v s with a window of 0.1, %v s with one of 1.0", short["mean_copy_time"], long["mean_copy_time"])
	}
	last := math.Inf(-1)
	for _, i := range []int{0, 2, 4} {
		runs := at(t, sweep(t, "fig11"), i)
		gain := 1 - runs["window"].mean["mean_execution"]/runs["hete-aware"].mean["mean_execution"]
		if gain <= last {
			t.Errorf("point %d of fig11: window gains %v on hete-aware, %v where fewer straggle", i, gain, last)
		}
		last = gain
	}
	for _, i := range []int{0, 7} {
		runs := at(t, sweep(t, "fig12"), i)
		for _, metric := range []string{"mean_execution", "mean_energy"} {
			if a, b := runs["fair+window"].mean[metric], runs["fair+default"].mean[metric]; a >= b {
				t.Errorf("point %d of fig12: %s is %v under window, %v under default", i, metric, a, b)
			}
		}
	}
}

// BenchmarkFigures prints every sweep over 4 repetitions, then what was measured of each claim, the paper's number in brackets.
func BenchmarkFigures(b *testing.B) {
	claims := claimstest.Read(b, "speculation")
	for b.Loop() {
		var table strings.Builder
		for _, s := range speculation.Figures() {
			fmt.Fprintf(&table, "\n%s: %s\n%s\n", s.Name, s.Doc, s.Axis)
			for _, p := range s.Points {
				runs := map[string]measured{}
				for _, r := range s.Runs {
					runs[r.Name] = measure(b, p, r, 4, nil)
					fmt.Fprintf(&table, "%6v %-14s", p.X, r.Name)
					for _, metric := range s.Metrics {
						fmt.Fprintf(&table, " %s %.4g", metric, runs[r.Name].mean[metric])
					}
					table.WriteByte('\n')
				}
				for _, c := range p.Claims {
					how := [...]string{"", "% less ", "% more ", "ratio of ", fmt.Sprintf("share of jobs with %v %% less ", c.Above)}
					fmt.Fprintf(&table, "%6v %s: %s%s", p.X, c.Run, how[c.Kind], c.Metric)
					if c.Baseline != "" {
						fmt.Fprintf(&table, " against %s", c.Baseline)
					}
					fmt.Fprintf(&table, ": %.3g", value(c, runs))
					fmt.Fprintf(&table, " [%s %s]", claims.Row(c.ID), c.ID)
					table.WriteByte('\n')
				}
			}
		}
		fmt.Print(table.String())
	}
}
