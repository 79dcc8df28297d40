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
