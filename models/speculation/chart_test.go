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
	for _, m := range []Matching{{None, 0}, {1, 0, 0}} { // also with what the instance does not have
		if d := cmp.Diff(want, chart(in, Solution{Assign: m})); d != "" {
			t.Errorf("%v: %s", m, d)
		}
	}
	if m := encodeMatching(in, Matching{1, None, 0}); len(m) > 0 {
		t.Errorf("written: %v", m)
	}
}

// Of two stragglers and three slots, a helps on u alone, b nowhere: one pair of six.
func TestFeatures(t *testing.T) {
	in := &Instance{
		EnergyWeight: 2,
		Stragglers:   []Straggler{{ID: "a", Finish: 10, Power: 1}, {ID: "b", Finish: 1, Power: 1}},
		Slots:        []Slot{{ID: "u"}, {ID: "v", Power: 10}, {ID: "w", Start: 9}},
		CopyTime:     [][]float64{{4, 4, 1}, {1, 2, 3}},
	}
	want := map[string]any{"energy_weight": 2.0, "slots_per_straggler": 1.5, "helping_share": 1.0 / 6}
	if d := cmp.Diff(want, features(in)); d != "" {
		t.Error(d)
	}
	want = map[string]any{"energy_weight": 0.0, "slots_per_straggler": 0.0, "helping_share": 0.0}
	if d := cmp.Diff(want, features(&Instance{Stragglers: in.Stragglers, CopyTime: make([][]float64, 2)})); d != "" {
		t.Error(d)
	}
}
