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

	// Solutions that are complete by the time limit count, and so does one printed on SIGTERM. Output in between is ignored.
	time             time.Duration // 0: there is no limit
	after            []arrival     // the values after it, the last of each piece of output, which settle tells apart
	inTime, onSignal span          // the last values of these kinds
	late             bool          // there are values in between
}

// An arrival is a value with the time since the beginning at which it was complete.
type arrival struct {
	at    time.Duration
	value span
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
	o.text = append(o.text, b...)
	o.sequence.see(b, func(value span) {
		if o.time > 0 && at > o.time {
			if n := len(o.after); n > 0 && o.after[n-1].at == at { // a flood of small values takes no memory
				o.after = o.after[:n-1]
			}
			o.after = append(o.after, arrival{at, value})
			return
		}
		o.inTime = value
		o.find(arrival{at, value})
	})
	return len(b), nil
}

// find notes a value that counts.
func (o *output) find(a arrival) {
	if o.found != nil && a.value.to-a.value.from <= largest {
		o.found.Incumbent(bench.Moment{Wall: a.at.Seconds()}, bytes.Clone(o.text[a.value.from:a.value.to]))
	}
}

// settle parts the values after the limit into answers to SIGTERM and late ones, when all is there. The signal was sent at asked; zero: it
// was not.
func (o *output) settle(asked time.Time) {
	for _, a := range o.after {
		if asked.IsZero() || o.began.Add(a.at).Before(asked) {
			o.late = true
			continue
		}
		o.onSignal = a.value
		o.find(a)
	}
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
