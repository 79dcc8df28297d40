package lp_test

import (
	"math"
	"testing"

	"schedgap/exact/lp"
)

// A row of which rounding left nothing but a trace cannot be mended by it: there is no point, and not one at 5·10⁹.
func TestNoPivotOnTraces(t *testing.T) {
	d := lp.New[int]([]float64{1, 1})
	d.Add([]float64{1e-10, -1}, 0.5, true, 0)
	if end := d.Optimize(t.Context(), math.Inf(1)); end != lp.NoPoint {
		t.Errorf("ended as %v with the value %v, want no point", end, d.Value)
	}
	// A trace that is violated by no more than rounding is no contradiction either.
	d = lp.New[int]([]float64{1, 1})
	d.Add([]float64{1e-12, -1}, 1e-10, true, 0)
	if end := d.Optimize(t.Context(), math.Inf(1)); end != lp.Solved || d.Value != 0 {
		t.Errorf("ended as %v with the value %v, want solved at 0", end, d.Value)
	}
}

// A bound counts what its multipliers leave of the costs below 0, at the most that variables may be: by hand,
// min x₀ + x₁ − (2x₀ − x₁) for x ≤ 3 is −3.
func TestBoundOfNegativeCosts(t *testing.T) {
	d := lp.New[int]([]float64{1, 1})
	if b := d.BoundWith(nil, 1, []float64{2, -1}, []float64{3, 3}); b != -3 {
		t.Errorf("the bound is %v, want -3", b)
	}
}

// Numbers of 10⁻³ and less are coefficients, not traces: a row of them is pivoted on.
func TestSmallPivots(t *testing.T) {
	for _, a := range []float64{1e-3, 5e-4, 1e-6, 2e-9} {
		d := lp.New[int]([]float64{1})
		d.Add([]float64{a}, 1, true, 0)
		if end := d.Optimize(t.Context(), math.Inf(1)); end != lp.Solved || math.Abs(d.Value*a-1) > 1e-12 {
			t.Errorf("%v·x ≥ 1: ended as %v at %v, want %v", a, end, d.Value, 1/a)
		}
	}
}
