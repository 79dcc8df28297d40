package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
)

// The four schemes of Figure 2: J1 (mean 10) runs alone; J2 and J3 (mean 8, h(2) = 4/3) fit together with a clone each.
// J1 first: 10 + 18 + 18, with clones 10 + 16 + 16; J1 last: 8 + 8 + 18, with clones 6 + 6 + 16.
func TestFigure2(t *testing.T) {
	const file = "../examples/fig2.json"
	data, err := os.ReadFile(file)
	fail.On(t, err)
	in, err := cloning.Problem.ParseInstance(file, data)
	fail.On(t, err)
	last := func(most int) sim.Policy {
		return made("last", sim.Rules{MaxCopies: most, Rank: func(job, _, copies int) (sim.Rank, bool) {
			return sim.Rank{Group: copies, Key: -float64(job)}, true
		}})
	}
	for want, p := range map[float64]sim.Policy{46: clones(1), 42: clones(2), 34: last(1), 28: last(2)} {
		if got := flowtime(t, in, p); got != want {
			t.Errorf("%s: %v, want %v", p.Name, got, want)
		}
	}
}

// The three schemes of section 4.1: N jobs of one task, job j demands 2^−j of the only server, and all take the time T, a
// multiple of all h(2^j). Then flow1 = N − 1 + 1/h(2), flow2 = Σ j/h(2^j) and flow3 = (N+1)/h(2), times T. For α = 2.5, h(r) = (5
// − 2/r)/3, and N = 5 > 2α − 1 flow3 < flow1 < flow2 holds as the paper has it.
func TestCloningSchemes(t *testing.T) {
	const n, length = 5, 12 * 19 * 13 * 79 // h(2) = 4/3, h(4) = 3/2, h(8) = 19/12, h(16) = 13/8, h(32) = 79/48
	in := &cloning.Instance{
		Resources: cloning.DefaultResources(), MaxCopies: 1 << n, MaxCopiesPerServer: 1 << n,
		Servers: []cloning.Server{{ID: "s", Capacity: []float64{1, 1}}},
	}
	h := make([]float64, 1<<n)
	for i := range h {
		h[i] = (5 - 2/float64(i+1)) / 3
	}
	for j := 1; j <= n; j++ {
		d := math.Ldexp(1, -j)
		in.Jobs = append(in.Jobs, cloning.Job{ID: fmt.Sprint("j", j), Phases: []cloning.Phase{
			{ID: "p", Tasks: 1, Demand: []float64{d, d}, Mean: length, Speedup: h},
		}})
	}
	// small serves small jobs first, all copies of one before the next.
	small := func(most func(j int) int) sim.Policy {
		return made("small", sim.Rules{Strict: true, MaxCopies: 1 << n, Rank: func(job, _, copies int) (sim.Rank, bool) {
			return sim.Rank{Group: -job, Key: float64(copies)}, copies < most(job+1)
		}})
	}
	allAtOnce := made("all at once", sim.Rules{MaxCopies: 2, Rank: func(job, _, copies int) (sim.Rank, bool) {
		return sim.Rank{Group: copies}, copies == 0 || job == n-1
	}})
	flow2 := 0.0
	for j := 1; j <= n; j++ {
		flow2 += float64(j) / h[1<<j-1]
	}
	for _, c := range []struct {
		name string
		p    sim.Policy
		want float64
	}{
		{"all at once, with a clone of job N", allAtOnce, n - 1 + 1/h[1]},
		{"2^j copies, one job at a time", small(func(j int) int { return 1 << j }), flow2},
		{"two copies each, small jobs first", small(func(int) int { return 2 }), (n + 1) / h[1]},
	} {
		if got := flowtime(t, in, c.p) / length; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What no server can ever run and a policy that runs nothing are errors; a context that has ended ends the run.
func TestScheduleErrors(t *testing.T) {
	in := &cloning.Instance{
		Resources: []string{"cpu"}, MaxCopies: 1, MaxCopiesPerServer: 1,
		Servers: []cloning.Server{{ID: "s", Capacity: []float64{1}}},
		Jobs: []cloning.Job{{ID: "a", Phases: []cloning.Phase{
			{ID: "p", Tasks: 1, Demand: []float64{1}, Mean: 1, Speedup: []float64{1}},
		}}},
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	first, idle := clones(1), made("idle", sim.Rules{Rank: func(int, int, int) (sim.Rank, bool) { return sim.Rank{}, false }})
	if _, err := sim.Schedule(ended, in, &first, nil, 1, rand.New(rand.NewPCG(1, 0))); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	if _, err := sim.Schedule(t.Context(), in, &idle, nil, 1, nil); err == nil ||
		!strings.Contains(err.Error(), `"a" never completes`) {
		t.Errorf("a policy that runs nothing: %v", err)
	}
	in.Jobs[0].Phases[0].Demand[0] = 1.5
	if _, err := sim.Schedule(t.Context(), in, &first, nil, 1, nil); err == nil || !strings.Contains(err.Error(), "no server has") {
		t.Errorf("a task that fits nowhere: %v", err)
	}
	if _, err := sim.Schedule(t.Context(), in, &first, nil, 1.5, nil); err != nil {
		t.Errorf("the same on half as much again: %v", err)
	}
}
