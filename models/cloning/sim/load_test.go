package sim_test

import (
	"math"
	"slices"
	"testing"

	"schedgap/models/cloning/sim"
)

// The number of servers by load: work of 2·10 s of a server of ten alike over 100 s is load 0.2 of one, so load 0.1 takes two;
// but a task that only every tenth server holds takes as many as have one of these, rounded. Usage over what the servers offer
// tells how many there were.
func TestLoad(t *testing.T) {
	job := func(id string, arrival, cpu float64) sim.Job {
		return sim.Job{ID: id, Arrival: arrival, Weight: 1, Phases: []sim.Phase{{Tasks: 1, CPU: cpu, Mean: 10}}}
	}
	few := sim.NewWorkload([]sim.Servers{{Count: 10, CPU: 1, Mem: 1}}, job("a", 0, 1), job("b", 100, 1))
	wide := sim.NewWorkload([]sim.Servers{{Count: 9, CPU: 1, Mem: 1}, {Count: 1, CPU: 2, Mem: 1}}, job("a", 0, 2), job("b", 100, 1))
	for _, c := range []struct {
		w       *sim.Workload
		load    float64
		servers float64
	}{{few, 0.1, 2}, {few, 5, 1}, {wide, 1, 6}} {
		m := watch(t, c.w, clones(1), 1, map[string]any{"load": c.load}, nil)
		if servers := m["usage"] / m["makespan"] / m["whole_utilisation"]; math.Abs(servers-c.servers) > 1e-6 {
			t.Errorf("load %v: %v servers, want %v", c.load, servers, c.servers)
		}
	}
}

// Jobs with few tasks are left out.
func TestLeastTasks(t *testing.T) {
	w := one(4, sim.Phase{Mean: 20})
	w.Jobs = append(w.Jobs, sim.Job{ID: "b", Weight: 1, Phases: []sim.Phase{{Tasks: 1, CPU: 1, Mean: 20}}})
	if m := watch(t, w, clones(1), 1, map[string]any{"least_tasks": 2}, nil); m["tasks"] != 2 || m["total_flowtime"] != 23 {
		t.Errorf("%v tasks, flowtime %v; want 2 and 23", m["tasks"], m["total_flowtime"])
	}
}

// Durations end at the bound. A clone that takes as long as a task of its phase gains nothing where that has one task, and of two
// tasks with a clone each the job lasts as long as one of them.
func TestDurations(t *testing.T) {
	var bounded, ends []float64
	for seed := range uint64(50) {
		p := sim.Phase{Mean: 20, SD: 60}
		bounded = append(bounded, watch(t, one(2, p), clones(1), seed, map[string]any{"slowest": 2.0}, nil)["running_time a"])
		single := one(4, p)
		single.Jobs[0].Phases[0].Tasks = 1
		alike := map[string]any{"clones": "phase"}
		alone, with := watch(t, single, clones(1), seed, alike, nil), watch(t, single, clones(2), seed, alike, nil)
		if alone["total_flowtime"] != with["total_flowtime"] || with["clones"] != 1 {
			t.Fatalf("seed %d: %v alone, %v with a clone", seed, alone, with)
		}
		alone, with = watch(t, one(4, p), clones(1), seed, alike, nil), watch(t, one(4, p), clones(2), seed, alike, nil)
		ends = append(ends, with["total_flowtime"]/alone["total_flowtime"])
	}
	if most := slices.Max(bounded); math.Abs(most-40) > 1e-9 {
		t.Errorf("up to %v s, want 40", most)
	}
	// Both clones of the slower task's length: a quarter; the slower task's clone alone decides: half of the time it is no
	// faster.
	same := 0
	for _, e := range ends {
		if e == 1 {
			same++
		}
	}
	if same < 13 || same > 37 {
		t.Errorf("in %d of 50 runs the clones gain nothing, want about 25", same)
	}
}
