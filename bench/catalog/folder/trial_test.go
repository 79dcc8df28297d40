package folder

import (
	"testing"

	"schedgap/bench"
	"schedgap/models"
)

// TestBeyond: a value is beyond an optimum by its own size, however small values are, and by rounding where the optimum is 0.
func TestBeyond(t *testing.T) {
	for _, c := range []struct {
		value, limit, largest float64
		want                  bool
	}{
		{1e-12, 2e-12, 3e-12, true},
		{1e-8, 2e-8, 1e-7, true},
		{2e-12, 1e-12, 3e-12, false},
		{1e12, 1e12 + 1e3, 1e12, false},
		{1e12, 1.001e12, 1e12, true},
		{1, 1 + 1e-7, 1, false},
		{0, 1e-17, 1, false}, // what rounding leaves of terms of 1
		{0, 1e-9, 1, true},
	} {
		one := &Trial{problem: &bench.Problem{Sense: models.Minimize}}
		all := &compared{trial: one, instance: &bench.Instance{}, values: []claim{{value: c.value}, {value: c.largest}}}
		if got := one.beyond(all.accuracy(), c.value, c.limit); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
