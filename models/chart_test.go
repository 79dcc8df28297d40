package models_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/models"
	"schedgap/models/trials/property"
)

// Bars that overlap lie above each other, as low as they fit: c under b once a has ended, and d beside them on its own lane.
func TestStack(t *testing.T) {
	got := models.Chart{Bars: []models.Bar{
		{Label: "a", Start: 0, End: 2, Amount: 0.5},
		{Label: "b", Start: 1, End: 4, Amount: 0.25},
		{Label: "c", Start: 2, End: 3, Amount: 0.5},
		{Label: "d", Start: 3, End: 4, Amount: 0.625},
		{Label: "e", Start: 0, End: 4, Amount: 0.75, Lane: "other"},
	}}.Stack()
	want := models.Stack{Below: []float64{0, 0.5, 0, 0.75, 0}, Height: 1.375, Levels: 2}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// No bar is drawn over another, and every lane is high enough.
func TestStackSeparatesBars(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		var c models.Chart
		for i := range rapid.IntRange(0, 30).Draw(t, "bars") {
			start := float64(rapid.IntRange(0, 9).Draw(t, "start"))
			c.Bars = append(c.Bars, models.Bar{
				Lane: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "lane"), Label: fmt.Sprint(i), Start: start,
				End:    start + float64(rapid.IntRange(1, 5).Draw(t, "length")),
				Amount: rapid.Float64Range(0.01, 1).Draw(t, "amount"),
			})
		}
		s := c.Stack()
		for i, a := range c.Bars {
			if s.Below[i] < 0 || s.Below[i]+a.Amount > s.Height {
				t.Fatalf("bar %d lies from %g to %g of %g", i, s.Below[i], s.Below[i]+a.Amount, s.Height)
			}
			for j, b := range c.Bars[:i] {
				together := a.Lane == b.Lane && a.Start < b.End && b.Start < a.End
				if together && s.Below[i]+a.Amount > s.Below[j]+1e-8 && s.Below[j]+b.Amount > s.Below[i]+1e-8 {
					t.Fatalf("bars %d and %d are drawn over each other", i, j)
				}
			}
		}
	})
}
