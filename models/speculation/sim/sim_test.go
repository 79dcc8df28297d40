package sim_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
	"schedgap/models/simulation/simtest"
	"schedgap/models/speculation"
	"schedgap/models/speculation/sim"
)

func near(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(1, math.Abs(y)) }

func expect(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for name, v := range want {
		if g, ok := got[name]; !ok || !near(g, v) {
			t.Errorf("%s is %v, want %v", name, g, v)
		}
	}
}

// slowSecond slows the first attempt of task 1 of the second job down.
var slowSecond = sim.Hooks{Slowdowns: func(job, task int, isCopy bool) float64 {
	if job == 1 && task == 1 && !isCopy {
		return 10
	}
	return 1
}}

// Times and energies of small runs, by hand.
func TestClosedForms(t *testing.T) {
	data := job("a", 0, 1)
	data.Input, data.Memory = 100, 2
	for _, c := range []struct {
		name   string
		jobs   []sim.Job
		policy sim.Policy
		params map[string]any
		hooks  sim.Hooks
		want   map[string]float64
	}{
		{
			// Three tasks of 10 s on two slots: 20 s. Three times 10 s at 150/2 + 15 = 90 W are 2700 J; the free slot draws 75 W
			// for 10 s.
			"waves",
			[]sim.Job{job("a", 0, 3)},
			nothing, plain(1, 2, nil),
			sim.Hooks{},
			map[string]float64{
				"execution a": 20, "mean_energy": 2700, "energy_normal_success": 2700, "idle_energy": 750, "total_energy": 3450,
				"efficiency": 1. / 2700, "efficiency_time": 1. / 2700 / 20, "whole_utilisation": 0.75,
			},
		},
		{
			// Two tasks beside each other go at 1/1.5 each with contention 1.5: 15 s.
			"contention",
			[]sim.Job{job("a", 0, 2)},
			nothing, plain(1, 2, map[string]any{"contention": 1.5}),
			sim.Hooks{},
			map[string]float64{"execution a": 15},
		},
		{
			// The second job comes at 5 s, when the first task has 5 s to go; beside each other they take 1.5 times as long: the
			// first ends at 5 + 7.5 = 12.5, having left the second 5 s, which it takes alone, to 17.5.
			"contention changes",
			[]sim.Job{job("a", 0, 1), job("b", 5, 1)},
			nothing, plain(1, 2, map[string]any{"contention": 1.5}),
			sim.Hooks{},
			map[string]float64{"response a": 12.5, "response b": 12.5, "makespan": 17.5},
		},
		{
			// One task on each of three nodes of slowness 1, 2 and 3.
			"heterogeneity",
			[]sim.Job{job("a", 0, 3)},
			nothing, plain(3, 1, map[string]any{"heterogeneity": 3}),
			sim.Hooks{},
			map[string]float64{"execution a": 30, "mean_energy": 60 * 165},
		},
		{
			// 100 MB at 50 MB/s take 2 s more. 12 s at 150 + 15 + 2·0.56 W, and 0.1 GB at 8 J.
			"remote data",
			[]sim.Job{data},
			nothing, plain(1, 1, map[string]any{"replicas": 0, "bandwidth": 50}),
			sim.Hooks{},
			map[string]float64{"execution a": 12, "mean_energy": 12*166.12 + 0.8},
		},
		{
			"local data",
			[]sim.Job{data},
			nothing, plain(1, 1, map[string]any{"replicas": 1, "bandwidth": 50}),
			sim.Hooks{},
			map[string]float64{"execution a": 10, "mean_energy": 10 * 166.12},
		},
		{
			// Task 1 would take 100 s. At 10 s task 0 is done and its slot free; at 12 s, after a heartbeat of 0.2·10 s, task 1
			// is at 12 %: a straggler. Its copy runs from 12 to 22 s, when it is killed.
			"copy at the end",
			[]sim.Job{job("a", 0, 2)},
			atEnd, plain(2, 1, nil),
			slowly(map[int]float64{1: 10}),
			map[string]float64{
				"execution a": 22, "copies": 1, "copies_won": 1, "mean_copy_time": 10, "mean_candidates": 1,
				"energy_normal_success": 1650, "energy_strag_killed": 22 * 165, "energy_copy_success": 1650, "energy_copy_killed": 0,
				"idle_energy": 300,
			},
		},
		{
			// It would take 18 s: the copy is late and is killed at 18 s.
			"copy too late",
			[]sim.Job{job("a", 0, 2)},
			atEnd, plain(2, 1, nil),
			slowly(map[int]float64{1: 1.8}),
			map[string]float64{
				"execution a": 18, "copies": 1, "copies_killed": 1, "mean_copy_time": 6,
				"energy_strag_success": 18 * 165, "energy_copy_killed": 6 * 165,
			},
		},
		{
			// Who looks at the gain leaves it.
			"no gain",
			[]sim.Job{job("a", 0, 2)},
			gaining, plain(2, 1, nil),
			slowly(map[int]float64{1: 1.8}),
			map[string]float64{"execution a": 18, "copies": 0},
		},
		{
			// A copy does not run beside its straggler.
			"own node",
			[]sim.Job{job("a", 0, 2)},
			atEnd, plain(1, 2, nil),
			slowly(map[int]float64{1: 10}),
			map[string]float64{"execution a": 100, "copies": 0},
		},
		{
			// Task 1 straggles from 0 s to 100 s, the other slot has five tasks in a row. At the end the copy starts with the
			// slot free at 50 s, and ends at 60 s.
			"late",
			[]sim.Job{job("a", 0, 6)},
			gaining, plain(2, 1, nil),
			slowly(map[int]float64{1: 10}),
			map[string]float64{"execution a": 60, "mean_copy_time": 10},
		},
		{
			// The window of 2 s that begins at 18 s knows that the slot is free at 20 s, and reserves it: the copy ends at 30 s,
			// the other three tasks, on both slots from then on, by 50 s.
			"reserved",
			[]sim.Job{job("a", 0, 6)},
			early, plain(2, 1, nil),
			slowly(map[int]float64{1: 10}),
			map[string]float64{"execution a": 50, "mean_copy_time": 10, "energy_strag_killed": 30 * 165},
		},
		{
			// b's tasks have two of three slots in every wave, as b comes first. a's task 1 straggles from 10 s on, and its copy
			// waits until b is done at 40 s.
			"slots of the job",
			[]sim.Job{job("b", 0, 8), job("a", 0, 2)},
			early, plain(3, 1, nil),
			slowSecond,
			map[string]float64{"execution a": 50, "execution b": 40},
		},
		{
			// The window of 2 s that begins at 18 s reserves a slot that b leaves at 20 s: the copy ends at 30 s. b has one slot
			// then, and three from 30 s on.
			"slots of the cluster",
			[]sim.Job{job("b", 0, 8), job("a", 0, 2)},
			early, plain(3, 1, map[string]any{"window_slots": "cluster"}),
			slowSecond,
			map[string]float64{"execution a": 30, "execution b": 40, "copies": 1},
		},
		{
			// Fair: both jobs have one slot each, then a's last tasks have both. Slots in turn: a b | a b | a a: b ends at 20.
			"fair",
			[]sim.Job{job("a", 0, 4), job("b", 0, 2)},
			nothing, plain(2, 1, nil),
			sim.Hooks{},
			map[string]float64{"execution a": 30, "execution b": 20},
		},
		{
			// Hopper: virtual sizes 4/3·4 and 4/3·2 exceed two slots, so the smaller job goes first.
			"hopper",
			[]sim.Job{job("a", 0, 4), job("b", 0, 2)},
			nothing, plain(2, 1, map[string]any{"scheduler": "hopper"}),
			sim.Hooks{},
			map[string]float64{"response a": 30, "response b": 10, "execution a": 20},
		},
		{
			// b with two tasks has a virtual size of 3 and holds the third slot back for a copy until its tasks end at 10 s; then
			// a with its eight tasks has three slots, to 40 s, and in the last wave 10 s on two.
			"hopper holds back",
			[]sim.Job{job("a", 0, 8), job("b", 0, 2)},
			nothing, plain(3, 1, map[string]any{"scheduler": "hopper"}),
			sim.Hooks{},
			map[string]float64{"response b": 10, "response a": 40, "whole_utilisation": 100. / 120},
		},
		{
			// The same, but of a's execution the first 10 s count too, in which it waits.
			"from arrival",
			[]sim.Job{job("a", 0, 4), job("b", 0, 2)},
			nothing, plain(2, 1, map[string]any{"scheduler": "hopper", "execution_from": "arrival"}),
			sim.Hooks{},
			map[string]float64{"execution a": 30, "execution b": 10, "mean_execution": 20, "max_execution": 30},
		},
		{
			// a has one of two slots for 30 s, from 5 s to 15 s b the other. The free slot draws 75 W: a books it alone in the
			// other 20 s. Nobody's is idle while nobody is there, from 30 s to 40 s: 10 s of two slots. c books its neighbour for
			// 10 s.
			"free slots are booked",
			[]sim.Job{job("a", 0, 1), job("b", 5, 1), job("c", 40, 1)},
			nothing, plain(1, 2, map[string]any{"book_idle": true}),
			sim.Hooks{Slowdowns: func(job, _ int, _ bool) float64 {
				if job == 0 {
					return 3
				}
				return 1
			}},
			map[string]float64{
				"energy a": 30*90 + 20*75, "energy b": 10 * 90, "energy c": 10*90 + 10*75, "energy_normal_success": 20. / 3 * 90,
				"mean_energy": (50*90 + 30*75) / 3., "idle_energy": 30*75 + 20*75, "total_energy": 50*90 + 30*75 + 20*75,
			},
		},
		{
			// Three free slots while two jobs are there: half of each.
			"free slots are booked evenly",
			[]sim.Job{job("a", 0, 1), job("b", 0, 1)},
			nothing, plain(1, 5, map[string]any{"book_idle": true}),
			sim.Hooks{},
			map[string]float64{"energy a": 10 * (30 + 15 + 1.5*30), "energy b": 10 * (30 + 15 + 1.5*30)},
		},
		{
			// Nodes of contention 1, 2 and 3, whatever runs on them.
			"contention of nodes",
			[]sim.Job{job("a", 0, 6)},
			nothing, plain(3, 2, map[string]any{"contention": 3, "contention_law": "nodes"}),
			sim.Hooks{},
			map[string]float64{"execution a": 30, "whole_utilisation": 2. / 3},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			expect(t, watch(t, &sim.Workload{Jobs: c.jobs}, c.policy, c.params, c.hooks), c.want)
		})
	}
}

// The draws are what the options say: the share of stragglers, the mean and spread of the sizes.
func TestDraws(t *testing.T) {
	const n = 20_000
	j := job("a", 0, n)
	j.CV = 0.5
	took, begun := map[int]float64{}, map[int]float64{}
	w := &sim.Workload{Jobs: []sim.Job{j}}
	watch(t, w, nothing, plain(n, 1, nil), sim.Hooks{Observe: func(c sim.Change) {
		if c.Kind == sim.Launched {
			begun[c.Task] = c.Now
		} else {
			took[c.Task] = c.Now - begun[c.Task]
		}
	}})
	sum, squares := 0.0, 0.0
	for _, x := range took {
		sum += x / n
		squares += x * x / n
	}
	// Four standard errors: of the mean 4·5/√n = 0.14, of the coefficient of variation some 0.02.
	if cv := math.Sqrt(squares-sum*sum) / sum; math.Abs(sum-10) > 0.15 || math.Abs(cv-0.5) > 0.025 {
		t.Errorf("tasks take %v s with a spread of %v", sum, cv)
	}
	j.CV = 0
	w = &sim.Workload{Jobs: []sim.Job{j}}
	slow, slowest := 0, 0.0
	watch(t, w, nothing, plain(n, 1, map[string]any{"stragglers": 0.2, "slowdown": 4}), sim.Hooks{Observe: func(c sim.Change) {
		if c.Kind == sim.Completed && c.Now > 10+1e-9 {
			slow, slowest = slow+1, max(slowest, c.Now)
		}
	}})
	if math.Abs(float64(slow)/n-0.2) > 4*math.Sqrt(0.16/n) || !near(slowest, 40) {
		t.Errorf("%d of %d tasks straggle, the slowest to %v s", slow, n, slowest)
	}
}

// All policies meet the same tasks: whatever happens to a job,
// its first attempts on equal nodes without contention need the same time.
func TestSeeds(t *testing.T) {
	w := &sim.Workload{Jobs: []sim.Job{job("a", 0, 40), job("b", 30, 40)}}
	w.Jobs[0].CV, w.Jobs[1].CV = 0.3, 0.3
	run := func(p sim.Policy, seed uint64, given map[string]any, h sim.Hooks) map[string]float64 {
		got := map[string]float64{}
		if _, err := sim.Watch(context.Background(), w, p, resolve(t, given), seed, h, simtest.Collect(got)); err != nil {
			t.Fatal(err)
		}
		return got
	}
	works := func(p sim.Policy) map[string]float64 {
		of := map[string]float64{}
		run(p, 7, plain(4, 3, map[string]any{"stragglers": 0.3}), sim.Hooks{Observe: func(c sim.Change) {
			if c.Kind == sim.Launched && !c.Copy {
				of[fmt.Sprint(c.Job, c.Task)] = c.Work
			}
		}})
		return of
	}
	for _, p := range testPolicies {
		if d := cmp.Diff(works(nothing), works(p), cmp.Comparer(near)); d != "" {
			t.Errorf("%s: %s", p.Name, d)
		}
	}
}

// What is decided on is a valid instance once it has names, its slots by start.
func TestDecisions(t *testing.T) {
	w := &sim.Workload{Jobs: []sim.Job{job("a", 0, 300)}}
	w.Jobs[0].CV, w.Jobs[0].Input, w.Jobs[0].Memory = 0.2, 64, 1
	decisions, future, pairs := 0, 0, 0
	p := early
	p.Assign = func(ctx context.Context, in *speculation.Instance) speculation.Matching {
		decisions++
		now := *in
		now.Name, now.Stragglers, now.Slots = "now", slices.Clone(in.Stragglers), slices.Clone(in.Slots)
		for i := range now.Stragglers {
			now.Stragglers[i].ID = fmt.Sprint("s", i)
		}
		for j := range now.Slots {
			now.Slots[j].ID = fmt.Sprint("v", j)
			if v := now.Slots[j]; j > 0 && v.Start < now.Slots[j-1].Start {
				t.Errorf("%+v comes after %+v", v, now.Slots[j-1])
			} else if v.Start > 0 {
				future++
			}
			for i := range now.Stragglers {
				if now.Allowed(i, j) {
					pairs++
				}
			}
		}
		text, err := speculation.Problem.MarshalInstance(&now)
		if err == nil {
			_, err = speculation.Problem.ParseInstance("now", text)
		}
		if err != nil || now.EnergyWeight != 0.01 {
			t.Errorf("%v: %+v", err, now)
		}
		return early.Assign(ctx, in)
	}
	watch(t, w, p, map[string]any{"nodes": 8, "slots": 4}, sim.Hooks{})
	if decisions < 20 || future == 0 || pairs == 0 {
		t.Errorf("%d decisions, %d future slots, %d pairs", decisions, future, pairs)
	}
}

// A decision against the rules ends a run with an error that says so.
func TestErrors(t *testing.T) {
	w := &sim.Workload{Jobs: []sim.Job{job("a", 0, 2)}}
	for want, m := range map[string]speculation.Matching{
		"slots of 2 stragglers, not 1": {0, 0}, "assign.s1: slot 9 of 1": {9}, "assign.s1: slot -2 of 1": {-2},
	} {
		p := named("odd", sim.Policy{Assign: func(context.Context, *speculation.Instance) speculation.Matching { return m }})
		v, h := resolve(t, plain(2, 1, nil)), slowly(map[int]float64{1: 10})
		_, err := sim.Watch(context.Background(), w, p, v, 1, h, func(models.Metric) {})
		want = "policy odd at time 12: " + want
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
