package external

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

const (
	// maxOutput bounds the solution file that a command may print.
	maxOutput = 256 << 20
	// inMemory is how much of one is held before it goes to a temporary file.
	inMemory = 1 << 20
)

var errTooMuch = errors.New("too much output")

// output collects what a command prints, up to maxOutput, of which this process holds little until it is all there.
type output struct {
	full  chan struct{} // closed when there is more
	blank bool          // nothing but white space so far

	size int
	buf  bytes.Buffer
	file *os.File // of which buf was the beginning; nil: all is in buf
}

func newOutput() *output { return &output{full: make(chan struct{}), blank: true} }

// Write is called by one goroutine, and never again after an error.
func (o *output) Write(b []byte) (int, error) {
	if o.size += len(b); o.size > maxOutput {
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
	return err
}

func (o *output) tooMuch() bool { return o.size > maxOutput }

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
