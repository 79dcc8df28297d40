package redundancy_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/redundancy"
	"schedgap/models/trials/property"
)

// At the weights k jobs earn k, and no other split of the machines earns more.
func TestWeights(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var speedup []float64
		gain, h := 1.0, 0.0
		for range rapid.IntRange(1, 5).Draw(t, "machines") {
			h += gain
			speedup = append(speedup, h)
			gain *= rapid.Float64Range(0, 1).Draw(t, "gain")
		}
		const n = 6
		w := redundancy.NewWeights(t.Context(), speedup, n)
		for k := 1; k <= n; k++ {
			earned := 0.0
			for i, c := range w.Split(k, 0) {
				earned += w.Y[k-1-i] * speedup[c-1]
			}
			if math.Abs(earned-float64(k)) > 1e-9 {
				t.Fatalf("%d jobs of weights %v earn %v", k, w.Y, earned)
			}
		}
	})
}

// The first jobs of a line earn most by the split that Split names, also with jobs behind them, against all splits.
func TestSplitOfTheFirst(t *testing.T) {
	h := []float64{1, 1.75, 2.25, 2.25}
	w := redundancy.NewWeights(t.Context(), h, 6)
	for n := 1; n <= 3; n++ {
		for behind := range 4 {
			var best func(i, machines int) float64
			best = func(i, machines int) float64 {
				if i == n {
					return 0
				}
				most := best(i+1, machines)
				for c := 1; c <= machines; c++ {
					most = max(most, w.Y[n+behind-1-i]*h[c-1]+best(i+1, machines-c))
				}
				return most
			}
			earned := 0.0
			for i, c := range w.Split(n, behind) {
				earned += w.Y[n+behind-1-i] * h[c-1]
			}
			if want := best(0, len(h)); math.Abs(earned-want) > 1e-9 {
				t.Errorf("%d jobs before %d earn %v, want %v", n, behind, earned, want)
			}
		}
	}
	if got := w.Split(1, 0); !slices.Equal(got, []int{3}) {
		t.Errorf("a job alone has %v of 4 machines, of which the last adds nothing", got)
	}
}

// Where a table misses being concave, all gains up to there are the larger one, and bounds hold with their sums.
func TestUpperOfATableThatIsNotConcave(t *testing.T) {
	w := redundancy.NewWeights(t.Context(), []float64{1, 1.25, 2, 2.5}, 1)
	if want := []float64{0, 1, 1.75, 2.5, 3}; !slices.Equal(w.Upper, want) {
		t.Errorf("upper %v, want %v", w.Upper, want)
	}
}

// Fewer machines a job: the table ends at what they do.
func TestRestrictions(t *testing.T) {
	in := &redundancy.Instance{Machines: 3, Multitasking: true, Speedup: []float64{1, 1.5, 1.75}}
	copies, sharing := redundancy.Restrictions[0], redundancy.Restrictions[1]
	for most, want := range [][]float64{1: {1, 1, 1}, 2: {1, 1.5, 1.5}, 3: {1, 1.5, 1.75}} {
		if most > 0 && !slices.Equal(copies.Narrow(in, most).Speedup, want) {
			t.Errorf("at most %d: %v, want %v", most, copies.Narrow(in, most).Speedup, want)
		}
	}
	if sharing.Narrow(in, 1).Multitasking || !sharing.Narrow(in, 2).Multitasking {
		t.Error("machines are shared by one job alone, or not by two")
	}
}

// Dates of 2^40 are 2^-12 apart, which is what each of two completions may be off.
func TestRoundingAndLoad(t *testing.T) {
	in := &redundancy.Instance{
		Machines: 4, Speed: 1, Speedup: []float64{1, 1, 1, 1},
		Jobs: []redundancy.Job{{ID: "a", Arrival: 0x1p40, Work: 3}, {ID: "b", Arrival: 0x1p40 + 2, Work: 5}},
	}
	if got := redundancy.Problem.Rounding(in); got != 2*0x1p-12 {
		t.Errorf("rounding %v", got)
	}
	if got := redundancy.Problem.Features(in)["load"]; got != 1.0 { // (3 + 5)/(4·2)
		t.Errorf("load %v", got)
	}
}
