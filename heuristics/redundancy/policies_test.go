package redundancy_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	hredundancy "schedgap/heuristics/redundancy"
	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/redundancy"
	"schedgap/models/redundancy/sim"
	"schedgap/models/trials/property"
)

// On machines of constant speed copies gain nothing, h(r) = 1, and every policy gives the flowtimes of its rule in the
// deterministic model.
func TestConstantSpeed(t *testing.T) {
	single := func(rule sim.Rule) hredundancy.Discipline {
		return hredundancy.Discipline{Rule: hredundancy.Single(rule), Latest: true}
	}
	property.Check(t, func(t *rapid.T) {
		beta := rapid.Float64Range(0.05, 1).Draw(t, "beta")
		remainder, laps := "wait", hredundancy.LAPSWaitingRule(beta)
		if rapid.Bool().Draw(t, "share") {
			remainder, laps = "share", hredundancy.LAPSSharedRule(beta)
		}
		machines := rapid.IntRange(1, 5).Draw(t, "machines")
		in := &redundancy.Instance{Machines: machines, Multitasking: true, Speed: 1, Speedup: slices.Repeat([]float64{1}, machines)}
		w := &sim.Workload{}
		for i := range rapid.IntRange(1, 30).Draw(t, "jobs") {
			arrival, work := rapid.Float64Range(0, 100).Draw(t, "arrival"), rapid.Float64Range(0.1, 50).Draw(t, "work")
			in.Jobs = append(in.Jobs, redundancy.Job{ID: fmt.Sprint("j", i), Arrival: arrival, Work: work})
			w.Jobs = append(w.Jobs, sim.Job{ID: fmt.Sprint("j", i), Arrival: arrival, Work: work})
		}
		for name, d := range map[string]hredundancy.Discipline{
			"srpt+r": {Rule: hredundancy.SRPTRule},
			"srpt":   {Rule: hredundancy.Single(hredundancy.SRPTRule)},
			"fair+r": {Rule: hredundancy.FairRule, Latest: true},
			"fair":   single(hredundancy.FairRule),
			"laps+r": {Rule: laps, Latest: true},
			"laps":   single(laps),
		} {
			got := flowtimes(t, w, name, map[string]any{
				"machines": machines, "beta": beta, "remainder": remainder, "available_low": 1, "available_high": 1,
				"unavailable_low": 1, "unavailable_high": 1,
			})
			schedule, err := hredundancy.Schedule(context.Background(), in, d, 1)
			fail.On(t, err)
			times := redundancy.Completions(in, schedule)
			for j := range in.Jobs {
				if want := times[j] - in.Jobs[j].Arrival; math.Abs(got[j]-want) > 1e-9*times[j] {
					t.Fatalf("%s: flowtime of job %d is %v, want %v", name, j, got[j], want)
				}
			}
		}
	})
}

// flowtimes are in file order.
func flowtimes(tb fail.Tester, w *sim.Workload, policy string, given map[string]any) []float64 {
	s := sim.New(hredundancy.Policies, sim.Source{})
	v, err := models.Resolve(s.Params, given)
	fail.On(tb, err)
	var list []float64
	r := models.SimRequest{Workload: w, Policy: policy, Params: v, Seed: 1}
	err = s.Run(context.Background(), r, func(m models.Metric) {
		if m.Scope == "job" {
			list = append(list, m.Value)
		}
	})
	fail.On(tb, err)
	return list
}
