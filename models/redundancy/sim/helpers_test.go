package sim_test

import (
	"context"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/redundancy/sim"
	"schedgap/models/simulation/simtest"
)

// The policies of the tests: redundant is like fair+r, shared like fair, and least like srpt.
var (
	redundant = policy(true, func(n, machines int) sim.Allotment {
		if n < machines {
			each := machines / n
			return sim.Allotment{Served: n, First: machines - (n-1)*each, Others: each, Share: 1}
		}
		return shares(n, machines)
	})
	shared = policy(true, shares)
	least  = policy(false, func(n, machines int) sim.Allotment {
		return sim.Allotment{Served: min(n, machines), First: 1, Others: 1, Share: 1}
	})
)

func shares(n, machines int) sim.Allotment {
	if n < machines {
		return sim.Allotment{Served: n, First: 1, Others: 1, Share: 1}
	}
	return sim.Allotment{Served: n / machines * machines, First: 1, Others: 1, Share: 1 / float64(n/machines)}
}

func policy(latest bool, rule sim.Rule) sim.Policy {
	return sim.Policy{
		Policy: models.Policy{Name: "test"}, Latest: latest,
		Rule: func(models.Values) sim.Rule { return rule },
	}
}

func resolve(tb interface{ Fatal(...any) }, given map[string]any) models.Values {
	return simtest.Resolve(tb, sim.Params, given)
}

// watch returns the metrics by name, a job's by name and id.
func watch(
	tb testing.TB, jobs []sim.Job, p sim.Policy, seed uint64, given map[string]any, h sim.Hooks,
) map[string]float64 {
	tb.Helper()
	got := map[string]float64{}
	w := &sim.Workload{Jobs: jobs}
	fail.On(tb, sim.Watch(context.Background(), w, p, resolve(tb, given), seed, h, simtest.Collect(got)))
	return got
}
