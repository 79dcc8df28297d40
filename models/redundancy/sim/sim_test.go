package sim_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/models"
	"schedgap/models/redundancy/sim"
)

// steps are a machine's speeds: pairs of an end and a speed, the last speed for ever.
func steps(x ...float64) []sim.Period {
	var periods []sim.Period
	for i := 0; i+1 < len(x); i += 2 {
		periods = append(periods, sim.NewPeriod(x[i], x[i+1]))
	}
	return append(periods, sim.NewPeriod(0, x[len(x)-1]))
}

// Small runs by hand, on machines with given speeds.
func TestByHand(t *testing.T) {
	type machines = [][]sim.Period
	one, two := steps(1), steps(2)
	for _, c := range []struct {
		name   string
		policy sim.Policy
		speeds machines
		jobs   []sim.Job
		given  map[string]any
		want   map[string]float64
	}{
		{
			"all machines work for the only job, and the fastest ends it", redundant,
			machines{one, two, one},
			[]sim.Job{{"a", 1, 4}},
			nil,
			// Service 2 + 4 + 2 for a work of 4.
			map[string]float64{"flowtime a": 2, "utilisation": 1, "useful": 0.5, "copies_per_job": 3, "makespan": 2},
		},
		{
			"no checkpoint without an event", redundant,
			machines{steps(1, 2, 1), steps(1, 0, 2)},
			// Copies reach 6 at 1 + 4 = 5 and at 1 + 3 = 4; from the best state at time 1, that would be at 3.
			[]sim.Job{{"a", 0, 6}},
			nil,
			map[string]float64{"flowtime a": 4},
		},
		{
			"a checkpoint at an arrival", redundant,
			machines{steps(2, 1, 3), steps(2, 2, 0.5)},
			// At 2, a's copies have done 2 and 4. It goes on from 4 on the first machine, which it got first, at speed 3, to
			// 4; b does 1 by then on the second, and its last unit at speed 3 on the first.
			[]sim.Job{{"a", 0, 10}, {"b", 2, 2}},
			nil,
			map[string]float64{"flowtime a": 4, "flowtime b": 2 + 1./3, "copies_started": 4},
		},
		{
			"two jobs share a machine", shared,
			machines{one},
			// b's unit takes 2 at half the speed; then a has 1 of 2 left.
			[]sim.Job{{"a", 0, 2}, {"b", 0, 1}},
			nil,
			map[string]float64{"flowtime a": 3, "flowtime b": 2, "useful": 1},
		},
		{
			"the oldest waits", shared,
			machines{one, one},
			// b and c run, and a has what is free at 1 and then at 2, for 3.
			[]sim.Job{{"a", 0, 3}, {"b", 0, 1}, {"c", 0, 2}},
			nil,
			map[string]float64{"flowtime a": 4, "flowtime b": 1, "flowtime c": 2, "utilisation": 6. / 8},
		},
		{
			"a shorter job takes the machine", least,
			machines{one},
			[]sim.Job{{"a", 0, 3}, {"b", 1, 1}},
			nil,
			map[string]float64{"flowtime a": 4, "flowtime b": 1, "active_jobs": 1},
		},
		{
			"of equal jobs the earlier in the file runs", least,
			machines{one},
			[]sim.Job{{"b", 1, 2}, {"a", 0, 3}},
			nil,
			map[string]float64{"flowtime b": 2, "flowtime a": 5},
		},
		{
			"slots", least,
			machines{one},
			// a starts at 1 and has done its work within the slot to 3; b starts then.
			[]sim.Job{{"a", 0.5, 1.5}, {"b", 1.25, 2}},
			map[string]any{"slotted": true},
			map[string]float64{"flowtime a": 2.5, "flowtime b": 3.75},
		},
		{
			"flowtimes at the marks", least,
			machines{one},
			// Alone each, 40 and 200 and 240; only the last arrival's end counts as late.
			[]sim.Job{{"a", 0, 40}, {"b", 1000, 200}, {"c", 2000, 240}},
			nil,
			map[string]float64{
				"within_40": 1. / 3, "within_200": 2. / 3, "mean_flowtime": 160, "max_flowtime": 240, "mean_in_time": 120,
			},
		},
		{
			"of the jobs in time only", least,
			machines{one},
			[]sim.Job{{"a", 0, 40}, {"b", 1000, 200}, {"c", 2000, 240}},
			map[string]any{"counted": "in-time"},
			map[string]float64{
				"within_40": 0.5, "within_200": 1, "mean_flowtime": 120, "max_flowtime": 240, "mean_in_time": 120,
			},
		},
		{
			"periodic checkpoints take time", least,
			machines{one},
			// 3 done by 3, a unit of writing, then 2 of 3 units count: 5 by 6, 7 by 9, 9 by 12, and the tenth at 14.
			[]sim.Job{{"a", 0, 10}},
			map[string]any{"checkpoints": "periodic", "checkpoint_every": 3, "checkpoint_cost": 1},
			map[string]float64{"flowtime a": 14, "utilisation": 1, "useful": 10. / 14},
		},
		{
			"a job falls back to the checkpoint", least,
			machines{one},
			// a has 6 left at 4, when it is saved, and 5 at 5, when b takes its machine until 7; then 6 again.
			[]sim.Job{{"a", 0, 10}, {"b", 5, 2}},
			map[string]any{"checkpoints": "periodic", "checkpoint_every": 4},
			map[string]float64{"flowtime a": 13, "flowtime b": 2, "useful": 12. / 13},
		},
		{
			"without checkpoints it begins again", least,
			machines{one},
			[]sim.Job{{"a", 0, 10}, {"b", 5, 2}},
			map[string]any{"checkpoints": "none"},
			map[string]float64{"flowtime a": 17, "flowtime b": 2, "useful": 12. / 17},
		},
		{
			"what a job loses counts when it waits", least,
			machines{one},
			// a has 4 left at 6 and gives way to b, of 3; at 9 it has 10 again, more than c, of 5.
			[]sim.Job{{"a", 0, 10}, {"b", 6, 3}, {"c", 7, 5}},
			map[string]any{"checkpoints": "none"},
			map[string]float64{"flowtime a": 24, "flowtime b": 3, "flowtime c": 7},
		},
		{
			"no checkpoint at an arrival", redundant,
			machines{steps(2, 1, 3), steps(2, 2, 0.5)},
			// As above, but a keeps the first machine's 2 of 10, for 8/3 units more. Then b has 2 − 4/3 left, and a copy
			// that begins again on the first machine, of 2 at speed 3: it ends first by that, as 2/3 at 0.5 would take 4/3.
			[]sim.Job{{"a", 0, 10}, {"b", 2, 2}},
			map[string]any{"checkpoints": "none"},
			map[string]float64{"flowtime a": 2 + 8./3, "flowtime b": 8./3 + 2./3, "copies_started": 4},
		},
		{
			"a periodic checkpoint between events", redundant,
			machines{steps(1, 2, 1), steps(1, 0, 2)},
			// At 1 both go on from 2, and the second does the other 4 by 3.
			[]sim.Job{{"a", 0, 6}},
			map[string]any{"checkpoints": "periodic", "checkpoint_every": 1},
			map[string]float64{"flowtime a": 3},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := map[string]any{"machines": len(c.speeds)}
			for name, v := range c.given {
				given[name] = v
			}
			got := watch(t, c.jobs, c.policy, 1, given, sim.Hooks{Periods: c.speeds})
			for name, want := range c.want {
				if math.Abs(got[name]-want) > 1e-12 {
					t.Errorf("%s is %v, want %v", name, got[name], want)
				}
			}
		})
	}
}

// poisson is n jobs of exponential work, mean 40.
func poisson(n int, rate float64) []sim.Job {
	rng := rand.New(rand.NewPCG(7, 0))
	jobs, arrival := make([]sim.Job, n), 0.0
	for i := range jobs {
		arrival += rng.ExpFloat64() / rate
		jobs[i] = sim.Job{ID: fmt.Sprint("j", i), Arrival: arrival, Work: sim.MinWork + 40*rng.ExpFloat64()}
	}
	return jobs
}

// On one machine of constant speed with Poisson arrivals and exponential work, processor sharing (fair) has the mean
// flowtime of the M/M/1 queue, mean work over 1 − load: 80 at load 1/2. 20,000 jobs, whose flowtimes deviate by 103 each,
// meet it to 7 %.
func TestMM1(t *testing.T) {
	flat := map[string]any{
		"machines": 1, "available_low": 1, "available_high": 1, "unavailable_low": 1, "unavailable_high": 1,
	}
	got := watch(t, poisson(20_000, 0.5/40), shared, 1, flat, sim.Hooks{})["mean_flowtime"]
	if math.Abs(got-80) > 5.5 {
		t.Errorf("mean flowtime %v, want about 80", got)
	}
}

// A mistake in options, or a decision against the rules is one sentence.
func TestErrors(t *testing.T) {
	w := &sim.Workload{Jobs: []sim.Job{{"a", 0, 1}, {"b", 0, 1}}}
	run := func(p sim.Policy, given map[string]any) error {
		s := sim.New([]sim.Policy{p}, sim.Source{})
		r := models.SimRequest{Workload: w, Policy: "test", Params: resolve(t, given), Seed: 1}
		return s.Run(t.Context(), r, func(models.Metric) {})
	}
	allots := func(a sim.Allotment) sim.Policy { return policy(true, func(int, int) sim.Allotment { return a }) }
	for _, c := range []struct {
		want   string
		policy sim.Policy
		given  map[string]any
	}{
		{"parameter available_low: 2 must be at most available_high, 1.2", least, map[string]any{"available_low": 2}},
		{
			"parameters available_high and unavailable_high: 0 leaves the machines no speed", least,
			map[string]any{"available_low": 0, "available_high": 0, "unavailable_high": 0},
		},
		{"policy test at time 0: served: 3 must be between 1 and 2", allots(sim.Allotment{3, 1, 1, 1}), nil},
		{
			"policy test at time 0: first: 101 must be between 1 and 100",
			allots(sim.Allotment{Served: 1, First: 101, Others: 1, Share: 1}), nil,
		},
		{"policy test at time 0: a share of 0.4, not 1 over a whole number", allots(sim.Allotment{1, 1, 1, 0.4}), nil},
		{"policy test at time 0: 101 copies for 100 machines with 1 on each", allots(sim.Allotment{2, 51, 50, 1}), nil},
		{"policy test at time 0: 2 copies of every job on shared machines", allots(sim.Allotment{2, 2, 2, 0.5}), nil},
	} {
		if err := run(c.policy, c.given); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}

// Nine jobs of work 4, three at a time, on machines of speeds 1, 0.5 and 0.5 until the last arrivals at 16. At a speed of 0.5
// each of the first six takes 8, and the last, to which any speed is granted then, 4; the first machine does 8 beyond it, which
// are worth 16.
func TestBoundBySpeeds(t *testing.T) {
	var jobs []sim.Job
	for i := range 9 {
		jobs = append(jobs, sim.Job{ID: fmt.Sprint("j", i), Arrival: float64(i / 3 * 8), Work: 4})
	}
	even := map[string]any{"available_low": 1, "available_high": 1, "unavailable_low": 1, "unavailable_high": 1, "machines": 3}
	for _, p := range []sim.Policy{redundant, least} {
		got := watch(t, jobs, p, 1, even, sim.Hooks{Periods: [][]sim.Period{steps(1), steps(0.5), steps(0.5)}})["mean_flowtime_bound"]
		if want := (6*8 + 3*4 - 16) / 9.; math.Abs(got-want) > 1e-7 {
			t.Errorf("the bound is %v, not %v", got, want)
		}
	}
}

// TestLateArrivals: arrivals are anywhere up to 1e9, with empty time between them, which costs nothing; the same speeds are met by all
// policies afterwards, and the bound holds.
func TestLateArrivals(t *testing.T) {
	jobs := []sim.Job{{ID: "a", Work: 40}, {ID: "b", Arrival: 2e8, Work: 40}, {ID: "c", Arrival: 1e9, Work: 40}, {ID: "d", Arrival: 1e9, Work: 1}}
	for _, checkpoints := range []string{"events", "periodic", "none"} {
		given := map[string]any{"machines": 3, "checkpoints": checkpoints}
		var one map[string]float64
		for _, p := range []sim.Policy{shared, redundant, least} {
			got := watch(t, jobs, p, 1, given, sim.Hooks{})
			if mean, bound := got["mean_flowtime"], got["mean_flowtime_bound"]; !(bound > 0 && bound <= mean*(1+1e-6)) || mean > 1000 {
				t.Errorf("%s: mean %v, bound %v", checkpoints, mean, bound)
			}
			if one == nil {
				one = got
			}
			if got["mean_flowtime_bound"] != one["mean_flowtime_bound"] {
				t.Errorf("%s: bounds %v and %v", checkpoints, got["mean_flowtime_bound"], one["mean_flowtime_bound"])
			}
		}
	}
}
