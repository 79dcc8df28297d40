package external

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// inMemory is how much of what a command prints is held before it goes to a temporary file.
const inMemory = 1 << 20

var errTooMuch = errors.New("too much output")

// output collects what a command prints, up to a limit, of which this process holds little until it is all there.
type output struct {
	limit int64
	full  chan struct{} // closed when there is more
	blank bool          // nothing but white space so far

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

// all returns what was printed.
func (o *output) all() ([]byte, error) {
	switch {
	case o.tooMuch():
		return nil, errTooMuch
	case o.file == nil:
		return o.buf.Bytes(), nil
	}
	data := make([]byte, o.size)
	if _, err := o.file.ReadAt(data, 0); err != nil {
		return nil, fmt.Errorf("reading what the command printed: %w", err)
	}
	return data, nil
}

func (o *output) close() {
	if o.file != nil {
		o.file.Close()
	}
}
