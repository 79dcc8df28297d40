package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/proc"
	"schedgap/bench/toyproblem"
	"schedgap/models"
	"schedgap/models/fail"
)

// heard calls a function with each message that a server in this process sends.
type heard func(message) error

func (h heard) Write(part []byte) (int, error) {
	var m message
	if err := json.Unmarshal(part, &m); len(part) > 0 && err != nil {
		return 0, err
	}
	if m.Kind == "" { // a solution
		return len(part), nil
	}
	return len(part), h(m)
}

// jobOf is a job on 5, 1, 2.
func jobOf(t *testing.T, algorithm string, solution int) *job {
	in := toyproblem.Instance(t, "three", 5, 1, 2)
	return &job{Instance: in.JSON, SHA256: in.SHA256, Request: bench.Request{Algorithm: algorithm, Threads: 1}, Solution: solution}
}

// What a job sends, with the length of the solution in brackets. A solution is sent up to the length that is asked for.
func TestMessages(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	const length = len(`{"problem":"toy","instance":"three","algorithm":"first","objective":5,"pick":0}`)
	for _, c := range []struct {
		algorithm string
		prove     bool
		time      time.Duration
		solution  int
		want      string
	}{
		{"first", false, 0, length, "start ended result(79) "},
		{"first", false, 0, length - 1, "start ended result "},
		{"first", true, 0, length, "start ended judged(79) result(79) "},
		{"first", true, 0, length - 1, "start ended judged result "},
		{"quits", true, time.Millisecond, 0, "start incumbent(65) bound ended judged result "},
		{"fails", true, 0, 0, "start ended result "},
	} {
		j := jobOf(t, c.algorithm, c.solution)
		j.Request.Prove, j.Limits.Time = c.prove, c.time
		var said bytes.Buffer
		registry := toyproblem.Registry()
		for i := range registry.Problems[0].Algorithms {
			registry.Problems[0].Algorithms[i].Proves = true
		}
		s := &server{registry: registry, out: heard(func(m message) error {
			said.WriteString(m.Kind)
			if m.Bytes > 0 {
				fmt.Fprintf(&said, "(%d)", m.Bytes)
			}
			return said.WriteByte(' ')
		})}
		if err := s.serve(t.Context(), j, nil); err != nil || said.String() != c.want {
			t.Errorf("%s, proof %v, up to %d bytes: %s, %v; want %s", c.algorithm, c.prove, c.solution, &said, err, c.want)
		}
	}
}

// While an algorithm runs, garbage is collected below nine tenths of its limit; afterwards there is no limit.
func TestMemoryLimitWhileRunning(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for limit, want := range map[int64]int64{0: math.MaxInt64, 1000 << 30: 900 << 30} {
		j, during := jobOf(t, "first", 0), int64(0)
		j.Limits.Memory = limit
		s := &server{registry: toyproblem.Registry(), out: heard(func(m message) error {
			if m.Kind == start {
				during = debug.SetMemoryLimit(-1)
			}
			return nil
		})}
		err := s.serve(t.Context(), j, nil)
		if after := debug.SetMemoryLimit(-1); err != nil || during != want || after != math.MaxInt64 {
			t.Errorf("limit %d: %d, then %d, %v", limit, during, after, err)
		}
	}
}

// An algorithm without a time limit runs until it is interrupted.
func TestNoTimeLimit(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	incumbents := 0
	s := &server{registry: toyproblem.Registry(), out: heard(func(m message) error {
		if m.Kind == incumbent {
			incumbents++
			cancel()
		}
		return nil
	})}
	if _, err := s.run(ctx, toyproblem.Instance(t, "three", 5, 1, 2), jobOf(t, "improves", 0)); err != nil || incumbents != 1 {
		t.Errorf("%d incumbents, %v", incumbents, err)
	}
}

// Garbage is collected after two mebibytes, and a folder is read with the instance only. A parent that is gone is an error.
func TestBetweenJobs(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var last *bench.Result
	var broken error
	s := &server{registry: toyproblem.Registry(), out: heard(func(m message) error {
		last = m.Result
		return broken
	})}
	serve := func(j *job, want bench.Status) {
		t.Helper()
		if err := s.serve(t.Context(), j, nil); err != nil || last.Status != want {
			t.Errorf("%+v, %v; want %s", last, err, want)
		}
	}
	garbage := bytes.Repeat([]byte{1}, litter)
	serve(jobOf(t, "first", 0), bench.Feasible)
	runtime.KeepAlive(garbage)
	if s.collected == 0 {
		t.Error("garbage was left")
	}
	s.collected = allocated()
	before := s.collected
	again := jobOf(t, "first", 0)
	again.Instance, again.Folder = nil, "/missing"
	serve(again, bench.Feasible)
	if s.collected != before {
		t.Error("a little garbage was collected")
	}
	other := jobOf(t, "first", 0)
	other.Folder = "/missing"
	serve(other, bench.Error)
	broken = errors.New("gone")
	if err := s.serve(t.Context(), jobOf(t, "nonsense", 0), nil); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

// A kept command's processor time is the process's, and its goroutines are not.
func TestKept(t *testing.T) {
	const spins = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo; read x"
	p, stdin, stdout, err := proc.StartPiped(exec.Command("sh", "-c", spins), proc.Options{Kept: true})
	fail.On(t, err)
	defer p.End(time.Second)
	defer stdin.Close()
	defer stdout.Close()
	if _, err := stdout.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	all, own := runtime.NumGoroutine(), goroutines()
	if own != all-2 {
		t.Errorf("%d goroutines of %d", own, all)
	}
	_, kept := proc.Kept()
	least := bench.ProcessCPU() + kept
	s := &server{out: heard(func(m message) error {
		if m.CPU < least || kept < 20*time.Millisecond {
			t.Errorf("%v sent of %v, %v of them by the command", m.CPU, least, kept)
		}
		return nil
	})}
	if err := s.send(message{Kind: start}); err != nil {
		t.Error(err)
	}
}

// Solutions without a verdict are those that this process is to check.
func TestUnchecked(t *testing.T) {
	for _, c := range []struct {
		solution string
		feasible *bool
		want     bool
	}{{"{}", nil, true}, {"{}", new(false), false}, {"", nil, false}} {
		r := &bench.Result{Solution: json.RawMessage(c.solution)}
		r.Feasible = c.feasible
		if unchecked(r) != c.want {
			t.Errorf("%q, feasible %v: %v", c.solution, c.feasible, !c.want)
		}
	}
	// A supervisor checks what its commands print, except where checking takes a command, too.
	w := New(Options{Command: []string{os.Args[0]}, Env: []string{"SCHEDGAP_TEST_WORKER=1"}})
	c, err := w.startSupervisor(t.Context())
	fail.On(t, err)
	defer c.close()
	u := unitOf(t, true, bench.Limits{})
	u.Request.Command = []string{"echo", `{"problem":"toy","instance":"three","algorithm":"mine","pick":2}`}
	for i, folder := range []string{"", "/problem"} {
		j := &job{ID: int64(i), SHA256: u.Instance.SHA256, Request: u.Request, Folder: folder, Solution: 100}
		fail.On(t, c.send(j, u.Instance))
		e := c.follow(t.Context(), j.ID, w.phases(u, c), false, models.Minimize)
		if e.result == nil || (e.result.Feasible != nil) != (folder == "") || len(e.result.Solution) == 0 {
			t.Errorf("folder %q: %+v", folder, e.result)
		}
	}
}
