package worst

import (
	"context"
	"errors"
	"testing"
)

// A context of steps ends after so many questions, when it is stopped, and with its parent.
func TestSteps(t *testing.T) {
	s := newSteps(t.Context(), 3)
	for i, want := range []error{nil, nil, context.DeadlineExceeded, context.DeadlineExceeded} {
		if err := s.Err(); !errors.Is(err, want) {
			t.Errorf("question %d: %v, want %v", i, err, want)
		}
	}
	select {
	case <-s.Done():
	default:
		t.Error("it has ended, and Done is open")
	}
	s.stop() // once more does no harm

	s = newSteps(t.Context(), 3)
	s.stop()
	if err := s.Err(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("stopped: %v", err)
	}
	parent, cancel := context.WithCancel(t.Context())
	cancel()
	if err := newSteps(parent, 3).Err(); !errors.Is(err, context.Canceled) {
		t.Errorf("after its parent: %v", err)
	}
}
