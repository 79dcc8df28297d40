package pocd_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"schedgap/datasets/claimstest"
	"schedgap/datasets/pocd"
	"schedgap/models"
)

// measure runs a policy at a point at seeds 1, 2, … and returns the means of the run metrics. All policies meet the same workloads.
func measure(tb testing.TB, p pocd.Point, policy string, repetitions int, more map[string]any) map[string]float64 {
	tb.Helper()
	given := maps.Clone(more)
	if given == nil {
		given = map[string]any{}
	}
	maps.Copy(given, p.Params)
	params, err := models.Resolve(simulator.Params, given)
	if err != nil {
		tb.Fatal(err)
	}
	specs, err := models.Resolve(simulator.Specs, p.Specs)
	if err != nil {
		tb.Fatal(err)
	}
	mean := map[string]float64{}
	for i := range repetitions {
		seed := uint64(i + 1)
		w, err := simulator.Generate(specs, rand.New(rand.NewPCG(seed, 0)))
		if err != nil {
			tb.Fatal(err)
		}
		r := models.SimRequest{Workload: w, Policy: policy, Params: params, Seed: seed}
		err = simulator.Run(context.Background(), r, func(m models.Metric) {
			if m.Scope == "run" {
				mean[m.Name] += m.Value / float64(repetitions)
			}
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	return mean
}

func sweep(tb testing.TB, name string) pocd.Sweep {
	tb.Helper()
	all := pocd.Figures()
	i := slices.IndexFunc(all, func(s pocd.Sweep) bool { return s.Name == name })
	if i < 0 {
		tb.Fatalf("no sweep %s", name)
	}
	return all[i]
}

func point(tb testing.TB, name string, x float64) pocd.Point {
	tb.Helper()
	s := sweep(tb, name)
	i := slices.IndexFunc(s.Points, func(p pocd.Point) bool { return p.X == x })
	if i < 0 {
		tb.Fatalf("%s has no point %v", name, x)
	}
	return s.Points[i]
}

// Every point is a valid request, and every claim is about the sweep and has a row on the page of claims.
func TestFigures(t *testing.T) {
	claims := claimstest.Read(t, "pocd")
	names := map[string]bool{}
	for _, s := range pocd.Figures() {
		if names[s.Name] || len(s.Points) == 0 || len(s.Metrics) == 0 {
			t.Errorf("sweep %q is double or empty", s.Name)
		}
		names[s.Name] = true
		for _, name := range s.Policies {
			if !slices.ContainsFunc(simulator.Policies, func(p models.Policy) bool { return p.Name == name }) {
				t.Errorf("%s: unknown policy %s", s.Name, name)
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
				if !slices.Contains(s.Policies, c.Policy) || !slices.Contains(s.Metrics, c.Metric) {
					t.Errorf("%s at %v: claim %s is about %s of %s", s.Name, p.X, c.ID, c.Metric, c.Policy)
				}
				if claims.Row(c.ID) == "" {
					t.Errorf("%s at %v: claim %s is not on the page of claims", s.Name, p.X, c.ID)
				}
			}
		}
	}
}

const repetitions = 12

// Figures 4 and 6: no policy except foresight is clearly better than shed+, at any load and size, and under load all lose.
func TestShapeOfLoad(t *testing.T) {
	before := map[string]float64{}
	for _, p := range slices.Concat(sweep(t, "fig4").Points, sweep(t, "fig6").Points) {
		now := map[string]float64{}
		for _, policy := range []string{"shed+", "shed", "dolly", "hopper", "hadoop", "none", "clairvoyant"} {
			now[policy] = measure(t, p, policy, repetitions, nil)["pocd"]
			if last, ok := before[policy]; ok && p.X < 1 && now[policy] > last+0.03 {
				t.Errorf("%s: PoCD %v at load %v, %v at a lower one", policy, now[policy], p.X, last)
			}
		}
		if p.X < 1 {
			before = now
		}
		for policy, v := range now {
			if policy != "clairvoyant" && v > now["shed+"]+0.05 || v > now["clairvoyant"] {
				t.Errorf("at %v: %s %v, shed+ %v, clairvoyant %v", p.X, policy, v, now["shed+"], now["clairvoyant"])
			}
		}
		if now["none"]+0.1 > now["shed+"] {
			t.Errorf("at %v: none %v, shed+ %v", p.X, now["none"], now["shed+"])
		}
	}
}

// Figure 5: later deadlines are met by more jobs under every policy.
func TestShapeOfDeadlines(t *testing.T) {
	for _, policy := range sweep(t, "fig5").Policies {
		last := 0.0
		for _, p := range sweep(t, "fig5").Points {
			now := measure(t, p, policy, repetitions, nil)["pocd"]
			if now < last-0.02 {
				t.Errorf("%s: PoCD %v at %v, %v earlier", policy, now, p.X, last)
			}
			last = now
		}
	}
}

// Table II: intervals below the launch time kill all copies before they process anything and leave shed+ below hadoop; intervals
// that are too long lose a little, which shows where deadlines are tight.
func TestShapeOfIntervals(t *testing.T) {
	at := func(x float64) map[string]float64 {
		return measure(t, point(t, "table2-xi10", x), "shed+", repetitions, nil)
	}
	small, middle, large := at(5), at(15), at(40)
	hadoop := measure(t, point(t, "table2-xi10", 5), "hadoop", repetitions, nil)["pocd"]
	if small["pocd"] > hadoop || small["copies_won"] != 0 || small["killed_launching"] != small["copies"] {
		t.Errorf("θ' = 5 %%: PoCD %v, hadoop's %v; %v of %v copies killed in their launch", small["pocd"], hadoop,
			small["killed_launching"], small["copies"])
	}
	if middle["pocd"] < 0.95 || middle["pocd"] < large["pocd"] {
		t.Errorf("PoCD %v at θ' = 15 %%, %v at 40 %%", middle["pocd"], large["pocd"])
	}
	tight := func(theta float64) float64 {
		p := pocd.Point{
			Specs:  map[string]any{"tasks": 10, "deadline": 0.8},
			Params: map[string]any{"interval": "deadline", "theta": theta},
		}
		return measure(t, p, "shed+", 3*repetitions, nil)["pocd"]
	}
	if best, rare := tight(0.25), tight(0.6); best < rare+0.02 {
		t.Errorf("tight deadlines: PoCD %v at θ' = 25 %%, %v at 60 %%", best, rare)
	}
}

// Figure 2, section V and Figure 7: more attempts help less and less; copies that go on from the straggler's progress do better;
// shed plans to use nearly all VMs, shed+ does not.
func TestShapeOfTheRest(t *testing.T) {
	var mean []float64
	for _, p := range sweep(t, "fig2").Points {
		mean = append(mean, measure(t, p, "dolly", repetitions, nil)["mean_execution"])
	}
	if !slices.IsSortedFunc(mean, func(a, b float64) int { return int(b - a) }) || mean[0]-mean[1] < 20*(mean[4]-mean[7]) {
		t.Errorf("mean execution times by attempts: %v", mean)
	}
	restarted := measure(t, point(t, "resume", 0), "shed+", repetitions, nil)["pocd"]
	resumed := measure(t, point(t, "resume", 1), "shed+", repetitions, nil)["pocd"]
	if resumed < restarted+0.02 {
		t.Errorf("PoCD %v with resumption, %v without", resumed, restarted)
	}
	p := point(t, "fig7-9", 0.4)
	shed, plus := measure(t, p, "shed", repetitions, nil), measure(t, p, "shed+", repetitions, nil)
	if shed["planned_utilisation"] < 0.8 || plus["planned_utilisation"] > 0.6 || plus["peak_utilisation"] < 0.6 {
		t.Errorf("planned utilisation: shed %v, shed+ %v with peaks of %v",
			shed["planned_utilisation"], plus["planned_utilisation"], plus["peak_utilisation"])
	}
}

// BenchmarkFigures prints every sweep over 50 repetitions, the paper's numbers in brackets.
func BenchmarkFigures(b *testing.B) {
	claims := claimstest.Read(b, "pocd")
	for b.Loop() {
		var table strings.Builder
		for _, s := range pocd.Figures() {
			fmt.Fprintf(&table, "\n%s: %s\n%s\n", s.Name, s.Doc, s.Axis)
			for _, p := range s.Points {
				for _, policy := range s.Policies {
					mean := measure(b, p, policy, 50, nil)
					fmt.Fprintf(&table, "%6v %-12s", p.X, policy)
					for _, metric := range s.Metrics {
						fmt.Fprintf(&table, " %s %.3f", metric, mean[metric])
						for _, c := range p.Claims {
							if c.Policy == policy && c.Metric == metric {
								fmt.Fprintf(&table, " [%s %s]", claims.Row(c.ID), c.ID)
							}
						}
					}
					table.WriteByte('\n')
				}
			}
		}
		fmt.Print(table.String())
	}
}
