package cloning_test

import (
	"slices"
	"testing"

	heuristics "schedgap/heuristics/cloning"
	"schedgap/models"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
)

// Two tasks of 10 and 100 s, mean 25 and deviation 10: the second is late at 35 s, and its backup takes 10 or 100 s, so that the
// job ends at 45 or 100. A phase of one task has none to be compared with, and other policies speculate only when the framework
// does.
func TestSpeculation(t *testing.T) {
	simulator := sim.New(heuristics.Policies, sim.Source{})
	run := func(policy, by string, seed uint64, measured ...float64) (flow, clones float64) {
		t.Helper()
		w := sim.NewWorkload([]sim.Servers{{Count: 3, CPU: 1, Mem: 1}}, sim.Job{ID: "a", Weight: 1, Phases: []sim.Phase{
			{Tasks: len(measured), CPU: 1, Mem: 1, Mean: 25, SD: 10, Durations: measured},
		}})
		v, err := models.Resolve(simulator.Params, map[string]any{"speculation": by})
		fail.On(t, err)
		r := models.SimRequest{Workload: w, Policy: policy, Params: v, Seed: seed}
		if err := simulator.Run(t.Context(), r, func(m models.Metric) {
			switch m.Name {
			case "total_flowtime":
				flow = m.Value
			case "clones":
				clones = m.Value
			}
		}); err != nil {
			t.Fatal(err)
		}
		return flow, clones
	}
	for _, c := range []struct {
		policy, by string
		backup     bool
	}{
		{"capacity", "none", false},
		{"capacity", "capacity", true},
		{"tetris", "capacity", false},
		{"tetris", "framework", true},
		{"drf", "framework", true},
		{"dollymp0", "framework", true},
		{"dollymp2", "framework", false}, // has two clones at once
	} {
		var ends []float64
		for seed := range uint64(20) {
			flow, clones := run(c.policy, c.by, seed, 10, 100)
			if c.policy != "dollymp2" && clones != map[bool]float64{true: 1}[c.backup] {
				t.Fatalf("%s, %s: %v backups", c.policy, c.by, clones)
			}
			ends = append(ends, flow)
		}
		slices.Sort(ends)
		got := slices.Compact(ends)
		want := []float64{100}
		switch {
		case c.backup:
			want = []float64{45, 100}
		case c.policy == "dollymp2": // the clone of the second task starts when the first has ended
			want = []float64{20, 100}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s, %s: ends at %v, want %v", c.policy, c.by, got, want)
		}
	}
	if flow, clones := run("capacity", "capacity", 1, 100); flow != 100 || clones != 0 {
		t.Errorf("one task alone ends at %v with %v backups", flow, clones)
	}
}
