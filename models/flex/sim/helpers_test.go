package sim_test

import (
	"context"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/simulation/simtest"
)

// inTurn serves the jobs by arrival without minima, like the paper's FIFO.
var inTurn = sim.Policy{
	Policy: models.Policy{Name: "in-turn"},
	Targets: func(in *flex.Instance, targets []float64) {
		left := in.Slots
		for j := range targets {
			s := min(left, in.Jobs[j].Max)
			targets[j] = float64(s)
			left -= s
		}
	},
}

// even deals the slots beyond the minima round robin.
var even = sim.Policy{
	Policy: models.Policy{Name: "even"},
	Targets: func(in *flex.Instance, targets []float64) {
		left := in.Slots - in.TotalMin()
		for j := range targets {
			targets[j] = float64(in.Jobs[j].Min)
		}
		for given := true; given && left > 0; {
			given = false
			for j := range targets {
				if left > 0 && targets[j] < float64(in.Jobs[j].Max) {
					targets[j]++
					left--
					given = true
				}
			}
		}
	},
}

func resolve(tb interface{ Fatal(...any) }, given map[string]any) models.Values {
	return simtest.Resolve(tb, sim.Params, given)
}

// run returns the metrics by name, a job's by name and id.
func run(tb testing.TB, w *sim.Workload, p sim.Policy, seed uint64, given map[string]any) map[string]float64 {
	tb.Helper()
	got := map[string]float64{}
	r := models.SimRequest{Workload: w, Policy: p.Name, Params: resolve(tb, given), Seed: seed}
	err := sim.New([]sim.Policy{p}, sim.Source{}).Run(context.Background(), r, func(m models.Metric) {
		name := m.Name
		if m.Scope == "job" {
			name += " " + m.Job
		}
		got[name] = m.Value
	})
	fail.On(tb, err)
	return got
}

func tasks(n int, mean float64) sim.Phase { return sim.Phase{Tasks: n, Mean: mean} }

func ptr(p sim.Phase) *sim.Phase { return &p }
