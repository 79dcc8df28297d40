package cloning

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
)

// A clone is drawn on its own server, as high as what it takes there, and says that it is one.
func TestChart(t *testing.T) {
	in := &Instance{
		Servers: []Server{{ID: "x", Capacity: []float64{4, 4, 0}}, {ID: "y", Capacity: []float64{2, 8, 0}}},
		Jobs:    []Job{{ID: "a", Phases: []Phase{{ID: "map", Tasks: 1, Demand: []float64{1, 2, 0}}}}},
	}
	got := chart(in, Solution{Copies: []Copy{{Server: 0, Start: 0, End: 3}, {Server: 1, Start: 1, End: 3}}})
	want := models.Chart{Axis: "slots", Bars: []models.Bar{
		{Lane: "x", Label: "a/map task 0", Job: "a", Start: 0, End: 3, Amount: 0.5},
		{Lane: "y", Label: "a/map task 0, copy 2", Job: "a", Start: 1, End: 3, Amount: 0.5, Clone: true},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
