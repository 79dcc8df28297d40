package kernel_test

import (
	"slices"
	"testing"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
	"schedgap/models/fail"
)

// listed is two jobs on three servers, two of which are alike. Of the two resources the first decides. The second job is a chain of three
// phases.
func listed() *cloning.Instance {
	phase := func(tasks int, demand, mean float64, parents ...int) cloning.Phase {
		return cloning.Phase{Tasks: tasks, Demand: []float64{demand, 1}, Mean: mean, Speedup: []float64{1, 2, 3}, Parents: parents}
	}
	return &cloning.Instance{
		Resources: []string{"cpu", "mem"}, MaxCopies: 3, MaxCopiesPerServer: 2,
		Servers: []cloning.Server{{Capacity: []float64{4, 16}}, {Capacity: []float64{8, 16}}, {Capacity: []float64{4, 16}}},
		Jobs: []cloning.Job{
			{Arrival: 2, Phases: []cloning.Phase{phase(2, 3, 5)}},
			{Arrival: 5, Phases: []cloning.Phase{phase(1, 1, 4), phase(3, 8, 2, 0), phase(1, 2, 1, 1)}},
		},
	}
}

// By hand: what a listing says of copies, slots, and phases that are counted through all jobs.
func TestListing(t *testing.T) {
	v := kernel.List(listed())
	for k, want := range [][4]int{{3, 3, 2, 5}, {3, 3, 2, 4}, {1, 1, 2, 2}, {3, 1, 1, 1}} {
		ph := &v.Phases[k]
		if got := [4]int{ph.Useful, ph.Most, ph.Least, ph.Alone}; got != want {
			t.Errorf("phase %d: %v, want %v", k, got, want)
		}
	}
	if !slices.Equal(v.Phases[2].Preds, []int{1}) || !slices.Equal(v.Phases[3].Preds, []int{2}) || !slices.Equal(v.Order, []int{0, 1, 2, 3}) {
		t.Errorf("parents %v and %v, order %v", v.Phases[2].Preds, v.Phases[3].Preds, v.Order)
	}
	if got := v.Serial(); got != 5+2*5+4+3*2+1 {
		t.Errorf("serial %d", got)
	}
	if got := v.Holds([]float64{2, 1}); got != 2*2+4 {
		t.Errorf("the servers hold %d copies of 2", got)
	}
	if got := v.Holds([]float64{8, 1}); got != 1 {
		t.Errorf("the servers hold %d copies of 8", got)
	}
	head, tail := v.Paths([]int{5, 4, 6, 1})
	if !slices.Equal(head, []int{2, 5, 9, 15}) || !slices.Equal(tail, []int{0, 7, 1, 0}) {
		t.Errorf("heads %v, tails %v", head, tail)
	}
	for mean, most := range map[float64]int{1: 1, 2: 2, 2.5: 3, 4: 4} { // copies with which a task takes one slot
		if got := kernel.List(of(1, 4, jobOf(0, 1, mean, 1, 2, 3, 4))).Phases[0]; got.Most != most || got.Least != 1 || got.Useful != 4 {
			t.Errorf("%v slots: %d of %d copies, %d slots", mean, got.Most, got.Useful, got.Least)
		}
	}
	head, tail = kernel.List(of(1, 1, chain(3, 1, 1))).Paths([]int{1, 2, 4})
	if !slices.Equal(head, []int{0, 1, 3}) || !slices.Equal(tail, []int{6, 4, 0}) {
		t.Errorf("of a chain heads %v, tails %v", head, tail)
	}
}

// By hand: what is free on each server, and copies of the second job by task and server.
func TestRooms(t *testing.T) {
	in := listed()
	sp, err := kernel.New(in, true)
	fail.On(t, err)
	empty := sp.Rooms()
	if empty.Fit(2, 0, 1) || !empty.Fit(2, 1, 1) || empty.Fit(2, 1, 2) {
		t.Error("a copy of 8 fits on the server of 8 only, once")
	}
	held := empty.Clone()
	held.Hold(1, &kernel.Graph{Phase: []int{0, 1, 1, 1, 2}}, []uint8{2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0})
	if empty.Fit(3, 0, 3) || held.Fit(3, 0, 2) || !held.Fit(3, 0, 1) || !held.Fit(3, 1, 2) || held.Fit(3, 1, 3) || held.Fit(3, 2, 2) {
		t.Errorf("free %v of %v", held.Free, empty.Free)
	}
	for s, job := range []struct{ arrival, from, to int }{{0, 0, 1}, {3, 1, 4}} {
		if got := sp.Jobs[s]; got != (kernel.Job{Arrival: job.arrival, From: job.from, To: job.to}) {
			t.Errorf("job %d: %v", s, got)
		}
	}
	if sp.Horizon != 3+2*5+4+3*2+1 {
		t.Errorf("horizon %d", sp.Horizon)
	}
	if !slices.Equal(sp.Apart, []uint64{0, 0b1100, 0b1010, 0b0110}) {
		t.Errorf("apart %b", sp.Apart)
	}
}
