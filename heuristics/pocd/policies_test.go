package pocd_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	hpocd "schedgap/heuristics/pocd"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/pocd/sim"
)

func simulate(tb testing.TB, w *sim.Workload, policy string, given map[string]any) map[string]float64 {
	tb.Helper()
	s := sim.New(hpocd.Policies, sim.Source{})
	params, err := models.Resolve(s.Params, given)
	fail.On(tb, err)
	got := map[string]float64{}
	r := models.SimRequest{Workload: w, Policy: policy, Params: params, Seed: 1}
	err = s.Run(context.Background(), r, func(m models.Metric) { got[m.Name+m.Job] = m.Value })
	fail.On(tb, err)
	return got
}

// stream is n jobs of 10 tasks, one every gap seconds.
func stream(n int, gap float64) *sim.Workload {
	w := &sim.Workload{}
	for i := range n {
		w.Jobs = append(w.Jobs, sim.Job{
			ID: fmt.Sprint("j", i), Arrival: gap * float64(i), Deadline: 450, Tasks: 10, TMin: 120, Beta: 1.5,
		})
	}
	return w
}

// The copies that a job of ten tasks gets when it starts.
func TestCopiesAtStart(t *testing.T) {
	for _, c := range []struct {
		policy string
		params map[string]any
		want   float64
	}{
		// log(1 − 0.95^0.1)/log 0.1 = 2.29: three attempts of each.
		{"dolly", map[string]any{"miss_rate": 0.1}, 20},
		// A task misses with 1 − 0.9^0.1 = 0.0105, whose logarithm goes 1.16 times into the same: two attempts.
		{"dolly", map[string]any{"miss_rate": 0.1, "miss_level": "task"}, 10},
		// 10.3 attempts are more than MAX = 5 copies.
		{"dolly", map[string]any{"miss_rate": 0.6}, 50},
		// 30 VMs, one for the master and ten for the tasks, are one short for two clones of each.
		{"dolly", map[string]any{"miss_rate": 0.1, "slaves": 30}, 0},
		// shed takes as many rounds of ten as fit, and MAX of them where there is room.
		{"shed", map[string]any{"slaves": 30}, 10},
		{"shed", nil, 50},
		{"none", nil, 0},
		{"clairvoyant", nil, 0},
	} {
		if got := simulate(t, stream(1, 0), c.policy, c.params)["copies"]; got != c.want {
			t.Errorf("%s with %v: %v copies, want %v", c.policy, c.params, got, c.want)
		}
	}
}

// Dolly's p is what hadoop misses on the same workload and seed.
func TestDollyMeasures(t *testing.T) {
	w := stream(40, 90)
	missed := 1 - simulate(t, w, "hadoop", nil)["pocd"]
	if missed <= 0 || missed >= 1 {
		t.Fatalf("hadoop misses %v of the deadlines, which tells nothing", missed)
	}
	if d := cmp.Diff(simulate(t, w, "dolly", map[string]any{"miss_rate": missed}), simulate(t, w, "dolly", nil)); d != "" {
		t.Error(d)
	}
}

// What tells the policies apart: who kills jobs, who kills attempts that process nothing yet, and how many copies a task gets.
func TestPolicyRules(t *testing.T) {
	w := stream(60, 60)
	tasks := float64(10 * len(w.Jobs))
	for _, p := range hpocd.Policies {
		got := simulate(t, w, p.Name, map[string]any{"slaves": 60})
		if killed := got["jobs_killed"]; killed > 0 != (p.Name == "shed+") {
			t.Errorf("%s kills %v jobs", p.Name, killed)
		}
		switch early, copies := got["killed_launching"], got["copies"]; p.Name {
		case "shed+", "shed":
			if early == 0 || copies == 0 {
				t.Errorf("%s starts %v copies and kills %v before they process", p.Name, copies, early)
			}
		case "hadoop":
			if copies == 0 || copies > tasks {
				t.Errorf("hadoop starts %v copies of %v tasks", copies, tasks)
			}
		case "none", "clairvoyant":
			if copies != 0 || got["attempts_killed"] != 0 {
				t.Errorf("%s starts %v copies and kills %v attempts", p.Name, copies, got["attempts_killed"])
			}
		}
		if _, planned := got["planned_utilisation"]; planned != (p.Checks != 0) {
			t.Errorf("%s: planned utilisation %v", p.Name, got["planned_utilisation"])
		}
	}
}
