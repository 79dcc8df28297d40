package flex

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
)

// A change of slots ends a bar and begins another; an interval without changes lengthens it.
func TestChart(t *testing.T) {
	in := &Instance{Slots: 3, Jobs: []Job{{ID: "a"}, {ID: "b"}}}
	got := chart(in, Schedule{
		{Start: 0, End: 1, Changes: []Share{{0, 2}, {1, 1}}},
		{Start: 1, End: 2},
		{Start: 2, End: 2, Changes: []Share{{0, 3}}}, // no length, no bar
		{Start: 2, End: 5, Changes: []Share{{0, 0}, {1, 3}}},
	})
	want := models.Chart{Axis: "time", Bars: []models.Bar{
		{Lane: "a", Label: "slots", Start: 0, End: 2, Amount: 2},
		{Lane: "b", Label: "slots", Start: 0, End: 2, Amount: 1},
		{Lane: "b", Label: "slots", Start: 2, End: 5, Amount: 3},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
