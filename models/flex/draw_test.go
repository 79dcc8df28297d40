package flex_test

import (
	"math"
	"testing"

	"schedgap/models/flex"
)

// Values keep five significant digits of what they are measured against.
func TestExponent(t *testing.T) {
	for size, want := range map[float64]int{100: -2, 1000: -1, 999: -2, 0.1: -5, 1e-6: -10, 5.5: -4, 1e12: 8} {
		if got := flex.Exponent(size); got != want {
			t.Errorf("Exponent(%v) = %d, want %d", size, got, want)
		}
	}
	if got := flex.RoundTo(math.Pi*100, flex.Exponent(100)); got != 314.16 {
		t.Errorf("rounded to %v, want 314.16", got)
	}
}
