package speculation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
)

// A copy runs from its slot's start for its copy time; a front is drawn by its best point.
func TestChart(t *testing.T) {
	in := &Instance{
		Stragglers: []Straggler{{ID: "s", Finish: 10}, {ID: "t", Finish: 10}},
		Slots:      []Slot{{ID: "v", Start: 1}},
		CopyTime:   [][]float64{{5}, {2}},
	}
	want := models.Chart{Axis: "time", Bars: []models.Bar{{Lane: "v", Label: "copy of t", Job: "t", Start: 1, End: 3, Amount: 1}}}
	// The savings are 10−(1+5) = 4 for s and 10−(1+2) = 7 for t.
	front := []Point{{Time: 4, Assign: Matching{0, None}}, {Time: 7, Assign: Matching{None, 0}}}
	for _, s := range []Solution{{Assign: Matching{None, 0}}, {Front: front}} {
		if d := cmp.Diff(want, chart(in, s)); d != "" {
			t.Error(d)
		}
	}
}
