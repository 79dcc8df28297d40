package cloning_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedgap/datasets/claimstest"
	"schedgap/datasets/cloning"
	"schedgap/models"
	"schedgap/models/cloning/sim"
)

// measure runs a policy at a point at seeds 1, 2, …; all policies meet the same workloads and the same luck. fixed stands in for
// the generated workload unless nil.
func measure(tb testing.TB, p cloning.Point, policy string, repetitions int, fixed *sim.Workload) *cloning.Run {
	tb.Helper()
	given := maps.Clone(p.Params)
	if fixed == nil {
		fixed = p.Jobs
	} else {
		given = map[string]any{"servers": cloning.ServersFor(fixed, p.Load)}
	}
	params, err := models.Resolve(simulator.Params, given)
	if err != nil {
		tb.Fatal(err)
	}
	run := &cloning.Run{Metrics: map[string]float64{}, Jobs: map[string][]float64{}}
	for i := range repetitions {
		w := fixed
		if w == nil {
			w = makeWorkload(tb, uint64(i+1), p.Specs)
		}
		r := models.SimRequest{Workload: w, Policy: policy, Params: params, Seed: uint64(i + 1)}
		if err := simulator.Run(tb.Context(), r, func(m models.Metric) {
			if m.Scope == "job" {
				run.Jobs[m.Name] = append(run.Jobs[m.Name], m.Value)
			} else {
				run.Metrics[m.Name] += m.Value / float64(repetitions)
			}
		}); err != nil {
			tb.Fatal(err)
		}
	}
	return run
}

// runs measures all policies of a sweep at a point.
func runs(tb testing.TB, s cloning.Sweep, p cloning.Point, repetitions int, fixed *sim.Workload) map[string]*cloning.Run {
	tb.Helper()
	all := map[string]*cloning.Run{}
	for _, policy := range s.Policies {
		all[policy] = measure(tb, p, policy, repetitions, fixed)
	}
	return all
}

// small is a size at which the shapes of the figures can be seen.
var small = cloning.Size{Servers: 100, Jobs: 1000}

func sweep(tb testing.TB, name string) cloning.Sweep {
	tb.Helper()
	list := cloning.Figures(small)
	i := slices.IndexFunc(list, func(s cloning.Sweep) bool { return s.Name == name })
	if i < 0 {
		tb.Fatalf("no sweep %s", name)
	}
	return list[i]
}

// Every point is a valid request, and every claim is about the sweep and has a row on the page of claims.
func TestFigures(t *testing.T) {
	claims := claimstest.Read(t, "cloning")
	names := map[string]bool{}
	for _, s := range cloning.Figures(small) {
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
				if !slices.Contains(s.Policies, c.Policy) || c.Baseline != "" && !slices.Contains(s.Policies, c.Baseline) {
					t.Errorf("%s at %v: claim %s is about %s and %q", s.Name, p.X, c.ID, c.Policy, c.Baseline)
				}
				if claims.Row(c.ID) == "" {
					t.Errorf("%s at %v: claim %s is not on the page of claims", s.Name, p.X, c.ID)
				}
			}
		}
	}
}

// Four jobs by hand. Flowtimes 1, 2, 3, 6 against 2, 2, 6, 12: ratios 1/2, 1, 1/2, 1/2; mean reduction 37.5 %; means 3 and 5.5;
// deviation of 1, 2, 3, 6: √(14/4)/3.
func TestMeasure(t *testing.T) {
	run := &cloning.Run{
		Metrics: map[string]float64{"mean_flowtime": 3}, Jobs: map[string][]float64{"flowtime": {1, 2, 3, 6}},
	}
	base := &cloning.Run{
		Metrics: map[string]float64{"mean_flowtime": 5.5}, Jobs: map[string][]float64{"flowtime": {2, 2, 6, 12}},
	}
	for _, c := range []struct {
		claim cloning.Claim
		base  *cloning.Run
		want  float64
	}{
		{cloning.Claim{Of: cloning.Value, Metric: "mean_flowtime"}, nil, 3},
		{cloning.Claim{Of: cloning.Reduction, Metric: "mean_flowtime"}, base, 100 * 2.5 / 5.5},
		{cloning.Claim{Of: cloning.Ratio, Metric: "mean_flowtime"}, base, 3 / 5.5},
		{cloning.Claim{Of: cloning.MeanReduction, Metric: "flowtime"}, base, 37.5},
		{cloning.Claim{Of: cloning.Share, Metric: "flowtime", To: 2}, nil, 0.5},
		{cloning.Claim{Of: cloning.Share, Metric: "flowtime", From: 0.4, To: 0.7}, base, 0.75},
		{cloning.Claim{Of: cloning.Deviation, Metric: "flowtime"}, nil, math.Sqrt(3.5) / 3},
	} {
		if got := c.claim.Measure(run, c.base); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.claim.String(), got, c.want)
		}
	}
}

// Figure 2 is exact: 46 by Tetris, 34 by DollyMP without clones and 28 with one.
func TestFigure2(t *testing.T) {
	s := sweep(t, "fig2")
	for policy, want := range map[string]float64{"tetris": 46, "dollymp0": 34, "dollymp1": 28} {
		if got := measure(t, s.Points[0], policy, 1, nil).Metrics["total_flowtime"]; got != want {
			t.Errorf("%s: %v, want %v", policy, got, want)
		}
	}
}

// Figures 1 and 4: alone or at light load every further clone shortens jobs, and what runs is more; without clones all
// schedulers are alike.
func TestShapeOfLightLoad(t *testing.T) {
	for _, name := range []string{"fig1", "fig4"} {
		s := sweep(t, name)
		all := runs(t, s, s.Points[0], 5, nil)
		metric := func(policy, name string) float64 { return all[policy].Metrics[name] }
		for _, pair := range [][2]string{{"dollymp2", "dollymp1"}, {"dollymp1", "dollymp0"}} {
			if fast, slow := metric(pair[0], "mean_flowtime"), metric(pair[1], "mean_flowtime"); fast > 0.97*slow {
				t.Errorf("%s: mean flowtime %v of %s, %v of %s", name, fast, pair[0], slow, pair[1])
			}
			if more, less := metric(pair[0], "usage"), metric(pair[1], "usage"); more < 1.2*less {
				t.Errorf("%s: usage %v of %s, %v of %s", name, more, pair[0], less, pair[1])
			}
		}
		if a, b := metric("capacity", "mean_flowtime"), metric("dollymp0", "mean_flowtime"); math.Abs(a/b-1) > 0.05 {
			t.Errorf("%s: mean flowtime %v of capacity, %v of dollymp0", name, a, b)
		}
	}
}

// Figures 7 and 11: where a queue builds up, the order matters: DollyMP is well ahead of Capacity and Carbyne.
func TestShapeOfHeavyLoad(t *testing.T) {
	s := sweep(t, "fig5a-7a")
	p := s.Points[len(s.Points)-1]
	p.Specs["jobs"] = 150
	dolly, capacity := measure(t, p, "dollymp2", 3, nil), measure(t, p, "capacity", 3, nil)
	if a, b := dolly.Metrics["total_flowtime"], capacity.Metrics["total_flowtime"]; a > 0.8*b {
		t.Errorf("total flowtime %v of dollymp2, %v of capacity", a, b)
	}
	s = sweep(t, "fig11")
	all := runs(t, s, s.Points[0], 3, nil)
	if a, b := all["dollymp2"].Metrics["mean_flowtime"], all["carbyne"].Metrics["mean_flowtime"]; a > 0.9*b {
		t.Errorf("mean flowtime %v of dollymp2, %v of carbyne", a, b)
	}
}

// Figures 8 to 10: three copies do little more than two but cost, and the busier the cluster the fewer tasks are cloned.
func TestShapeOfCloning(t *testing.T) {
	s := sweep(t, "fig8-9")
	var flow, usage []float64
	for _, policy := range []string{"dollymp0", "dollymp1", "dollymp2", "dollymp3"} {
		run := measure(t, s.Points[0], policy, 3, nil)
		flow, usage = append(flow, run.Metrics["mean_flowtime"]), append(usage, run.Metrics["usage"])
	}
	if !slices.IsSorted(usage) || flow[2]-flow[3] > flow[0]-flow[1] || flow[1] > flow[0] {
		t.Errorf("by clones: mean flowtime %v, usage %v", flow, usage)
	}
	last := 1.
	for _, p := range sweep(t, "fig10").Points {
		share := measure(t, p, "dollymp2", 3, nil).Metrics["cloned_share"]
		if share > last {
			t.Errorf("%v of the tasks are cloned at %v times the load, %v at less", share, p.X, last)
		}
		last = share
	}
}

// number is the positive number in an environment variable, or a default when that is not set.
func number(b *testing.B, name string, otherwise int) int {
	b.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 100 {
		b.Fatalf("%s: %q must be a number from 100 on", name, text)
	}
	return n
}

// BenchmarkFigures prints every sweep, the paper's numbers in brackets: those at scale on 1,000 servers, or SCHEDGAP_SERVERS (the
// paper: 30000), with ten jobs a server, or SCHEDGAP_JOBS. With SCHEDGAP_TRACES they are also replays: of the finished jobs of
// google2011, of those with ten tasks or more, and of jobs of alibaba, all on so many servers that the loads hold.
func BenchmarkFigures(b *testing.B) {
	claims := claimstest.Read(b, "cloning")
	size := cloning.Size{Servers: number(b, "SCHEDGAP_SERVERS", 1000)}
	size.Jobs = number(b, "SCHEDGAP_JOBS", 10*size.Servers)
	figures := cloning.Figures(size)
	for _, s := range figures {
		repetitions := 5
		if s.Points[0].Load > 0 {
			repetitions = 1
		}
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				fmt.Print(table(b, s, claims, repetitions, nil))
			}
		})
	}
	b.Run("replay", func(b *testing.B) {
		google := traceWorkload(b, models.DeriveRequest{Dir: realTrace(b, "google2011"), Format: "google2011"})
		wide := *google
		wide.Jobs = slices.Clone(google.Jobs)
		wide.Jobs = slices.DeleteFunc(wide.Jobs, func(j sim.Job) bool { return j.Phases[0].Tasks < 10 })
		batch := models.DeriveRequest{Dir: realTrace(b, "alibaba/v2018_dags_from_erdos.csv.gz"), Format: "alibaba", N: 2000}
		for _, t := range []struct {
			name string
			w    *sim.Workload
		}{{"google2011", google}, {"google2011-wide", &wide}, {"alibaba", traceWorkload(b, batch)}} {
			for _, s := range figures {
				if s.Replay {
					b.Run(t.name+"/"+s.Name, func(b *testing.B) {
						for b.Loop() {
							fmt.Print(table(b, s, claims, 1, t.w))
						}
					})
				}
			}
		}
	})
}

func table(tb testing.TB, s cloning.Sweep, claims claimstest.Page, repetitions int, fixed *sim.Workload) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s: %s\n", s.Name, s.Doc)
	for _, p := range s.Points {
		fmt.Fprintf(&text, "%s %v", s.Axis, p.X)
		if fixed != nil {
			fmt.Fprintf(&text, ", %d jobs on %d servers", len(fixed.Jobs), cloning.ServersFor(fixed, p.Load))
		}
		text.WriteByte('\n')
		all := runs(tb, s, p, repetitions, fixed)
		for _, policy := range s.Policies {
			fmt.Fprintf(&text, "  %-10s", policy)
			for _, metric := range s.Metrics {
				fmt.Fprintf(&text, " %s %.4g", metric, all[policy].Metrics[metric])
			}
			text.WriteByte('\n')
		}
		for _, c := range p.Claims {
			fmt.Fprintf(&text, "  %s: %.3g [%s, %s]\n", c.String(), c.Measure(all[c.Policy], all[c.Baseline]), claims.Row(c.ID), c.ID)
		}
	}
	return text.String()
}

// BenchmarkGenerate makes a workload of 30,000 jobs, about a million tasks, on 30,000 servers.
func BenchmarkGenerate(b *testing.B) {
	v, err := models.Resolve(cloning.Workloads.Specs, map[string]any{"mix": "google", "cluster": "google", "jobs": 30_000})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := cloning.Workloads.Generate(v, rand.New(rand.NewPCG(1, 0))); err != nil {
			b.Fatal(err)
		}
	}
}
