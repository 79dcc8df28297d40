// Package await lets a test wait for what another goroutine or process does. It looks again and again, since neither a file nor a process
// tells when it comes or goes.
package await

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"testing"
	"time"
)

// A busy machine takes many times as long as an idle one: what does not happen in most will not happen.
const (
	most  = time.Minute
	pause = 5 * time.Millisecond
)

// That waits until done, which may be called from another goroutine than the test's, reports true. If that takes more than a minute, the
// test has failed, what says with what, and the answer is false.
func That(t testing.TB, what string, done func() bool) bool {
	t.Helper()
	for end := time.Now().Add(most); !done(); time.Sleep(pause) {
		if time.Now().After(end) {
			t.Errorf("after %v: %s", most, what)
			return false
		}
	}
	return true
}

// File waits until a file is there that is not empty.
func File(t testing.TB, name string) bool {
	t.Helper()
	return That(t, name+" has not been written", func() bool {
		info, err := os.Stat(name)
		return err == nil && info.Size() > 0
	})
}

// Gone waits until a process has ended.
func Gone(t testing.TB, pid int) bool {
	t.Helper()
	return That(t, "process "+strconv.Itoa(pid)+" lives on", func() bool { return Ended(pid) })
}

// Ended reports whether a process has ended, be it that its parent has not asked for its end yet.
func Ended(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return errors.Is(err, os.ErrNotExist)
	}
	// The name before the state is in parentheses, and may have some of its own.
	return bytes.HasPrefix(stat[bytes.LastIndexByte(stat, ')')+1:], []byte(" Z"))
}
