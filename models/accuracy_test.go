package models_test

import (
	"math"
	"testing"

	"schedgap/models"
)

// TestProves: what is optimal, and what is not, at both edges of what is allowed.
func TestProves(t *testing.T) {
	for _, c := range []struct {
		name            string
		least, rounding float64
		value, bound    float64
		optimal         bool
	}{
		{"equal", 0, 0, 5, 5, true},
		{"a billionth of the value", 0, 0, 2, 2 - 1.9e-9, true},
		{"more", 0, 0, 2, 2 - 2.1e-9, false},
		{"an upper bound", 0, 0, 2, 2 + 1.9e-9, true},
		{"a small value is no excuse", 0, 0, 3.001e-6, 3e-6, false},
		{"and none is 0 alone", 0, 0, 0, -5e-324, false},
		{"nothing near 0", 0, 0, 0, 0, true},
		{"near 0 by the least amount", 1e-3, 0, 0, -0.9e-12, true},
		{"not farther", 1e-3, 0, 0, -1.1e-12, false},
		{"the least amount is not in the way of values", 1e-3, 0, 1e6, 1e6 - 1e-4, true},
		{"rounding", 0, 0x1p-50 * 1e12, 27, 26.9992, true},
		{"beyond rounding", 0, 0x1p-50 * 1e12, 27, 26.999, false},
		{"rounding that loses the value is no excuse", 0, 1e3, 27, 10, false},
		{"but a thousandth", 0, 1e3, 27, 26.98, true},
		{"whole numbers", 0, 0, 0x1p40, 0x1p40 - 1, false},
		{"infinite", 0, 0, math.Inf(1), math.Inf(1), false},
		{"an infinite bound", 1, 1, 5, math.Inf(-1), false},
		{"no number", 1, 1, math.NaN(), 1, false},
	} {
		a := models.Accuracy{Least: c.least, Rounding: c.rounding, Whole: c.name == "whole numbers"}
		gap, optimal := a.Proves(c.value, c.bound)
		if optimal != c.optimal || gap != c.value-c.bound && !math.IsNaN(c.value-c.bound) {
			t.Errorf("%s: gap %v, optimal %v", c.name, gap, optimal)
		}
		if optimal && math.Abs(gap) > a.Allowed(c.value) {
			t.Errorf("%s: optimal beside a gap of %v, and %v are allowed", c.name, gap, a.Allowed(c.value))
		}
	}
	for _, c := range []struct{ least, value, bound, gap float64 }{
		{0, 2, 1, 0.5},
		{0, 2e-12, 1e-12, 0.5},
		{1e-3, 0, -1e-6, 1e-3},
		{0, 0, -1, math.MaxFloat64},
		{0, 0, 0, 0},
		{1, -4, -3, 0.25},
	} {
		if gap := (models.Accuracy{Least: c.least}).Gap(c.value, c.bound); gap != c.gap {
			t.Errorf("%+v: gap %v", c, gap)
		}
	}
	for _, c := range []struct {
		least, rounding, x, y float64
		near                  bool
	}{
		{0, 0, 1e-9, 1.000001e-9, true},
		{0, 0, 1e-9, 1.00001e-9, false},
		{1, 0, 1e-9, 2e-9, true},
		{0, 1e-4, 27, 27.0001, true},
		{0, 1, 1, 1.5, false},
		{0, 0, math.Inf(1), 1, false},
		{1, 1, math.NaN(), 1, false},
	} {
		if a := (models.Accuracy{Least: c.least, Rounding: c.rounding}); a.Near(c.x, c.y) != c.near || a.Near(c.y, c.x) != c.near {
			t.Errorf("%+v", c)
		}
	}
	if a := (models.Accuracy{Amount: 1}); !a.Near(1e-9, 2e-9) || a.Gap(1e-9, 2e-9) != 1e-9 || a.Same(1e-9, 1.1e-9) {
		t.Error("the amount measures numbers near 0, and proves nothing")
	}
	if a := (models.Accuracy{}); !a.Same(1, 1+0.9e-9) || !a.Same(1+0.9e-9, 1) || a.Same(0, 1e-300) {
		t.Error("the same value is the same either way, and nothing is the same as 0")
	}
}
