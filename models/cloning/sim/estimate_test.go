package sim_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
)

// seen runs jobs one task at a time, first come, first served, and returns the mean durations, in slots, that the policy gets
// whenever a job is ranked, and the flowtimes.
func seen(t *testing.T, given map[string]any, jobs ...sim.Job) (means map[string][]float64, flow map[string]float64) {
	t.Helper()
	means, flow = map[string][]float64{}, map[string]float64{}
	p := sim.Policy{
		Policy: models.Policy{Name: "spy"},
		New: func(s *sim.State, _ models.Values, _ *rand.Rand) sim.Rules {
			return sim.Rules{Changes: sim.OnProgress, Rank: func(job, phase, copies int) (sim.Rank, bool) {
				j := &s.Instance().Jobs[job]
				ph := &j.Phases[phase]
				if h := cloning.ParetoSpeedup(ph.Mean, ph.SD, 2); math.Abs(ph.Rate(2)-h[1]) > 1e-9 {
					t.Errorf("%s: h(2) is %v of mean %v and deviation %v, want %v", j.ID, ph.Rate(2), ph.Mean, ph.SD, h[1])
				}
				if list := means[j.ID]; copies == 0 && (len(list) == 0 || list[len(list)-1] != j.Phases[phase].Mean) {
					means[j.ID] = append(list, j.Phases[phase].Mean)
				}
				return sim.Rank{Key: float64(j.Arrival)}, copies == 0
			}}
		},
	}
	s := sim.New([]sim.Policy{p}, sim.Source{})
	v, err := models.Resolve(s.Params, given)
	fail.On(t, err)
	w := sim.NewWorkload([]sim.Servers{{Count: 1, CPU: 1, Mem: 1}}, jobs...)
	err = s.Run(context.Background(), models.SimRequest{Workload: w, Policy: "spy", Params: v, Seed: 7}, func(m models.Metric) {
		if m.Name == "flowtime" {
			flow[m.Job] = m.Value
		}
	})
	fail.On(t, err)
	return means, flow
}

func equal(a []float64, b ...float64) bool {
	for i := range a {
		if len(a) != len(b) || math.Abs(a[i]-b[i]) > 1e-12 {
			return false
		}
	}
	return len(a) == len(b)
}

// What policies get: section 5.2's rules one after the other. The cluster keeps the truth.
func TestEstimates(t *testing.T) {
	job := func(id, kind string, arrival, seconds float64) sim.Job {
		return sim.Job{ID: id, Kind: kind, Arrival: arrival, Weight: 1, Phases: []sim.Phase{{Tasks: 2, CPU: 1, Mem: 1, Mean: seconds}}}
	}
	jobs := []sim.Job{job("a", "x", 0, 10), job("b", "y", 100, 30), job("c", "x", 200, 20), job("d", "", 300, 40)}
	truth, right := seen(t, map[string]any{"slot": 5}, jobs...)
	for id, want := range map[string]float64{"a": 2, "b": 6, "c": 4, "d": 8} {
		if !equal(truth[id], want) || right[id] != 2*5*want {
			t.Errorf("truth: %s is %v, flowtime %v", id, truth[id], right[id])
		}
	}
	// a: nothing is known, then its first task. b: the mean of a's tasks, then its own first. c: a's, which is of its kind, to
	// the end. d: six tasks of 2, 2, 6, 6, 4 and 4 slots, then its own.
	learned, flow := seen(t, map[string]any{"slot": 5, "estimate": "learned"}, jobs...)
	for id, want := range map[string][]float64{"a": {1, 2}, "b": {2, 6}, "c": {2}, "d": {4, 8}} {
		if !equal(learned[id], want...) || flow[id] != right[id] {
			t.Errorf("learned: %s is %v, want %v; flowtime %v", id, learned[id], want, flow[id])
		}
	}
	varied := []sim.Job{job("a", "x", 0, 10), job("b", "x", 100, 30)} // speedups are learned with deviations
	varied[0].Phases[0].SD, varied[1].Phases[0].SD = 20, 60
	if times, _ := seen(t, map[string]any{"slot": 5, "estimate": "learned"}, varied...); len(times["b"]) != 1 {
		t.Errorf("%v", times)
	}
}
