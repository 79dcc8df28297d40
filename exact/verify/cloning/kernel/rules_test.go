package kernel_test

import (
	"math/big"
	"testing"

	"schedgap/exact/verify/cloning/kernel"
	"schedgap/models/cloning"
)

// By hand, what a task of 5 units has a use for, whose slots bring 1, 3 or 4 units: at 1 the third copy ends it exactly, at 2 the second.
func TestUse(t *testing.T) {
	ph := kernel.Phase{Need: 5, Gain: []int64{1, 3, 4}}
	for progress, want := range []int{3, 3, 2, 2, 1, 0, 0} {
		if got := ph.Use(int64(progress)); got != want {
			t.Errorf("at %d of 5: %d copies, want %d", progress, got, want)
		}
	}
}

// By hand, rounding of fractions at whole numbers and at the limit of 2^62.
func TestWhole(t *testing.T) {
	const most = 1 << 62
	for _, c := range []struct{ num, denom, down, up int64 }{
		{0, 1, 0, 0},
		{1, 3, 0, 1},
		{6, 3, 2, 2},
		{7, 3, 2, 3},
		{most - 1, 1, most - 1, most - 1},
		{most, 1, most, most},
		{most + 1, 1, most, most},
	} {
		r := big.NewRat(c.num, c.denom)
		if down, up := kernel.Whole(r, false), kernel.Whole(r, true); down != c.down || up != c.up {
			t.Errorf("%v: %d and %d, want %d and %d", r, down, up, c.down, c.up)
		}
	}
	if got := kernel.Whole(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 70)), false); got != most {
		t.Errorf("2^70: %d, want 2^62", got)
	}
}

// A phase may begin when its job arrives or a parent has just ended, whose bit is its number modulo 64.
func TestFresh(t *testing.T) {
	sp := kernel.Space{Jobs: []kernel.Job{{Arrival: 3}}, Phases: []kernel.Phase{{}, {Parents: []int{65}}}}
	for _, c := range []struct {
		phase, now int
		ended      uint64
		want       bool
	}{
		{0, 3, 0, true},
		{0, 4, 1 << 1, false},
		{1, 4, 1 << 1, true},
		{1, 4, 1 << 0, false},
		{1, 4, 1 << 2, false},
	} {
		if got := sp.Fresh(c.phase, c.now, c.ended); got != c.want {
			t.Errorf("phase %d at %d after %b: %v", c.phase, c.now, c.ended, got)
		}
	}
}

// Time moves by the first arrival, back and forth, and what was given stays as it is.
func TestOrigin(t *testing.T) {
	in := &cloning.Instance{Jobs: []cloning.Job{{Arrival: 7}, {Arrival: 4}}}
	moved, origin := kernel.FromFirst(in)
	if origin != 4 || moved.Jobs[0].Arrival != 3 || moved.Jobs[1].Arrival != 0 || in.Jobs[0].Arrival != 7 {
		t.Errorf("from %d: %v, before %v", origin, moved.Jobs, in.Jobs)
	}
	s := cloning.Solution{Copies: []cloning.Copy{{Start: 1, End: 3}}}
	later := kernel.Later(s, origin)
	if c := later.Copies[0]; c.Start != 5 || c.End != 7 || s.Copies[0].Start != 1 {
		t.Errorf("later by 4: %v, before %v", later.Copies, s.Copies)
	}
}

// By hand, slots for an amount at a rate, on both sides of a multiple.
func TestSlots(t *testing.T) {
	for _, c := range [][3]int64{{1, 3, 1}, {3, 3, 1}, {4, 3, 2}, {6, 3, 2}, {7, 3, 3}, {7, 1, 7}} {
		if got := kernel.Slots(c[0], c[1]); got != c[2] {
			t.Errorf("%d at %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
