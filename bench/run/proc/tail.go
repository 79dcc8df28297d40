package proc

import (
	"strings"
	"sync"
)

// shown is how much of a process's last words makes it into a record, and kept how much of them is searched for the cause:
// the Go runtime prints the cause of a crash first and long stack traces after it.
const (
	shown = 2 << 10
	kept  = 64 << 10
)

// A Tail is a writer that keeps the end of its input.
type Tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *Tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b...)
	if over := len(t.buf) - kept; over > 0 {
		t.buf = t.buf[:copy(t.buf, t.buf[over:])]
	}
	return len(b), nil
}

// Reset forgets everything.
func (t *Tail) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = t.buf[:0]
}

// String returns the last 2 KiB.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return clean(t.buf[max(0, len(t.buf)-shown):])
}

// LastLine returns the last line that is not empty, or "".
func (t *Tail) LastLine() string {
	text := t.String()
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// causes are how the first line of a dying program's last words begins, in Go, glibc and C++.
var causes = []string{"panic: ", "fatal error: ", "SIG", "[signal SIG", "terminate called", "runtime: out of memory"}

// Cause returns the first line that says why the program died, or "".
func (t *Tail) Cause() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	for line := range strings.Lines(string(t.buf)) {
		for _, c := range causes {
			if strings.HasPrefix(line, c) {
				return clean([]byte(line))
			}
		}
	}
	return ""
}

func clean(b []byte) string {
	return strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(string(b), ""), "\x00", ""))
}

// Because appends the process's last words to a sentence.
func (t *Tail) Because(sentence string) string {
	if cause := t.Cause(); cause != "" {
		sentence += ": " + cause
	}
	if tail := t.String(); tail != "" {
		sentence += "\nstderr: " + tail
	}
	return sentence
}
