package sim_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"schedgap/models"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
)

// The number of servers by load, that is by what is held up to the last arrival: ten jobs of 10 s in 100 s are load 1 of one
// server. Of loads that servers allow the nearest is taken: 1/3, where 1/4 is further from 0.3; a task has to fit.
func TestLoad(t *testing.T) {
	job := func(id string, arrival, cpu float64) sim.Job {
		return sim.Job{ID: id, Arrival: arrival, Weight: 1, Phases: []sim.Phase{{Tasks: 1, CPU: cpu, Mean: 10}}}
	}
	few := sim.NewWorkload([]sim.Servers{{Count: 10, CPU: 1, Mem: 1}})
	for i := range 11 {
		few.Jobs = append(few.Jobs, job(fmt.Sprint("j", i), 10*float64(i), 1))
	}
	wide := sim.NewWorkload([]sim.Servers{{Count: 9, CPU: 1, Mem: 1}, {Count: 1, CPU: 2, Mem: 1}}, job("a", 0, 2), job("b", 100, 1))
	policy := clones(1)
	policy.Name = "capacity"
	s := sim.New([]sim.Policy{policy}, sim.Source{})
	run := func(w *sim.Workload, load float64) (m map[string]float64, err error) {
		m = map[string]float64{}
		r := models.SimRequest{Workload: w, Policy: policy.Name, Params: resolve(t, map[string]any{"load": load}), Seed: 1}
		err = s.Run(t.Context(), r, func(metric models.Metric) { m[metric.Name] = metric.Value })
		return m, err
	}
	for asked, want := range map[float64]float64{1: 1, 5: 1, 0.1: 0.1, 0.3: 1. / 3, 0.28: 0.25} {
		m, err := run(few, asked)
		fail.On(t, err)
		servers := m["usage"] / m["makespan"] / m["whole_utilisation"]
		if math.Abs(m["load"]-want) > 1e-9 || math.Abs(servers*want-1) > 1e-6 {
			t.Errorf("load %v: %v on %v servers, want %v", asked, m["load"], servers, want)
		}
	}
	for load, says := range map[float64]string{0.1: `a task of job "a" fits on none of them`, 1e-9: "cannot be met by at most"} {
		if _, err := run(wide, load); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("load %v: %v", load, err)
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
