package speculation_test

import (
	"context"
	"testing"

	heuristics "schedgap/heuristics/speculation"
	"schedgap/models/speculation"
)

// Three stragglers that end in a second and copies that take one: each looks at all four slots and takes none. With nine seconds
// to go each finds at the first that it may save something; then they choose among 4, 3 and 2 slots.
func TestLooks(t *testing.T) {
	for finish, want := range map[float64]int{1: 3 * 4, 9: 3*1 + 4 + 3 + 2} {
		in := &speculation.Instance{Slots: []speculation.Slot{{Power: 1}, {Power: 1}, {Power: 1}, {Power: 1}}}
		for range 3 {
			in.Stragglers = append(in.Stragglers, speculation.Straggler{Finish: finish, Power: 1, Progress: 0.5, Duration: 1})
			in.CopyTime = append(in.CopyTime, []float64{1, 1, 1, 1})
		}
		if got := heuristics.Looks(context.Background(), in, heuristics.DefaultCandidates, heuristics.Printed); got != want {
			t.Errorf("%d looks with %v s to go, want %d", got, finish, want)
		}
	}
}
