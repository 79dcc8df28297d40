package cloning_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	heuristics "schedgap/heuristics/cloning"
	"schedgap/models"
	"schedgap/models/cloning"
	"schedgap/models/fail"
)

// items is one job of tasks of one slot with these sizes, on equal servers.
func items(servers int, room float64, sizes ...[]float64) *cloning.Instance {
	in := &cloning.Instance{
		Header: models.Header{Name: "bins"}, MaxCopies: 1, MaxCopiesPerServer: 1, Jobs: []cloning.Job{{ID: "j", Arrival: 3}},
	}
	for r := range sizes[0] {
		in.Resources = append(in.Resources, fmt.Sprintf("r%d", r))
	}
	for i := range servers {
		s := cloning.Server{ID: fmt.Sprintf("s%d", i)}
		for range in.Resources {
			s.Capacity = append(s.Capacity, room)
		}
		in.Servers = append(in.Servers, s)
	}
	for i, size := range sizes {
		in.Jobs[0].Phases = append(in.Jobs[0].Phases, cloning.Phase{
			ID: fmt.Sprintf("p%d", i), Tasks: 1, Demand: size, Mean: 1, Speedup: []float64{1},
		})
	}
	return in
}

// slotsOf is what best finds with so many evaluations.
func slotsOf(t *testing.T, in *cloning.Instance, evaluations int) float64 {
	t.Helper()
	out, err := heuristics.BestKnown.Run(context.Background(), bestPass(in, heuristics.BestKnown, evaluations))
	fail.On(t, err)
	rep := cloning.Problem.Check(in, out.Solution)
	if !rep.Feasible(nil) {
		t.Fatalf("%+v", rep.Violations)
	}
	return *rep.Objective
}

// Falkenauer's two kinds of bins, 120 items each: triplets that fill 40 bins take at most 41, sizes from 20 to 100 in bins of 150 no
// more than all of them together do. No policy comes as near.
func TestBins(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	for n := range 3 {
		var sizes [][]float64
		for len(sizes) < 120 {
			a := 380 + rng.IntN(111)
			b := 250 + rng.IntN((1000-a)/2-249)
			sizes = append(sizes, []float64{float64(a)}, []float64{float64(b)}, []float64{float64(1000 - a - b)})
		}
		if got := slotsOf(t, items(1, 1000, sizes...), 1000); got > 41 {
			t.Errorf("triplets %d: %v bins for 40", n, got)
		}
		sizes, sum := nil, 0
		for len(sizes) < 120 {
			size := 20 + rng.IntN(81)
			sizes, sum = append(sizes, []float64{float64(size)}), sum+size
		}
		if got, least := slotsOf(t, items(1, 150, sizes...), 1000), (sum+149)/150; got != float64(least) {
			t.Errorf("uniform %d: %v bins, the sizes add up to %d", n, got, least)
		}
	}
}

// Two slots of two servers hold eight tasks of two resources that fit in pairs only, and sizes whose sum is rounded.
func TestBinsOfSeveralServers(t *testing.T) {
	var sizes [][]float64
	for i := range 4 {
		x := float64(i+1) / 10
		sizes = append(sizes, []float64{x, 1 - x}, []float64{1 - x, x})
	}
	if got := slotsOf(t, items(2, 1, sizes...), 1); got != 2 {
		t.Errorf("%v slots for 2", got)
	}
	if got := slotsOf(t, items(1, 0.3, []float64{0.1}, []float64{0.2}, []float64{0}, []float64{0.3}), 1); got != 2 {
		t.Errorf("%v slots for 2", got)
	}
}
