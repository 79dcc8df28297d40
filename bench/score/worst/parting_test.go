package worst

import (
	"strings"
	"testing"

	"schedgap/models"
)

// TestPart: the first span in which two schedules differ, in words; how bars are cut into pieces makes no difference.
func TestPart(t *testing.T) {
	flex := func(bars ...models.Bar) models.Chart { return models.Chart{Axis: "time", Bars: bars} }
	a := func(from, to, slots float64) models.Bar {
		return models.Bar{Lane: "a", Label: "slots", Start: from, End: to, Amount: slots}
	}
	b := func(from, to, slots float64) models.Bar {
		return models.Bar{Lane: "b", Label: "slots", Start: from, End: to, Amount: slots}
	}
	copied := func(lane string, clone bool, from, to float64) models.Bar {
		label := "J/p task 0"
		if clone {
			label += ", copy 2"
		}
		return models.Bar{Lane: lane, Label: label, Job: "J", Start: from, End: to, Amount: 0.4, Clone: clone}
	}
	for _, c := range []struct {
		own, best models.Chart
		at        float64 // -1: they are the same, -2: no time
		says      string
	}{
		{flex(a(0, 2, 1), b(0, 2, 1)), flex(a(0, 1, 1), b(0, 2, 1), a(1, 2, 1)), -1, ""},
		{
			flex(a(0, 4, 1), b(0, 2, 1)), flex(a(0, 1, 1), b(0, 2, 1), a(1, 2, 3)), 1,
			"Up to 1 they are the same; then x runs a: 1 slots, the optimum a: 3 slots.",
		},
		{flex(a(0, 1, 2), b(1, 2, 2)), flex(b(0, 1, 2), a(1, 2, 2)), 0, "at the beginning: x runs a: 2 slots, the optimum b: 2 slots."},
		{
			models.Chart{Axis: "slots", Bars: []models.Bar{copied("s1", false, 0, 8)}},
			models.Chart{Axis: "slots", Bars: []models.Bar{copied("s2", false, 0, 6), copied("s1", true, 0, 6)}},
			0, "x runs none of that, the optimum J/p task 0, copy 2.",
		},
		{
			models.Chart{Axis: "extra copies", Bars: []models.Bar{{Lane: "j", Label: "task 1", Start: 0, End: 2, Amount: 1}}},
			models.Chart{Axis: "extra copies", Bars: []models.Bar{{Lane: "j", Label: "task 2", Start: 0, End: 3, Amount: 1}}},
			-2, "x has 2 extra copies of task 1 of j; the optimum 3 extra copies of task 2 of j.",
		},
	} {
		p := part(c.own, c.best, "x", "the optimum")
		switch {
		case c.at == -1:
			if p != nil {
				t.Errorf("they are the same: %s", p.Text)
			}
		case p == nil || !strings.Contains(p.Text, c.says) || (p.At == nil) != (c.at == -2) || p.At != nil && *p.At != c.at:
			t.Errorf("%+v, want %v, %s", p, c.at, c.says)
		}
	}
}
