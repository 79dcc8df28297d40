package cloning_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	heuristics "schedgap/heuristics/cloning"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
)

// phase is one of fixed durations on servers of one CPU and one unit of memory.
func phase(tasks int, cpu, mem, mean float64, parents ...int) cloning.Phase {
	return cloning.Phase{
		Tasks: tasks, Demand: []float64{cpu, mem}, Mean: mean, Parents: parents, Speedup: []float64{1, 1.5},
	}
}

func instance(servers int, jobs ...[]cloning.Phase) *cloning.Instance {
	in := &cloning.Instance{Resources: cloning.DefaultResources(), MaxCopies: 2, MaxCopiesPerServer: 2}
	for i := range servers {
		in.Servers = append(in.Servers, cloning.Server{ID: fmt.Sprint("s", i), Capacity: []float64{1, 1}})
	}
	for j, phases := range jobs {
		for k := range phases {
			phases[k].ID = fmt.Sprint("p", k)
		}
		in.Jobs = append(in.Jobs, cloning.Job{ID: fmt.Sprint("j", j), Phases: phases})
	}
	return in
}

// Each policy's order by hand: the slots after which first copies start, by phases in file order.
func TestOrders(t *testing.T) {
	type phases = []cloning.Phase
	// e is 6 and 4; only one of the two fits at a time.
	thinLong, wideShort := phases{phase(1, 0.6, 0.2, 6)}, phases{phase(1, 0.5, 0.5, 4)}
	for _, c := range []struct {
		name, algorithm string
		in              *cloning.Instance
		want            []int
		comment         string
	}{
		{"shortest first", "srpt", instance(1, thinLong, wideShort), []int{4, 0}, "e 4 before 6"},
		{"smallest first", "svf", instance(1, phases{phase(1, 1, 0, 4)}, phases{phase(1, 0.5, 0, 6)}), []int{6, 0}, "v 3 before 4"},
		{"density", "hrdf", instance(1, phases{phase(1, 1, 0, 4)}, phases{phase(1, 0.5, 0, 6)}), []int{6, 0}, "weights 1: as svf"},
		{
			"a path counts", "srpt", instance(1, phases{phase(1, 1, 0, 2), phase(1, 1, 0, 5, 0)}, phases{phase(1, 1, 0, 6)}),
			[]int{6, 8, 0},
			"e 7 against 6",
		},
		{
			"remaining time", "srpt",
			instance(2, phases{phase(1, 1, 0, 2), phase(1, 1, 0, 3, 0)}, phases{phase(2, 1, 0, 4)}),
			[]int{4, 6, 0},
			"j1 first on both servers, e 4 against 5",
		},
		{
			"fifo waits", "fifo", instance(1, phases{phase(1, 0.6, 0, 4)}, phases{phase(1, 0.5, 0, 2)}, phases{phase(1, 0.3, 0, 2)}),
			[]int{0, 4, 4},
			"j2 would fit at once, but j1 comes first",
		},
		{
			"capacity lets pass", "capacity",
			instance(1, phases{phase(1, 0.6, 0, 4)}, phases{phase(1, 0.5, 0, 2)}, phases{phase(1, 0.3, 0, 2)}),
			[]int{0, 4, 0},
			"the same jobs",
		},
		{
			"drf shares", "drf", instance(1, phases{phase(4, 0.25, 0, 4)}, phases{phase(2, 0.25, 0, 4)}),
			[]int{0, 0},
			"j0, j1, j0, j1; in order of the file j1 would start at 4",
		},
		{
			"tetris packs", "tetris", instance(1, phases{phase(1, 0.3, 0.3, 4)}, phases{phase(1, 0.8, 0.8, 1.5)}),
			[]int{2, 0},
			"work 2.4 each: fit alone decides, 1.6 against 0.6; j1 takes two slots",
		},
		{
			"tetris prefers short jobs", "tetris", instance(1, phases{phase(1, 0.6, 0.6, 9)}, phases{phase(1, 0.55, 0.55, 1)}),
			[]int{1, 0},
			"fits 1.2 and 1.1; works 10.8 and 1.1: ε = 1.15/0.449, and 1.1 + 2.56·0.898 is more than 1.2",
		},
		{
			"dollymp packs within a class", "dollymp0", instance(1, phases{phase(1, 0.3, 0.3, 3)}, phases{phase(1, 0.8, 0.8, 2.5)}),
			[]int{3, 0},
			"e 3 and 2.5, v 0.9 + 2 ≤ 4: both of class 2; fits 0.6 against 1.6",
		},
		{
			"dollymp goes by class", "dollymp0", instance(1, phases{phase(1, 0.3, 0.3, 3)}, phases{phase(1, 0.8, 0.8, 4)}),
			[]int{0, 3},
			"v 0.9 + 3.2 > 4, so j1 is of class 3",
		},
		{
			"carbyne gives what can wait", "carbyne",
			instance(1, phases{phase(1, 0.5, 0, 8), phase(1, 0.5, 0, 1)}, phases{phase(1, 0.5, 0, 2)}),
			[]int{0, 2, 0},
			"j0's second phase is not on its critical path, so j1, which shares equally, goes first",
		},
		{
			"graphene starts trouble first", "graphene",
			instance(1, phases{phase(2, 0.5, 0, 2), phase(1, 0.5, 0, 2), phase(1, 0.5, 0, 9, 1)}),
			[]int{0, 0, 2},
			"the long phase 2 waits for phase 1, which starts beside one task of phase 0",
		},
		{
			"graphene with less than nothing free", "graphene",
			instance(1, phases{phase(1, 1e-40, 0, 1), phase(2, 1.000000001, 0, 2)}),
			[]int{4, 0},
			"a task may take the billionth that a server's tolerance grants: what it leaves is not room for -1e31 tasks",
		},
	} {
		s, _ := schedule(t, algorithm(t, c.algorithm), c.in, nil)
		first := map[[2]int]int{}
		for _, cp := range s.Copies {
			id := [2]int{cp.Task.Job, cp.Task.Phase}
			if at, ok := first[id]; !ok || cp.Start < at {
				first[id] = cp.Start
			}
		}
		var got []int
		for _, id := range slices.SortedFunc(maps.Keys(first), func(a, b [2]int) int { return 1000*(a[0]-b[0]) + a[1] - b[1] }) {
			got = append(got, first[id])
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (%s): (-want +got)\n%s", c.name, c.comment, diff)
		}
	}
}

// Figure 2 under the paper's scheduler: J2 and J3 (v 2, class 3) before J1 (class 4), 34 without clones and 28 with them. When
// clones may hold a quarter of the cluster only J2 has one: 6 + 8 + 18.
func TestFigure2(t *testing.T) {
	const file = "../../models/cloning/examples/fig2.json"
	data, err := os.ReadFile(file)
	fail.On(t, err)
	in, err := cloning.Problem.ParseInstance(file, data)
	fail.On(t, err)
	for _, c := range []struct {
		algorithm string
		given     map[string]any
		want      float64
	}{
		{"fifo", nil, 46},
		{"dollymp0", nil, 34},
		{"dollymp1", nil, 28},
		{"dollymp2", nil, 28},
		{"dollymp1", map[string]any{"clone_share": 0.25}, 32},
	} {
		if _, got := schedule(t, algorithm(t, c.algorithm), in, c.given); got != c.want {
			t.Errorf("%s %v: %v, want %v", c.algorithm, c.given, got, c.want)
		}
	}
}

// Corollary 4.1: with h(2) = 1.5 a job of mean 3 is done within 2 slots, class 1, in two copies, whose volume 2·3·0.25/1.5 = 1
// fits there; one of mean 2 takes one copy, though there is room for another.
func TestCareful(t *testing.T) {
	in := instance(1, []cloning.Phase{phase(1, 0.25, 0, 3)}, []cloning.Phase{phase(1, 0.25, 0, 2)})
	s, flow := schedule(t, algorithm(t, "dollymp-careful"), in, nil)
	if flow != 2+2 || len(s.Copies) != 3 {
		t.Errorf("flowtime %v, copies %v", flow, s.Copies)
	}
}

// Weights: of volumes 3 and 4 svf serves the first first, and hrdf the second if it weighs twice as much.
func TestWeights(t *testing.T) {
	w := &sim.Workload{Cluster: []sim.Servers{{Count: 1, CPU: 1, Mem: 1}}}
	for i, mean := range []float64{15, 20} {
		w.Jobs = append(w.Jobs, sim.Job{
			ID: fmt.Sprint("j", i), Weight: float64(1 + i),
			Phases: []sim.Phase{{Tasks: 1, CPU: 1, Mem: 1, Mean: mean}},
		})
	}
	simulator := sim.New(heuristics.Policies, sim.Source{})
	for policy, want := range map[string]float64{"svf": 15, "hrdf": 35} {
		r := models.SimRequest{Workload: w, Policy: policy, Params: models.Defaults(simulator.Params), Seed: 1}
		if err := simulator.Run(t.Context(), r, func(m models.Metric) {
			if m.Name == "flowtime" && m.Job == "j0" && m.Value != want {
				t.Errorf("%s: j0 ends at %v, want %v", policy, m.Value, want)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}

// The same seed gives the same schedule, and only random depends on it.
func TestSeeds(t *testing.T) {
	in := instance(2)
	for j := range 8 {
		in.Jobs = append(in.Jobs, instance(0, []cloning.Phase{phase(2, 0.5, 0.25, float64(1+j%3))}).Jobs[0])
		in.Jobs[j].ID = fmt.Sprint("j", j)
	}
	for _, a := range heuristics.Schedulers {
		run := func(seed uint64) cloning.Solution {
			out, err := a.Run(t.Context(), &cloning.Pass{Instance: in, Params: models.Defaults(a.Params), Seed: seed, Threads: 1})
			fail.On(t, err)
			return out.Solution
		}
		if diff := cmp.Diff(run(1), run(1)); diff != "" {
			t.Errorf("%s: %s", a.Name, diff)
		}
		if cmp.Equal(run(1), run(2)) == a.Random {
			t.Errorf("%s: random %v, but seeds 1 and 2 say otherwise", a.Name, a.Random)
		}
	}
}

// An algorithm whose context has ended has no schedule.
func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in := instance(1, []cloning.Phase{phase(1, 1, 1, 1)})
	for _, a := range heuristics.All {
		out, err := a.Run(ctx, &cloning.Pass{Instance: in, Params: models.Defaults(a.Params)})
		if err != nil || out.Found || out.Status != models.Timeout {
			t.Errorf("%s ends as %s, %v", a.Name, out.Status, err)
		}
	}
}
