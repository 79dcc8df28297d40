package pocd_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"schedgap/models/pocd"
	"schedgap/models/trials/property"
)

// Utilities of p = 1/4 by hand.
func TestUtility(t *testing.T) {
	for _, c := range []struct{ alpha, want float64 }{
		{0, 0.25},
		{0.5, 1},           // 2·√(1/4)
		{1, -2 * math.Ln2}, // ln 1/4
		{2, -4},            // −1/p
		{3, -8},            // −1/(2p²)
		{math.Inf(1), 0.25},
	} {
		near(t, "utility", pocd.Utility(c.alpha, math.Log(0.25)), c.want)
	}
	if u := pocd.Utility(0.5, math.Inf(-1)); u != 0 {
		t.Errorf("utility of p = 0 at α = 0.5 is %v", u)
	}
	if u := pocd.Utility(50, -100); u != -math.MaxFloat64 {
		t.Errorf("a utility below the range is %v", u)
	}
}

// Utility grows with p for every α.
func TestUtilityGrows(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		alpha := rapid.OneOf(rapid.Float64Range(0, 50), rapid.Just(1.0), rapid.Just(math.Inf(1))).Draw(t, "alpha")
		p := rapid.Float64Range(-10, -0.01).Draw(t, "ln p")
		if a, b := pocd.Utility(alpha, p), pocd.Utility(alpha, p*0.99); !(a < b) {
			t.Errorf("utility falls from %v to %v", a, b)
		}
	})
}

// The objectives of the shared instances without copies, by hand.
func TestValue(t *testing.T) {
	for _, c := range []struct {
		name string
		want float64
	}{
		{"example", 1 - math.Pow(0.35, 1.5)},
		{"halves", 1},                   // 1/2 + (1 − 25/50)
		{"not-concave", 0.45},           // 1/4 + (1 − 0.8)
		{"proportional", math.Log(.05)}, // ln 1/4 + ln 1/5
		{"max-min", 0.2},                // min(1/4, 1/5)
		{"hopeless-sum", math.Sqrt2},    // 0 + 0 + 2·√(1 − 50/100)
		{"hopeless-log", -math.Ln2},     // ln 1/2, the other jobs left out
		{"all-hopeless", 0},
		{"all-hopeless-max-min", 1},
		{"no-spare", -8. / 3}, // −1/p with p = 1/2·3/4
	} {
		in := shared(t, c.name)
		near(t, c.name, in.Value(pocd.NoCopies(in)), c.want)
	}
}

// A sum of utilities below the range of a float64 stays within it.
func TestValueSaturates(t *testing.T) {
	in := &pocd.Instance{Alpha: 50, Jobs: make([]pocd.Job, 3)}
	if v := in.Aggregate([]float64{-1000, -1000, -0.1}); v != -math.MaxFloat64 {
		t.Errorf("the objective is %v", v)
	}
}
