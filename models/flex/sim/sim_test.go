package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
)

// Cases small enough to follow by hand; no spread of task times, so the seed does not matter.
func TestByHand(t *testing.T) {
	early := &sim.Workload{Jobs: []sim.Job{
		{ID: "a", Map: tasks(4, 10), Reduce: ptr(tasks(1, 5))},
		{ID: "b", Map: tasks(1, 12), Reduce: ptr(tasks(1, 5))},
	}}
	for _, c := range []struct {
		name   string
		w      *sim.Workload
		policy sim.Policy
		params map[string]any
		want   map[string]float64
	}{
		{
			// 12 tasks of 10 s on 4 slots: 3 rounds; work over slots. Reduces: 4 tasks of 5 s on 2 slots: 2 rounds.
			"a single job takes work over slots when its tasks divide evenly",
			&sim.Workload{Jobs: []sim.Job{{ID: "a", Arrival: 7, Map: tasks(12, 10), Reduce: ptr(tasks(4, 5))}}},
			even,
			map[string]any{"map_slots": 4, "reduce_slots": 2, "epoch": 3},
			map[string]float64{"response a": 40, "makespan": 40, "map_utilisation": 120. / 160, "reduce_utilisation": 20. / 80},
		},
		{
			// b arrives between epochs and gets the slot that is idle at once; its second task runs from 11 to 21.
			"an arrival between epochs does not wait for the next one",
			&sim.Workload{Jobs: []sim.Job{{ID: "b", Arrival: 1, Map: tasks(2, 10)}}},
			even,
			map[string]any{"map_slots": 1, "epoch": 1000},
			map[string]float64{"response b": 20, "average_response": 20, "average_stretch": 1},
		},
		{
			// Maps: a from 0, 10, 12 and 20 on, b from 0 to 12. Reduces, on one slot: b from 12 to 17, a from 30 to 35.
			"reduces wait for all maps",
			early, even,
			map[string]any{"map_slots": 2, "reduce_slots": 1, "epoch": 1},
			map[string]float64{"response a": 35, "response b": 17, "average_response": 26},
		},
		{
			// The same Maps. a's Reduce takes the slot at 10, when a quarter of its Maps is done, and holds it until 35: b's runs
			// from 35 to 40. The paper's artefact (section 4.2): a large job's Reduces keep a small one from finishing. They
			// compute for 10 of 40 s: holding the slot is not work.
			"reduces that start early hold the slot",
			early, even,
			map[string]any{"map_slots": 2, "reduce_slots": 1, "epoch": 1, "slowstart": 0.25},
			map[string]float64{"response a": 35, "response b": 40, "average_response": 37.5, "reduce_utilisation": 10. / 40},
		},
		{
			// Targets 2 and 2 at 0. At 10 a is done, b has 2 tasks left.
			"jobs that arrive together share by the policy",
			&sim.Workload{Jobs: []sim.Job{{ID: "a", Map: tasks(2, 10)}, {ID: "b", Map: tasks(4, 10)}}},
			even,
			map[string]any{"map_slots": 4, "epoch": 1},
			map[string]float64{"response a": 10, "response b": 20},
		},
		{
			// File order is not order of arrival: b comes first and is served first.
			"jobs are served by arrival",
			&sim.Workload{Jobs: []sim.Job{{ID: "a", Arrival: 1, Map: tasks(2, 10)}, {ID: "b", Map: tasks(3, 10)}}},
			inTurn,
			map[string]any{"map_slots": 1, "epoch": 1},
			map[string]float64{"response a": 49, "response b": 30, "makespan": 50, "utilisation": 1},
		},
		{
			// The first epoch gives a the slot and the others nothing; of those without a target the earlier comes first.
			"ties go by arrival",
			&sim.Workload{Jobs: []sim.Job{{ID: "a", Map: tasks(1, 10)}, {ID: "b", Map: tasks(1, 10)}, {ID: "c", Map: tasks(1, 10)}}},
			inTurn,
			map[string]any{"map_slots": 1, "epoch": 1000},
			map[string]float64{"response a": 10, "response b": 20, "response c": 30},
		},
		{
			// b's Maps are done at 10, a's at 20. b's first Reduce runs from 10 to 20, then a's two until 40, then b's other two.
			"the policy sees jobs by arrival, not by the order in which their Reduces can start",
			&sim.Workload{Jobs: []sim.Job{
				{ID: "a", Map: tasks(1, 20), Reduce: ptr(tasks(2, 10))},
				{ID: "b", Map: tasks(1, 10), Reduce: ptr(tasks(3, 10))},
			}},
			inTurn,
			map[string]any{"map_slots": 2, "reduce_slots": 1, "epoch": 1},
			map[string]float64{"response a": 40, "response b": 60},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := run(t, c.w, c.policy, 1, c.params)
			for name, want := range c.want {
				if v, ok := got[name]; !ok || math.Abs(v-want) > 1e-9 {
					t.Errorf("%s = %v, want %v", name, v, want)
				}
			}
		})
	}
}

// What the policy sees of the remaining work, and of its ratio to the whole job's when weighted, epoch by epoch.
func TestEstimates(t *testing.T) {
	// On two slots, one each.
	two := []sim.Job{{ID: "a", Map: tasks(4, 30)}, {ID: "b", Map: tasks(6, 10)}}
	for _, c := range []struct {
		name   string
		jobs   []sim.Job
		policy sim.Policy
		params map[string]any
		want   []string // the first calls
	}{
		{
			"exact", two, even,
			// At 10 one task of each job runs or has just ended; b's five left take 50, and a's four have 110 left.
			map[string]any{"epoch": 10, "estimate": "exact"},
			[]string{"a 120 b 60", "a 110 b 50", "a 100 b 40", "a 90 b 30"},
		},
		{
			"exact, tasks out of step",
			// On two slots in turn: a until 5; b's first task from 0, the second from 5, the third from 10. At 12 the second has
			// 3 left, the third 8, and one more waits.
			[]sim.Job{{ID: "a", Map: tasks(1, 5)}, {ID: "b", Map: tasks(4, 10)}},
			inTurn,
			map[string]any{"epoch": 6, "estimate": "exact"},
			[]string{"a 5 b 40", "b 33", "b 21", "b 9"},
		},
		{
			"exact, Reduces that wait",
			// The Map ends at 12. Both Reduces hold their slots from 0 and compute from 12 to 17.
			[]sim.Job{{ID: "a", Map: tasks(1, 12), Reduce: ptr(tasks(2, 5))}},
			inTurn,
			map[string]any{"epoch": 7, "estimate": "exact", "slowstart": 0},
			[]string{"a 12", "a 10", "a 5", "a 10", "a 6"}, // Map and Reduce at 0 and 7, Reduce at 14
		},
		{
			"extrapolated", two, even,
			// Before anything finished the tasks count; then a is taken to be like b, whose tasks took 10; at 30 a's first one
			// ends.
			map[string]any{"epoch": 10},
			[]string{"a 4 b 6", "a 40 b 50", "a 40 b 40", "a 90 b 30"},
		},
		{
			"extrapolated, weighted for stretch", two, even,
			map[string]any{"epoch": 10, "metric": "stretch"},
			[]string{"a 4/4 b 6/6", "a 40/40 b 50/60", "a 40/40 b 40/60", "a 90/120 b 30/60"},
		},
		{
			"nothing new, no call", two, even,
			// b's tasks end at 10, 20, …, between the epochs.
			map[string]any{"epoch": 4},
			[]string{"a 4 b 6", "a 40 b 50", "a 40 b 40"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			spy := c.policy
			spy.Targets = func(in *flex.Instance, targets []float64) {
				c.policy.Targets(in, targets)
				var words []string
				for _, j := range in.Jobs {
					words = append(words, fmt.Sprintf("%s %.6g", j.ID, j.Work))
					if in.Objective.Weighted {
						words[len(words)-1] += fmt.Sprintf("/%.6g", 1/j.Weight)
					}
				}
				if len(got) < len(c.want) {
					got = append(got, strings.Join(words, " "))
				}
			}
			c.params["map_slots"], c.params["reduce_slots"] = 2, 2
			run(t, &sim.Workload{Jobs: c.jobs}, spy, 1, c.params)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// Another seed gives other task times. All policies see the same ones: the summed work does not depend on the policy.
func TestSeeds(t *testing.T) {
	w := &sim.Workload{}
	for j := range 30 {
		w.Jobs = append(w.Jobs, sim.Job{
			ID: fmt.Sprint("j", j), Arrival: float64(7 * j % 50),
			Map: sim.Phase{Tasks: 5 + j, Mean: 10, CV: 0.5}, Reduce: &sim.Phase{Tasks: 1 + j%4, Mean: 30, CV: 1},
		})
	}
	given := map[string]any{"map_slots": 17, "reduce_slots": 5, "slowstart": 0.3}
	want := run(t, w, even, 1, given)
	work := func(m map[string]float64) float64 { return m["map_utilisation"] * m["makespan"] }
	if other := run(t, w, even, 2, given); other["average_response"] == want["average_response"] || work(other) == work(want) {
		t.Error("the seed does not matter")
	}
	if other := work(run(t, w, inTurn, 1, given)); math.Abs(other-work(want)) > 1e-9*other {
		t.Errorf("work %v under one policy, %v under another", other, work(want))
	}
	w.Jobs[0].Arrival = 1000
	if other := work(run(t, w, even, 1, given)); math.Abs(other-work(want)) > 1e-9*other {
		t.Errorf("work %v, but %v when the first job is the last to arrive", work(want), other)
	}
}

// A cancelled context ends a run that would take very long: half a year in epochs of a millisecond.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	spy := even
	spy.Targets = func(in *flex.Instance, targets []float64) {
		calls++
		if calls == 1000 {
			cancel()
		}
		even.Targets(in, targets)
	}
	w := &sim.Workload{Jobs: []sim.Job{{ID: "a", Map: tasks(10, 1e6)}}}
	v := resolve(t, map[string]any{"map_slots": 1, "epoch": 0.001, "estimate": "exact"})
	err := sim.New([]sim.Policy{spy}, sim.Source{}).
		Run(ctx, models.SimRequest{Workload: w, Policy: "even", Params: v}, func(models.Metric) { t.Error("a metric") })
	if !errors.Is(err, context.Canceled) || calls > 2000 {
		t.Errorf("%v after %d epochs", err, calls)
	}
}

// Requests and policies that cannot be served end with one sentence.
func TestRunErrors(t *testing.T) {
	good := &sim.Workload{Jobs: []sim.Job{{ID: "a", Map: tasks(3, 1)}}}
	all := func(s float64) sim.Policy {
		return sim.Policy{Policy: models.Policy{Name: "p"}, Targets: func(_ *flex.Instance, targets []float64) {
			for j := range targets {
				targets[j] = s
			}
		}}
	}
	for _, c := range []struct {
		workload *sim.Workload
		policy   sim.Policy
		want     string
	}{
		{good, all(4), "policy p at time 0: target of job a is 4 slots, not between 0 and 3"},
		{good, all(-1), "policy p at time 0: target of job a is -1 slots, not between 0 and 3"},
		{good, all(math.NaN()), "policy p at time 0: target of job a is NaN slots, not between 0 and 3"},
		{
			&sim.Workload{Jobs: []sim.Job{{ID: "a", Map: tasks(90, 1)}, {ID: "b", Map: tasks(90, 1)}}},
			all(90), "policy p at time 0: targets add up to 180 of 104 slots",
		},
	} {
		err := sim.New([]sim.Policy{c.policy}, sim.Source{}).Run(context.Background(),
			models.SimRequest{Workload: c.workload, Policy: "p", Params: resolve(t, nil)}, func(models.Metric) {})
		if err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
