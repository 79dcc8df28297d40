package speculation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"schedgap/models"
)

// A copy runs from its slot's start for its copy time.
func TestChart(t *testing.T) {
	in := &Instance{
		Stragglers: []Straggler{{ID: "s", Finish: 10}, {ID: "t", Finish: 10}},
		Slots:      []Slot{{ID: "v", Start: 1}},
		CopyTime:   [][]float64{{5}, {2}},
	}
	want := models.Chart{Axis: "time", Bars: []models.Bar{{Lane: "v", Label: "copy of t", Job: "t", Start: 1, End: 3, Amount: 1}}}
	if d := cmp.Diff(want, chart(in, Solution{Assign: Matching{None, 0}})); d != "" {
		t.Error(d)
	}
}
