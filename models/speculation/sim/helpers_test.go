package sim_test

import (
	"context"
	"testing"

	"schedgap/models"
	"schedgap/models/simulation/simtest"
	"schedgap/models/speculation"
	"schedgap/models/speculation/sim"
)

// earliest gives each straggler the first slot that it may have and that is left; with gain, only where it ends earlier.
func earliest(gain bool) func(context.Context, *speculation.Instance) speculation.Matching {
	return func(_ context.Context, in *speculation.Instance) speculation.Matching {
		m, taken := make(speculation.Matching, len(in.Stragglers)), make([]bool, len(in.Slots))
		for i := range m {
			m[i] = speculation.None
			for j := range in.Slots {
				end := in.Slots[j].Start + in.CopyTime[i][j] // NaN where the pair is not allowed
				if !taken[j] && (end < in.Stragglers[i].Finish || !gain && end >= 0) {
					m[i], taken[j] = j, true
					break
				}
			}
		}
		return m
	}
}

func named(name string, p sim.Policy) sim.Policy {
	p.Name = name
	return p
}

// The policies of the tests have the rules of those of the paper, and a simple decision.
var (
	nothing = named("nothing", sim.Policy{})
	// atEnd is like default, gaining like hete-aware, early like window.
	atEnd        = named("at-end", sim.Policy{Assign: earliest(false)})
	gaining      = named("gaining", sim.Policy{Assign: earliest(true)})
	early        = named("early", sim.Policy{Assign: earliest(true), Window: true})
	testPolicies = []sim.Policy{nothing, atEnd, gaining, early}
)

func resolve(tb interface{ Fatal(...any) }, given map[string]any) models.Values {
	return simtest.Resolve(tb, sim.Params, given)
}

// watch returns the metrics by name, a job's by name and id.
func watch(tb testing.TB, w *sim.Workload, p sim.Policy, given map[string]any, h sim.Hooks) map[string]float64 {
	tb.Helper()
	got := map[string]float64{}
	if _, err := sim.Watch(context.Background(), w, p, resolve(tb, given), 1, h, simtest.Collect(got)); err != nil {
		tb.Fatal(err)
	}
	return got
}

// job has tasks of 10 s each and no data.
func job(id string, arrival float64, tasks int) sim.Job {
	return sim.Job{ID: id, Arrival: arrival, Tasks: tasks, Mean: 10}
}

// plain is a cluster of equal nodes without contention where nothing straggles.
func plain(nodes, slots int, more map[string]any) map[string]any {
	given := map[string]any{
		"nodes": nodes, "slots": slots, "heterogeneity": 1, "contention": 1, "stragglers": 0, "power_heterogeneity": 1,
	}
	for k, v := range more {
		given[k] = v
	}
	return given
}

// slowly slows the first attempts of some tasks of the first job down.
func slowly(slowdowns map[int]float64) sim.Hooks {
	return sim.Hooks{Slowdowns: func(job, task int, isCopy bool) float64 {
		if s, ok := slowdowns[task]; ok && job == 0 && !isCopy {
			return s
		}
		return 1
	}}
}
