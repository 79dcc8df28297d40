package sim_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/models/flex"
	"schedgap/models/flex/sim"
	"schedgap/models/trials/property"
)

// Largest remainder, ties by order.
func TestRoundTargets(t *testing.T) {
	for _, c := range []struct {
		goals []float64
		slots int
		want  []int
	}{
		{[]float64{2, 3}, 5, []int{2, 3}},
		{[]float64{1.2, 1.7, 2.1}, 5, []int{1, 2, 2}},              // 4 whole ones, one left for .7
		{[]float64{10. / 3, 10. / 3, 10. / 3}, 10, []int{4, 3, 3}}, // equal remainders
		{[]float64{2.9999999999, 1}, 4, []int{3, 1}},               // rounding errors are not remainders
		{[]float64{0.5, 0.5, 0.5}, 9, []int{1, 1, 0}},              // 1.5 rounds to 2
		{[]float64{0, 0}, 9, []int{0, 0}},
	} {
		got := make([]int, len(c.goals))
		sim.RoundTargets(c.goals, c.slots, got)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%v: %s", c.goals, d)
		}
	}
}

// The pool's minimum is shared equally within the maxima, everyone getting a slot while there are slots.
func TestShareMinimum(t *testing.T) {
	for _, c := range []struct {
		maxima         []int
		slots, minimum int
		want           []int
	}{
		{[]int{9, 9, 9}, 10, 6, []int{2, 2, 2}},
		{[]int{9, 9, 9}, 10, 8, []int{3, 3, 2}},
		{[]int{1, 9, 9}, 10, 7, []int{1, 3, 3}}, // what the first cannot use goes to the others
		{[]int{9, 9, 9}, 10, 0, []int{1, 1, 1}},
		{[]int{9, 9, 9}, 2, 2, []int{1, 1, 0}}, // more jobs than slots
		{[]int{1, 2}, 10, 9, []int{1, 2}},
	} {
		jobs := make([]flex.Job, len(c.maxima))
		for j := range jobs {
			jobs[j].Max = c.maxima[j]
		}
		sim.ShareMinimum(jobs, c.slots, c.minimum)
		var got []int
		for _, j := range jobs {
			got = append(got, j.Min)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%v: %s", c, d)
		}
	}
}

// Minima add up to what the pool guarantees, as far as there is use for it, and two that differ by more than one differ by a
// maximum.
func TestShareMinimumFair(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		slots := rapid.IntRange(1, 60).Draw(t, "slots")
		minimum := rapid.IntRange(0, slots).Draw(t, "minimum")
		jobs := make([]flex.Job, rapid.IntRange(1, 20).Draw(t, "jobs"))
		use := 0
		for j := range jobs {
			jobs[j].Max = rapid.IntRange(1, min(slots, 15)).Draw(t, "max")
			use += jobs[j].Max
		}
		sim.ShareMinimum(jobs, slots, minimum)
		total := 0
		for _, a := range jobs {
			total += a.Min
			if a.Min < 0 || a.Min > a.Max {
				t.Fatalf("%+v", a)
			}
			for _, b := range jobs {
				if a.Min > b.Min+1 && b.Min < b.Max {
					t.Fatalf("one has %d, another only %d of %d", a.Min, b.Min, b.Max)
				}
			}
		}
		if want := max(min(len(jobs), slots), min(minimum, use)); total != want {
			t.Fatalf("minima add up to %d, want %d", total, want)
		}
	})
}
