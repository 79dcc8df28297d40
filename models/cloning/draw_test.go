package cloning_test

import (
	"fmt"

	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/cloning"
)

// drawInstance draws small instances of all sorts, demands and capacities in eighths so that sums are exact.
func drawInstance(t *rapid.T) *cloning.Instance {
	in := &cloning.Instance{
		Header: models.Header{Name: "drawn"},
		Resources: rapid.SampledFrom([][]string{
			{"cpu", "mem"}, {"gpu"}, {"mem", "cpu"}, {"cpu", "mem", "disk"},
		}).Draw(t, "resources"),
		MaxCopies:          rapid.IntRange(1, 3).Draw(t, "max_copies"),
		MaxCopiesPerServer: rapid.IntRange(1, 2).Draw(t, "max_copies_per_server"),
	}
	amounts := func(low, high int, label string) []float64 {
		list := make([]float64, len(in.Resources))
		for r := range list {
			list[r] = float64(rapid.IntRange(low, high).Draw(t, label)) / 8
		}
		return list
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "servers") {
		in.Servers = append(in.Servers, cloning.Server{ID: fmt.Sprint("s", i), Capacity: amounts(4, 8, "capacity")})
	}
	for j := range rapid.IntRange(1, 3).Draw(t, "jobs") {
		job := cloning.Job{ID: fmt.Sprint("j", j), Arrival: rapid.IntRange(0, 3).Draw(t, "arrival")}
		for k := range rapid.IntRange(1, 3).Draw(t, "phases") {
			p := cloning.Phase{
				ID: fmt.Sprint("p", k), Tasks: rapid.IntRange(1, 2).Draw(t, "tasks"), Demand: amounts(0, 4, "demand"),
				Mean: rapid.Float64Range(0.1, 3).Draw(t, "mean"), SD: rapid.Float64Range(0, 5).Draw(t, "sd"),
			}
			p.Speedup = cloning.ParetoSpeedup(p.Mean, p.SD, in.MaxCopies)
			for parent := range k {
				if rapid.Bool().Draw(t, "edge") {
					p.Parents = append(p.Parents, parent)
				}
			}
			job.Phases = append(job.Phases, p)
		}
		in.Jobs = append(in.Jobs, job)
	}
	return in
}

// drawSolution draws copies that keep the constraints only by chance.
func drawSolution(t *rapid.T, in *cloning.Instance) cloning.Solution {
	s := cloning.Solution{
		Regime:         rapid.SampledFrom([]string{"", cloning.Preemptive, cloning.Nonpreemptive}).Draw(t, "regime"),
		CapacityFactor: rapid.SampledFrom([]float64{1, 1.5, 3}).Draw(t, "capacity_factor"),
		Copies:         []cloning.Copy{},
	}
	for j := range in.Jobs {
		at := in.Jobs[j].Arrival
		for k := range in.Jobs[j].Phases {
			for i := range in.Jobs[j].Phases[k].Tasks {
				for range rapid.IntRange(0, 3).Draw(t, "copies") {
					start := max(0, at+rapid.IntRange(-1, 3).Draw(t, "start"))
					s.Copies = append(s.Copies, cloning.Copy{
						Task: cloning.Task{Job: j, Phase: k, Index: i}, Server: rapid.IntRange(0, len(in.Servers)-1).Draw(t, "server"),
						Start: start, End: start + rapid.IntRange(1, 4).Draw(t, "length"),
					})
				}
			}
			at += rapid.IntRange(0, 4).Draw(t, "pause")
		}
	}
	return s
}
