package flex

import (
	"slices"
	"testing"

	"schedgap/models/fail"
	"schedgap/models/flex"
)

// A model is of the grid that it was stated on: solvers that fail on a later relaxation get the first one.
func TestIntervalsKeepTheirGrid(t *testing.T) {
	in := &flex.Instance{Slots: 3, Objective: flex.Objective{Metric: flex.Response, Aggregate: flex.Sum}}
	for j, work := range []float64{2, 2, 7, 7} {
		in.Jobs = append(in.Jobs, flex.Job{ID: string(rune('a' + j)), Work: work, Min: 1, Max: 1 + 2*(j/2), Weight: 1})
	}
	s := flex.NewPacker(in).Pack([]int{0, 1, 2, 3})
	v := newIntervals(in)
	m := v.model(true)
	before, err := m.encode(s)
	fail.On(t, err)
	grid := slices.Clone(v.grid)
	for k := range 50 {
		v.refine(float64(k)/50, gridStep)
	}
	after, err := m.encode(s)
	if err != nil || !slices.Equal(before, after) || slices.Equal(grid, v.grid) {
		t.Fatalf("%v, %v: %v", before, after, err)
	}
}
