package event_test

import (
	"math"
	"testing"

	"schedgap/datasets/event"
)

// Seconds become microseconds, and moments beyond the clock the special times.
func TestAt(t *testing.T) {
	for _, tc := range []struct {
		seconds float64
		want    event.Time
	}{
		{0, event.BeforeWindow},
		{-1, event.BeforeWindow},
		{math.NaN(), event.BeforeWindow},
		{math.Inf(1), event.AfterWindow},
		{1e15, event.AfterWindow},
		{600.0000014, 600_000_001},
		{.0000006, 1},
	} {
		if got := event.At(tc.seconds); got != tc.want {
			t.Errorf("At(%v) = %d, want %d", tc.seconds, got, tc.want)
		}
	}
	for _, special := range []event.Time{event.Never, event.BeforeWindow, event.AfterWindow} {
		if special.Inside() {
			t.Errorf("%d is inside the trace", special)
		}
	}
	if at := event.At(70_756.165077); at.Seconds() != 70_756.165077 || !at.Inside() {
		t.Errorf("%v", at)
	}
}

// Every kind has a name of its own, and exactly five end a run or a wait.
func TestKinds(t *testing.T) {
	seen, ends := map[string]bool{}, 0
	for k := range event.Kinds {
		seen[event.Kind(k).String()] = true
		if event.Kind(k).Ends() {
			ends++
		}
	}
	for k := range event.MachineKinds {
		seen["machine "+event.MachineKind(k).String()] = true
	}
	if len(seen) != event.Kinds+event.MachineKinds || ends != 5 {
		t.Errorf("names %v, %d ends", seen, ends)
	}
}
