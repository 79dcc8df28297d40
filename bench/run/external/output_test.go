package external

import (
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/models/fail"
)

// A value after the limit counts as an answer to SIGTERM only if that was sent before: a busy machine may start a command so late that
// its answer is there when the signal was due and has not been sent.
func TestSettle(t *testing.T) {
	const limit = time.Second
	for name, c := range map[string]struct {
		asked          time.Duration // after the beginning; 0: it was not
		onSignal, late bool
	}{
		"no signal":              {0, false, true},
		"a signal before it":     {limit, true, false},
		"a signal after it":      {time.Hour, false, true},
		"a signal in the middle": {3 * time.Minute, true, true},
	} {
		o := &output{limit: 1 << 20, full: make(chan struct{}), time: limit, found: &bench.ProgressLog{}}
		pieces := map[time.Duration]string{2 * time.Minute: "{} ", 4 * time.Minute: "{}{}"}
		if name != "a signal in the middle" {
			delete(pieces, 4*time.Minute)
		}
		now := time.Now()
		for _, at := range []time.Duration{2 * time.Minute, 4 * time.Minute} {
			o.began = now.Add(-at)
			_, err := o.Write([]byte(pieces[at]))
			fail.On(t, err)
		}
		asked := time.Time{}
		if c.asked > 0 {
			asked = o.began.Add(c.asked)
		}
		o.settle(asked)
		if got := o.incumbent() != nil; got != c.onSignal || o.late != c.late || len(o.after) != len(pieces) {
			t.Errorf("%s: an incumbent %v, late %v, %d arrivals", name, got, o.late, len(o.after))
		}
	}
}
