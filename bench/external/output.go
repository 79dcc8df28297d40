package external

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"time"

	"schedgap/bench"
)

// inMemory is how much of what a command prints is held before it goes to a temporary file.
const inMemory = 1 << 20

var errTooMuch = errors.New("too much output")

// output collects what a command prints, up to a limit, of which this process holds little until it is all there.
type output struct {
	limit int64
	full  chan struct{} // closed when there is more
	blank bool          // nothing but white space so far

	sequence sequence
	found    bench.Track[span] // its values, at the times at which they were complete
	began    time.Time

	size int64
	buf  bytes.Buffer
	file *os.File // of which buf was the beginning; nil: all is in buf
}

func newOutput(limit int64) *output {
	return &output{limit: limit, full: make(chan struct{}), blank: true}
}

// Write is called by one goroutine, and never again after an error.
func (o *output) Write(b []byte) (int, error) {
	if o.size += int64(len(b)); o.size > o.limit {
		close(o.full)
		return 0, errTooMuch
	}
	o.blank = o.blank && len(bytes.TrimSpace(b)) == 0
	now := bench.Moment{Wall: time.Since(o.began).Seconds()}
	o.sequence.see(b, func(value span) { o.found.Add(now, value) })
	if o.size <= inMemory {
		return o.buf.Write(b)
	}
	if o.file == nil {
		if err := o.spill(); err != nil {
			return 0, fmt.Errorf("keeping what the command printed: %w", err)
		}
	}
	return o.file.Write(b)
}

func (o *output) spill() error {
	f, err := os.CreateTemp("", "schedgap-output-")
	if err != nil {
		return err
	}
	o.file = f
	if err := os.Remove(f.Name()); err != nil { // it lives as long as it is open
		return err
	}
	_, err = o.buf.WriteTo(f)
	o.buf = bytes.Buffer{}
	return err
}

func (o *output) tooMuch() bool { return o.size > o.limit }

// solution returns the last complete value. Where there is something else, that is returned, for the reader to say what is wrong:
// what is no sequence of objects, and a half value, unless the command was stopped.
func (o *output) solution(stopped bool) ([]byte, error) {
	switch s := &o.sequence; {
	case s.foreign || s.values == 0:
		return o.read(span{0, o.size})
	case s.depth > 0 && !stopped:
		return o.read(span{s.from, o.size})
	default:
		return o.read(s.last)
	}
}

// read returns a part of what was printed.
func (o *output) read(part span) ([]byte, error) {
	switch {
	case o.tooMuch():
		return nil, errTooMuch
	case o.file == nil:
		return o.buf.Bytes()[part.from:part.to], nil
	}
	data := make([]byte, part.to-part.from)
	if _, err := o.file.ReadAt(data, part.from); err != nil {
		return nil, fmt.Errorf("reading what the command printed: %w", err)
	}
	return data, nil
}

func (o *output) close() {
	if o.file != nil {
		o.file.Close()
	}
}
