package redundancy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
)

// An allocation that goes on over an event is one bar; another number of copies begins a new one.
func TestChart(t *testing.T) {
	in := &Instance{Machines: 3, Jobs: []Job{{ID: "a"}, {ID: "b"}}}
	got := chart(in, Solution{Intervals: []Interval{
		{Start: 0, End: 1, Alloc: []Allocation{{0, 2, 1}, {1, 1, 0.5}}},
		{Start: 1, End: 3, Alloc: []Allocation{{0, 2, 1}}},
		{Start: 3, End: 4, Alloc: []Allocation{{0, 3, 1}}},
	}})
	want := models.Chart{Axis: "time", Bars: []models.Bar{
		{Lane: "a", Label: "machines", Start: 0, End: 3, Amount: 2},
		{Lane: "b", Label: "machines", Start: 0, End: 1, Amount: 0.5},
		{Lane: "a", Label: "machines", Start: 3, End: 4, Amount: 3},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
