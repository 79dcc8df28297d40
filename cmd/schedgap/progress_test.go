package main

import (
	"bytes"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/run/runner"
	"schedgap/models/trials/await"
)

// A shared buffer is written to by one goroutine and read by another.
type sharedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *sharedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *sharedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (b *sharedBuffer) waitFor(t *testing.T, text string) {
	t.Helper()
	if !await.That(t, "not said: "+text, func() bool { return strings.Contains(b.String(), text) }) {
		t.Error(b)
	}
}

// a run of 8 units, 2 done in 20 s, one of them failed.
func someProgress() runner.Progress {
	reason := "boom\nmore"
	return runner.Progress{
		Total: 8, Done: 2, Failed: 1, Started: time.Now().Add(-20 * time.Second),
		Record: &bench.Record{Algorithm: "a", Instance: "i", Status: string(bench.Crash), Error: &reason},
	}
}

// TestProgressLines: without a terminal there is a line now and then although no unit ends, with what is left and what failed.
func TestProgressLines(t *testing.T) {
	var b sharedBuffer
	a := &app{stderr: &b, log: slog.New(slog.NewTextHandler(&b, nil))}
	p := a.progress(t.Context(), time.Millisecond)
	p.show(someProgress())
	b.waitFor(t, `msg="unit failed" algorithm=a instance=i status=crash error=boom`)
	b.waitFor(t, "msg=progress done=2 units=8 failed=1 left=1m0s")
	p.close()
}

// TestProgressBar: on a terminal the bar has the same.
func TestProgressBar(t *testing.T) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal to be had: %v", err)
	}
	defer master.Close()
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Skipf("no terminal to be had: %v", err)
	}
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Skipf("no terminal to be had: %v", err)
	}
	slave, err := os.OpenFile(filepath.Join("/dev/pts", strconv.Itoa(n)), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminal to be had: %v", err)
	}
	defer slave.Close()
	if err := unix.IoctlSetWinsize(int(slave.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 120}); err != nil {
		t.Fatal(err)
	}
	var b sharedBuffer
	go func() { _, _ = io.Copy(&b, master) }()
	a := &app{stderr: slave, logFormat: logText}
	p := a.progress(t.Context(), time.Hour)
	p.show(someProgress())
	b.waitFor(t, "2/8 units")
	b.waitFor(t, "1m0s left, 1 failed")
	p.close()
}

// TestNextCommand: a run ends with the command to type next.
func TestNextCommand(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Chdir(t.TempDir())
	write(t, ".", "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
	good := write(t, ".", "good.yaml", "name: s\nproblem: flex\ninstances: [{files: one.json}]\nalgorithms: [spt]\n")
	bad := write(t, ".", "bad.yaml", "name: s\nproblem: flex\ninstances: [{files: one.json}]\nalgorithms: [{name: mine, command: "+
		"[sh, -c, exit 1]}]\n")
	for _, c := range []struct {
		args []string
		next string
	}{
		{[]string{"run", good, "-o", "my results"}, "next: schedgap report 'my results'\n"},
		{[]string{"run", good, "-o", "."}, "next: schedgap report .\n"}, // and into the current folder
		{[]string{"run", good, "-o", "./"}, "next: schedgap report ./\n"},
		{[]string{"run", good, "-o", "shards", "--shard", "0/2"}, "next: schedgap status shards\n"},
		{[]string{"run", bad, "-o", "failed"}, "next: schedgap status failed\nschedgap: every row failed"},
		{[]string{"run", good, "-o", "r", "--log-format", "json"}, `"next":"schedgap report r"`},
		{[]string{"run", good, "-o", "r", "-q"}, ""},
		{[]string{"run", good, "-o", "none", "--dry-run"}, ""},
	} {
		e := schedgap(t, c.args...)
		if e.code > exitFailed || !strings.Contains(e.stderr, c.next) || (c.next == "" && strings.Contains(e.stderr, "schedgap")) {
			t.Errorf("%q: exit %d, stderr %q, want %q", c.args, e.code, e.stderr, c.next)
		}
	}
	if _, err := os.Stat("plan.json"); err != nil {
		t.Errorf("the results are not in the current folder: %v", err)
	}
}
