package cloning

import (
	"math"
	"testing"

	"schedgap/exact/verify/core"
	"schedgap/models/trials"
)

// TestCheapestSlots: by hand, what a task pays for in the cheapest slots of a window: prices of 3 until 2 and of 1 until 4, then nothing.
func TestCheapestSlots(t *testing.T) {
	for _, c := range []struct {
		from, to       int64
		units, profile int64
	}{
		{0, 4, 4*1 + 1*3, (1 + 1 + 3) + 1}, // 5 units of 2 copies a slot; 3 slots, one of which has 2 copies
		{1, 4, 4*1 + 1*3, (1 + 1 + 3) + 1},
		{1, 5, 2*0 + 3*1, (0 + 1 + 1) + 0},
		{2, 9, 0, 0},
		{5, 8, 0, 0},
		{0, 3, 2*1 + 3*3, (1 + 3 + 3) + 1},
	} {
		w := cheapestSlots{
			Effort: &core.Effort{}, Need: &Need{Gain: []float64{1, 1}, Units: 5},
			price: []int64{3, 1}, order: []int{1, 0}, grid: []int{0, 2, 4}, from: c.from, to: c.to,
		}
		if units, profile := w.units(), w.profile([]int{3, 1}); units != c.units || profile != c.profile {
			t.Errorf("from %d to %d: %d for units, %d for a profile; want %d and %d", c.from, c.to, units, profile, c.units, c.profile)
		}
	}
}

// TestMinFlowtime: the search for the cheapest ends of two phases against all of them; wider windows cost no more.
func TestMinFlowtime(t *testing.T) {
	rng := trials.Rand(t, 57, 4)
	falling := func() []int64 {
		list := make([]int64, 24)
		v := int64(100)
		for i := range list {
			list[i] = v
			v = max(0, v-rng.Int64N(20))
		}
		return list
	}
	for range trials.Count(2000) {
		one, two := falling(), falling()
		span, slot, arrival := 1+rng.Int64N(3), 1+rng.Int64N(6), rng.Int64N(3)
		turn0, turn1, end0, end1 := rng.Int64N(6), 6+rng.Int64N(6), rng.Int64N(8), 8+rng.Int64N(8)
		s := minFlowtime{
			Effort: &core.Effort{}, slot: slot, arrival: arrival, best: never,
			first:  func(turn int64) int64 { return one[turn] },
			second: func(turn, end int64) int64 { return two[end-turn] },
		}
		s.search(turn0, turn1, end0, end1, span)
		want := int64(math.MaxInt64)
		for turn := turn0; turn <= turn1; turn++ {
			for end := max(end0, turn+span); end <= end1; end++ {
				want = min(want, (end-arrival)*slot+one[turn]+two[end-turn])
			}
		}
		if s.best != want {
			t.Fatalf("%d, want %d", s.best, want)
		}
	}
}
