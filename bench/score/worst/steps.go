package worst

import (
	"context"
	"sync/atomic"
	"time"
)

// steps is a context that ends once it was asked so many times whether it has ended. Exact methods ask at every node, so it
// limits their work by a measure in which no clock and no other process has a part: a proof succeeds on every machine or on none.
// It also ends with its parent, which is for deadlines and interrupts.
type steps struct {
	parent context.Context
	left   atomic.Int64
	done   chan struct{}
}

func newSteps(parent context.Context, n int64) *steps {
	s := &steps{parent: parent, done: make(chan struct{})}
	s.left.Store(n)
	return s
}

// stop makes s end.
func (s *steps) stop() {
	if s.left.Swap(0) > 0 {
		close(s.done)
	}
}

// Err implements context.Context, and takes a step.
func (s *steps) Err() error {
	if err := s.parent.Err(); err != nil {
		return err
	}
	n := s.left.Add(-1)
	if n == 0 {
		close(s.done)
	}
	if n <= 0 {
		return context.DeadlineExceeded
	}
	return nil
}

// Done implements context.Context. Methods that wait for it instead of asking are not limited by steps alone.
func (s *steps) Done() <-chan struct{} { return s.done }

// Deadline implements context.Context.
func (s *steps) Deadline() (time.Time, bool) { return s.parent.Deadline() }

// Value implements context.Context.
func (s *steps) Value(key any) any { return s.parent.Value(key) }
