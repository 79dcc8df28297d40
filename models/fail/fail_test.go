package fail

import (
	"errors"
	"testing"
)

// A recorder is a test that does not end.
type recorder struct{ said []any }

func (r *recorder) Helper()           {}
func (r *recorder) Fatal(args ...any) { r.said = append(r.said, args...) }

// An error ends a test, and nothing else does.
func TestOn(t *testing.T) {
	var r recorder
	On(&r, nil)
	if len(r.said) > 0 {
		t.Errorf("ended by %v", r.said)
	}
	broken := errors.New("broken")
	On(&r, broken)
	if len(r.said) != 1 || r.said[0] != broken {
		t.Errorf("ended by %v, want %v", r.said, broken)
	}
}
