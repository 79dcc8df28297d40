package models_test

import (
	"testing"

	"schedgap/models"
)

// TestSameIn: values near 0 are one only within the instance's scale, which is never taken for more than 1.
func TestSameIn(t *testing.T) {
	for _, c := range []struct {
		scale, a, b float64
		same        bool
	}{
		{1, 0, 9e-10, true},
		{1, 0, 2e-9, false},
		{1e6, 0, 2e-9, false},
		{1e6, 1e6, 1e6 + 9e-4, true},
		{1e-12, 5.58e-14, 7.24e-15, false},
		{1e-12, 0, 1e-22, true},
		{0, 5.445e-12, 5.376e-12, false},
		{0, 5e-12, 5e-12 * (1 + 1e-10), true},
		{0, 0, 0, true},
	} {
		if got := models.SameIn(c.scale, c.a, c.b); got != c.same {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
