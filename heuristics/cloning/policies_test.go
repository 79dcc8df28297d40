package cloning_test

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	heuristics "schedgap/heuristics/cloning"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/trials/property"
)

// drawInstance draws a cluster of up to five servers and up to six jobs of up to four phases; demands are multiples of a
// quarter, so that tasks fit exactly now and then.
func drawInstance(t *rapid.T) *cloning.Instance {
	in := &cloning.Instance{
		Header: models.Header{Name: "drawn"}, Resources: cloning.DefaultResources(),
		MaxCopies:          rapid.IntRange(1, 4).Draw(t, "max copies"),
		MaxCopiesPerServer: rapid.IntRange(1, 4).Draw(t, "max copies per server"),
	}
	quarters := func(low, high int, label string) float64 {
		return float64(rapid.IntRange(low, high).Draw(t, label)) / 4
	}
	for i := range rapid.IntRange(1, 5).Draw(t, "servers") {
		in.Servers = append(in.Servers, cloning.Server{
			ID: fmt.Sprint("s", i), Capacity: []float64{quarters(2, 8, "cpu"), quarters(2, 8, "mem")},
		})
	}
	for j := range rapid.IntRange(1, 6).Draw(t, "jobs") {
		job := cloning.Job{ID: fmt.Sprint("j", j), Arrival: rapid.IntRange(0, 20).Draw(t, "arrival")}
		for k := range rapid.IntRange(1, 4).Draw(t, "phases") {
			p := cloning.Phase{
				ID: fmt.Sprint("p", k), Tasks: rapid.IntRange(1, 5).Draw(t, "tasks"),
				Demand: []float64{quarters(0, 2, "cpu demand"), quarters(0, 2, "mem demand")},
				Mean:   rapid.Float64Range(0.1, 12).Draw(t, "mean"), SD: rapid.Float64Range(0, 12).Draw(t, "sd"),
			}
			for parent := range k {
				if rapid.Bool().Draw(t, "parent") {
					p.Parents = append(p.Parents, parent)
				}
			}
			p.Speedup = cloning.ParetoSpeedup(p.Mean, p.SD, in.MaxCopies)
			job.Phases = append(job.Phases, p)
		}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

func algorithm(t interface{ Fatalf(string, ...any) }, name string) *cloning.Algorithm {
	for _, a := range heuristics.All {
		if a.Name == name {
			return a
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}

// schedule runs an algorithm and has its schedule checked.
func schedule(t interface{ Fatalf(string, ...any) }, a *cloning.Algorithm, in *cloning.Instance,
	given map[string]any,
) (cloning.Solution, float64) {
	v, err := models.Resolve(a.Params, given)
	if err != nil {
		t.Fatalf("%v", err)
	}
	out, err := a.Run(context.Background(), &cloning.Pass{Instance: in, Params: v, Seed: 1, Threads: 1})
	if err != nil || !out.Found {
		t.Fatalf("%s ends as %s, %v", a.Name, out.Status, err)
	}
	report := cloning.Problem.Check(in, out.Solution)
	if len(report.Violations) > 0 || report.Objective == nil {
		t.Fatalf("%s: %v", a.Name, report.Violations)
	}
	return out.Solution, *report.Objective
}

// Whatever the instance, the checker accepts every policy's schedule as nonpreemptive, also on twice and more the capacity.
func TestFeasible(t *testing.T) {
	for _, a := range heuristics.Schedulers {
		t.Run(a.Name, func(t *testing.T) {
			property.Check(t, func(t *rapid.T) {
				in := drawInstance(t)
				factor := rapid.SampledFrom([]float64{1, 2.1, 3}).Draw(t, "factor")
				s, _ := schedule(t, a, in, map[string]any{"capacity_factor": factor})
				if s.Regime != cloning.Nonpreemptive || s.CapacityFactor != factor {
					t.Fatalf("regime %q, factor %v", s.Regime, s.CapacityFactor)
				}
			})
		})
	}
}
