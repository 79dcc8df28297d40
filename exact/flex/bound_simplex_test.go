package flex

import (
	"math"
	"testing"
)

// A row of which rounding left nothing but a trace cannot be mended by it: there is no point, and not one at 5·10⁹.
func TestNoPivotOnTraces(t *testing.T) {
	d := newDictionary([]float64{1, 1})
	d.add([]float64{1e-10, -1}, 0.5, true)
	if end := d.optimize(t.Context(), math.Inf(1)); end != noPoint {
		t.Errorf("ended as %v with the value %v, want no point", end, d.value)
	}
	// A trace that is violated by no more than rounding is no contradiction either.
	d = newDictionary([]float64{1, 1})
	d.add([]float64{1e-12, -1}, 1e-10, true)
	if end := d.optimize(t.Context(), math.Inf(1)); end != solved || d.value != 0 {
		t.Errorf("ended as %v with the value %v, want solved at 0", end, d.value)
	}
}
