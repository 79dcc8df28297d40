package external

import (
	"bytes"
	"errors"
	"time"

	"schedgap/bench"
)

var errTooMuch = errors.New("too much output")

// output collects the output of a command, up to a limit.
type output struct {
	limit int64
	began time.Time
	text  []byte
	full  chan struct{} // closed when there is more
	more  bool

	sequence sequence
	found    *bench.ProgressLog // its values, at the times at which they were complete; nil: they are not kept

	// Solutions that are complete by the time limit count, and so does one printed on SIGTERM, which is sent the grace after the
	// limit. Output in between is ignored.
	time, grace      time.Duration // 0: there is no limit
	inTime, onSignal span          // the last values of these kinds
	late             bool          // there are values in between
}

// largest is the size in bytes of the largest solution that is looked at besides the last: they must not take the memory that
// the last one did with.
const largest = 8 << 20

// Write is called by one goroutine, and never again after an error.
func (o *output) Write(b []byte) (int, error) {
	if int64(len(o.text)+len(b)) > o.limit {
		o.more = true
		close(o.full)
		return 0, errTooMuch
	}
	at := time.Since(o.began)
	now := bench.Moment{Wall: at.Seconds()}
	o.text = append(o.text, b...)
	o.sequence.see(b, func(value span) {
		switch {
		case o.time == 0 || at <= o.time:
			o.inTime = value
		case at >= o.time+o.grace:
			o.onSignal = value
		default:
			o.late = true
			return
		}
		if o.found != nil && value.to-value.from <= largest {
			o.found.Incumbent(now, bytes.Clone(o.text[value.from:value.to]))
		}
	})
	return len(b), nil
}

// blank reports whether there is nothing but white space.
func (o *output) blank() bool { return len(bytes.TrimSpace(o.text)) == 0 }

// solution returns the last complete value. Output that is no sequence of objects, or that ends in half a value, is returned
// whole, so that the reader's error describes it.
func (o *output) solution() ([]byte, error) {
	switch s := &o.sequence; {
	case o.more:
		return nil, errTooMuch
	case s.foreign || s.values == 0:
		return o.text, nil
	case s.depth > 0:
		return o.text[s.from:], nil
	default:
		return o.text[s.last.from:s.last.to], nil
	}
}

// incumbent returns the solution of a command that did not end in time: the one printed on SIGTERM or else the last complete one
// by the limit. Nil means none.
func (o *output) incumbent() []byte {
	value := o.onSignal
	if value.to == 0 {
		value = o.inTime
	}
	if o.more || o.sequence.foreign || value.to == 0 {
		return nil
	}
	return o.text[value.from:value.to]
}
