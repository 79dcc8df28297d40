package library

import (
	"math"
	"testing"

	"schedgap/models/fail"
)

// A bound closes an entry by the definition of optimal, however large the scale of its distances is, and one that closes it follows
// a bound that does not.
func TestClosed(t *testing.T) {
	number := func(v float64) *float64 { return &v }
	for _, c := range []struct {
		problem, sense      string
		scale               float64
		value, bound        float64
		closed, contradicts bool
	}{
		{"flex", "min", 15.6, 10.963034978978936, 10.963034965677418, false, false}, // 1.2e-9 of the value
		{"flex", "min", 15.6, 10.963034978978936, 10.9630349789756, true, false},
		{"flex", "min", 1e9, 1, 1 - 1e-3, false, false},
		{"flex", "min", 1e9, 1, 1 + 1e-3, false, true},
		{"flex", "min", 1, 0, 0, true, false},
		{"flex", "min", 1, 1e-10, 0, false, false},
		{"pocd", "max", 100, -1e-8, 0, false, false},
		{"cloning", "min", 0, 1 << 40, 1<<40 - 1, false, false},
	} {
		e := &Entry{ID: "one", Instance: &Instance{Problem: c.problem, Sense: c.sense, Scale: c.scale}}
		fail.On(t, e.Add(Event{Event: Solution, Value: number(c.value)}))
		err := e.Add(Event{Event: Proof, Kind: "tree", Bound: number(c.bound)})
		if (err != nil) != c.contradicts || e.Closed() != c.closed {
			t.Errorf("%+v: closed %v, %v", c, e.Closed(), err)
		}
		if err == nil && !c.closed {
			if err := e.Add(Event{Event: Proof, Kind: "tree", Bound: number(c.value)}); err != nil || !e.Closed() {
				t.Errorf("%+v: the value as the bound: closed %v, %v", c, e.Closed(), err)
			}
		}
	}
}

// The gap of an entry without a scale is a share of its value, tiny values included.
func TestGap(t *testing.T) {
	number := func(v float64) *float64 { return &v }
	for _, c := range []struct{ value, bound, want float64 }{{4e-12, 3e-12, 0.25}, {4e12, 3e12, 0.25}, {4, 4, 0}} {
		e := &Entry{ID: "one", Instance: &Instance{Problem: "flex", Sense: "min"}}
		for _, event := range []Event{{Event: Solution, Value: number(c.value)}, {Event: Proof, Kind: "tree", Bound: number(c.bound)}} {
			fail.On(t, e.Add(event))
		}
		if gap := e.Gap(); gap == nil || math.Abs(*gap-c.want) > 1e-12 {
			t.Errorf("%+v: %v", c, *gap)
		}
	}
}
