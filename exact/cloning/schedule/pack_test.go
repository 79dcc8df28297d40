package schedule

import (
	"math/rand/v2"
	"testing"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/fail"
)

// What fits has a place in whatever order it is named: the search for one is cut short, and another order of the same copies
// could come to that. So a schedule of fitting slots was once proven optimal and then lost copies.
func TestPlaceInAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 1))
	in := &cloning.Instance{Resources: []string{"a", "b", "c"}, MaxCopies: 3, MaxCopiesPerServer: 3}
	for _, c := range [][]float64{{0.3, 0.5, 0.5}, {0.3, 0.3, 0.3}, {0.7, 1, 1}, {1, 1, 1}} {
		in.Servers = append(in.Servers, cloning.Server{Capacity: c})
	}
	job := cloning.Job{}
	for _, d := range [][]float64{
		{0, 0.15, 0.1},
		{0.2, 0.2, 0.1},
		{0.075, 0.3, 0.3},
		{1, 0.5, 0.5},
		{0.2, 0.1, 0.15},
		{0.1, 0.3, 0.15},
		{0.03, 0, 0.03},
	} {
		job.Phases = append(job.Phases, cloning.Phase{Tasks: 3, Demand: d, Mean: 4, Speedup: []float64{1, 1.5, 1.75}})
	}
	in.Jobs = []cloning.Job{job}
	sp, err := kernel.New(in, false)
	fail.On(t, err)
	sp.Steps = MaxPackSteps
	fitting := 0
	for range 3000 {
		var list []kernel.Copies
		for range 6 + rng.IntN(6) {
			k := rng.IntN(len(job.Phases))
			list = append(list, kernel.Copies{Phase: k, N: 1 + rng.IntN(len(sp.Phases[k].Gain))})
		}
		set := sp.Empty
		for _, c := range list {
			set = sp.With(set, sp.Item(c.Phase, c.N))
		}
		if set == nil {
			continue
		}
		fitting++
		placed := make([]int, len(list))
		if !sp.Place(list, func(i, _ int) { placed[i]++ }) {
			t.Fatalf("%v fits and finds no place", list)
		}
		for i, n := range placed {
			if n != list[i].N {
				t.Fatalf("%v: %d copies of demand %d have a place", list, n, i)
			}
		}
	}
	if fitting == 0 {
		t.Fatal("nothing fits")
	}
}
