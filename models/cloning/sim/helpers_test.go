package sim_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/cloning/sim"
	"schedgap/models/fail"
	"schedgap/models/simulation/simtest"
)

// made returns a policy of fixed rules.
func made(name string, rules sim.Rules) sim.Policy {
	return sim.Policy{
		Policy: models.Policy{Name: name},
		New:    func(*sim.State, models.Values, *rand.Rand) sim.Rules { return rules },
	}
}

// clones serves jobs in file order, first originals, then clones up to most copies.
func clones(most int) sim.Policy {
	return made("clones", sim.Rules{MaxCopies: most, Rank: func(_, _, copies int) (sim.Rank, bool) {
		return sim.Rank{Group: copies}, true
	}})
}

// tb is what tests and properties share.
type tb interface {
	Helper()
	Fatal(args ...any)
}

func resolve(t tb, given map[string]any) models.Values { return simtest.Resolve(t, sim.Params, given) }

// watch returns the metrics by name, a job's by name and id.
func watch(t tb, w *sim.Workload, p sim.Policy, seed uint64, given map[string]any, o sim.Observer) map[string]float64 {
	t.Helper()
	got := map[string]float64{}
	err := sim.Watch(context.Background(), w, p, resolve(t, given), seed, o, func(m models.Metric) {
		name := m.Name
		if m.Scope == "job" {
			name += " " + m.Job
		}
		got[name] = m.Value
	})
	fail.On(t, err)
	return got
}

// flowtime schedules an instance and returns the checker's objective.
func flowtime(t testing.TB, in *cloning.Instance, p sim.Policy) float64 {
	t.Helper()
	s, err := sim.Schedule(context.Background(), in, &p, nil, 1, rand.New(rand.NewPCG(1, 0)))
	fail.On(t, err)
	report := cloning.Problem.Check(in, s)
	if len(report.Violations) > 0 || report.Objective == nil {
		t.Fatalf("the checker finds %v", report.Violations)
	}
	return *report.Objective
}
