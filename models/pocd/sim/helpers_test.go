package sim_test

import (
	"context"
	"testing"

	"schedgap/models"
	"schedgap/models/fail"
	"schedgap/models/pocd"
	"schedgap/models/pocd/sim"
	"schedgap/models/simulation/simtest"
)

// gives returns a decision of up to r copies for each straggler, or each task, as far as the machines go.
func gives(r int, all bool) func(context.Context, *pocd.Instance) pocd.Copies {
	return func(_ context.Context, in *pocd.Instance) pocd.Copies {
		copies, spare := pocd.NoCopies(in), in.Spare()
		for j := range in.Jobs {
			for i := range in.Jobs[j].Tasks {
				if all || in.Jobs[j].Tasks[i].Straggler {
					copies[j][i] = min(r, spare, in.MaxCopies)
					spare -= copies[j][i]
				}
			}
		}
		return copies
	}
}

func named(name string, p sim.Policy) sim.Policy {
	p.Name = name
	return p
}

// The policies of the tests have the rules of those of the paper, and a simple decision.
var (
	nothing = named("nothing", sim.Policy{})
	// rounds is like shed+.
	rounds = named("rounds", sim.Policy{
		Copies: gives(1, false), Checks: sim.AtProgress | sim.Periodic, KeepFastest: true, KillLate: true,
		Resume: true, EstimateBeta: true,
	})
	// arrivals is like shed.
	arrivals = named("arrivals", sim.Policy{
		Copies: gives(1, true), Checks: sim.AtStart, KeepFastest: true,
		Resume: true, AllTasks: true,
	})
	// blind is like hadoop.
	blind = named("blind", sim.Policy{
		Copies: gives(1, false), Checks: sim.AtProgress | sim.Periodic, EstimateBeta: true,
		ByMeanTime: true,
	})
	// cloned is like dolly.
	cloned       = named("cloned", sim.Policy{Clones: func(sim.Start) int { return 1 }})
	clairvoyant  = named("clairvoyant", sim.Policy{Clairvoyant: true})
	testPolicies = []sim.Policy{nothing, rounds, arrivals, blind, cloned, clairvoyant}
)

func resolve(tb interface{ Fatal(...any) }, given map[string]any) models.Values {
	return simtest.Resolve(tb, sim.Params, given)
}

// watch returns the metrics by name, a job's by name and id.
func watch(tb testing.TB, w *sim.Workload, p sim.Policy, seed uint64, given map[string]any, h sim.Hooks) map[string]float64 {
	tb.Helper()
	got := map[string]float64{}
	fail.On(tb, sim.Watch(context.Background(), w, p, resolve(tb, given), seed, h, simtest.Collect(got)))
	return got
}

func job(id string, arrival, deadline float64, tasks int) sim.Job {
	return sim.Job{ID: id, Arrival: arrival, Deadline: deadline, Tasks: tasks, TMin: 20, Beta: 1.5}
}

// table returns the times of attempts by job, task and attempt.
func table(times [][][]float64) func(job, task, attempt int) float64 {
	return func(job, task, attempt int) float64 { return times[job][task][attempt] }
}
