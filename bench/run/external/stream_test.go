package external_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"schedgap/bench/run/external"
	"schedgap/bench/run/proc"
	"schedgap/models/fail"
)

func stream(t *testing.T, script string, timeout time.Duration) *external.Stream {
	t.Helper()
	s, err := external.StartStream([]string{"sh", "-c", script}, t.TempDir(), 7, timeout)
	fail.On(t, err)
	return s
}

// A policy answers line by line, long lines too, and knows its seed.
func TestStream(t *testing.T) {
	s := stream(t, `while read -r line; do echo "$SCHEDGAP_SEED $line"; done`, time.Minute)
	long := strings.Repeat("x", 1<<17)
	for _, question := range []string{"a", "b", long} {
		if answer, err := s.Ask([]byte(question)); err != nil || string(answer) != "7 "+question {
			t.Errorf("%.20s: %.20s, %v", question, answer, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// What a policy does instead of answering is in the error.
func TestStreamFaults(t *testing.T) {
	for script, says := range map[string]string{
		"read -r line; echo oops >&2; exit 3": "exit status 3)\nstderr: oops",
		"kill -SEGV $$":                       "signal: segmentation fault",
		"sleep 100":                           "no answer within 300ms",
		"trap '' TERM; while :; do :; done":   "no answer within 300ms",
		// A process that left the session and lost its parent holds the pipe open, and nobody kills it.
		"setsid sh -c 'setsid sleep 3 &'; sleep 100": "no answer within 300ms",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			s := stream(t, script, 300*time.Millisecond)
			if _, err := s.Ask([]byte("x")); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%v, want %q", err, says)
			}
			_ = s.Close() // the command is gone
		})
	}
}

// A second line is no answer to the next question.
func TestStreamTwoLines(t *testing.T) {
	s := stream(t, `while read -r line; do printf 'one\ntwo\n'; done`, time.Minute)
	if answer, err := s.Ask([]byte("x")); err != nil || string(answer) != "one" {
		t.Errorf("%q, %v", answer, err)
	}
	if answer, err := s.Ask([]byte("x")); err == nil || !strings.Contains(err.Error(), `"two\n" is left over`) {
		t.Errorf("%q, %v", answer, err)
	}
	_ = s.Close()
}

// A command that reads to the end of its input is given up when it has read the question. One is not of which a thread computes, even if
// the first waits for it.
func TestAskWithinImpatiently(t *testing.T) {
	s := stream(t, "cat", time.Minute)
	if answer, cause, err := s.AskWithin(t.Context(), []byte("x"), proc.Limits{}, true); err != nil || string(answer) != "x" {
		t.Errorf("%q, %v, %v", answer, cause, err)
	}
	s.Kill()
	s = stream(t, "cat >/dev/null", time.Minute)
	if _, cause, err := s.AskWithin(t.Context(), []byte("x"), proc.Limits{}, true); err == nil || cause != proc.Alive {
		t.Errorf("%v, %v", cause, err)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	const computes = `
import threading, time
def compute():
    while time.thread_time() < 0.6: pass
    print(line, flush=True)
line = input()
thread = threading.Thread(target=compute)
thread.start()
thread.join()
`
	s, err := external.StartStream([]string{"python3", "-c", computes}, t.TempDir(), 7, time.Minute)
	fail.On(t, err)
	if answer, cause, err := s.AskWithin(t.Context(), []byte("x"), proc.Limits{}, true); err != nil || string(answer) != "x" {
		t.Errorf("%q, %v, %v", answer, cause, err)
	}
	s.Kill()
}

// The end of a context ends a policy in the middle of a decision.
func TestStreamCanceled(t *testing.T) {
	s := stream(t, "sleep 100", time.Minute)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	defer s.Watch(ctx)()
	if _, err := s.Ask([]byte("x")); err == nil || !strings.Contains(err.Error(), "signal: killed") {
		t.Errorf("%v", err)
	}
	_ = s.Close()
}
