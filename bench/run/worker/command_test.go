package worker_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/worker"
	"schedgap/bench/toyproblem"
	"schedgap/models/fail"
)

// pick is a shell command that prints the solution 2 of the instance three.
const pick = `echo '{"problem":"toy","instance":"three","algorithm":"mine","pick":2}'`

func commandUnit(tb testing.TB, script string, limits bench.Limits) *bench.Unit {
	return &bench.Unit{
		Instance: toyproblem.Instance(tb, "three", 5, 1, 2), Limits: limits, Dir: tb.TempDir(),
		Request: bench.Request{Algorithm: "mine", Seed: 1, Threads: 1, Command: []string{"sh", "-c", script}},
	}
}

// everyWay runs a test with a supervisor in namespaces, where that is allowed, and without.
func everyWay(t *testing.T, test func(t *testing.T, o worker.Options)) {
	for name, plain := range map[string]bool{"namespaces": false, "plain": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Plain = plain
			test(t, o)
		})
	}
}

// A command that kills or stops whoever started it costs its row, at once, and the next unit is as good as ever. In namespaces it
// cannot even do that.
func TestSupervisorIsAttacked(t *testing.T) {
	for _, c := range []struct {
		name, script string
		plain        bench.Status // without namespaces
	}{
		{"killed", "kill -9 $PPID; sleep 0.3;" + pick, bench.Crash},
		{"stopped", "kill -STOP $PPID; sleep 0.5;" + pick, bench.Crash},
		{"terminated", "kill -TERM $PPID; sleep 0.3;" + pick, bench.Crash},
		{"aborted", "kill -ABRT $PPID; kill -SEGV $PPID; kill -INT $PPID; sleep 0.3;" + pick, bench.Feasible},
		{"its group", "kill -9 -$PPID; sleep 0.3;" + pick, bench.Crash},
		{"its own group", "kill -9 0", bench.Crash},
		{"after printing", pick + "; kill -9 $PPID; sleep 0.3", bench.Crash},
	} {
		t.Run(c.name, func(t *testing.T) {
			everyWay(t, func(t *testing.T, o worker.Options) {
				w := worker.New(o)
				defer w.Close()
				want := bench.Feasible
				if o.Plain || !namespaces(t) || c.name == "its own group" {
					want = c.plain
				}
				began := time.Now()
				res, err := w.Run(t.Context(), commandUnit(t, c.script, bench.Limits{Time: time.Minute}))
				if err != nil || res.Status != want || time.Since(began) > 20*time.Second {
					t.Errorf("%s after %v, want %s: %q, %v", res.Status, time.Since(began), want, res.Error, err)
				}
				res, err = w.Run(t.Context(), commandUnit(t, pick, bench.Limits{Time: time.Minute}))
				if err != nil || res.Status != bench.Feasible {
					t.Errorf("the next: %s: %q, %v", res.Status, res.Error, err)
				}
			})
		})
	}
}

// namespaces reports whether this user may make them.
func namespaces(t *testing.T) bool {
	t.Helper()
	means, err := worker.Probe(t.Context(), options())
	fail.On(t, err)
	return means.Namespaces
}

// alive counts the processes whose command line holds text.
func alive(text string) (n int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if line, _ := os.ReadFile(f); bytes.Contains(line, []byte(text)) { // that of a zombie is empty
			n++
		}
	}
	return n
}

var slept atomic.Int64

// sleeps are seconds to sleep, others at each call, by which a process is known.
func sleeps() int64 { return 100_000 + slept.Add(1) }

// What a command leaves behind is gone when its row is there, however it tried to get away: in a session of its own, as a
// daemon, without its environment, by forking without end.
func TestNothingOutlivesACommand(t *testing.T) {
	for _, c := range []struct{ name, script string }{
		{"background", "sleep %d & " + pick},
		{"session", "setsid sleep %d & sleep 0.1; " + pick},
		{"daemon", "setsid sh -c 'setsid sleep %d &'; " + pick},
		{"daemon without environment", "env -i setsid sh -c 'env -i setsid sleep %d &'; " + pick},
		{"chain", `cat > chain%[1]d <<'END'
sleep %[1]d &
kill $!
env -i PATH=/usr/bin:/bin setsid sh ./chain%[1]d &
END
env -i PATH=/usr/bin:/bin setsid sh ./chain%[1]d; sleep 0.3; ` + pick},
	} {
		t.Run(c.name, func(t *testing.T) {
			everyWay(t, func(t *testing.T, o worker.Options) {
				w := worker.New(o)
				defer w.Close()
				mark := sleeps()
				for range 3 {
					u := commandUnit(t, fmt.Sprintf(c.script, mark), bench.Limits{Time: time.Minute})
					res, err := w.Run(t.Context(), u)
					if err != nil || res.Status != bench.Feasible {
						t.Errorf("%s: %q, %v", res.Status, res.Error, err)
					}
					if n := alive(fmt.Sprint("sleep\x00", mark)); n > 0 {
						t.Errorf("%d processes live on", n)
					}
				}
				time.Sleep(50 * time.Millisecond)
				if n := alive(fmt.Sprint("sleep\x00", mark)) + chains(mark); n > 0 && c.name == "chain" {
					t.Errorf("%d processes live on", n)
				}
			})
		})
	}
}

// chains counts the links of the chain above that has the mark: the other way's test runs beside this one.
func chains(mark int64) int { return alive(fmt.Sprint("sh\x00./chain", mark)) }

// TestNoFolder: where no folder for a command's temporary files can be made, the user's is not emptied in its place.
func TestNoFolder(t *testing.T) {
	dir := t.TempDir()
	for len(dir) < 3900 { // a path to which no random name can be added
		dir = filepath.Join(dir, strings.Repeat("x", min(200, 4080-len(dir))))
	}
	dir += "/" + strings.Repeat("y", 4085-len(dir))
	if os.MkdirAll(dir, 0o777) != nil {
		t.Skip("this file system has no such paths")
	}
	precious := filepath.Join(dir, "a")
	fail.On(t, os.WriteFile(precious, nil, 0o666))
	unit := commandUnit(t, pick, bench.Limits{})
	t.Setenv("TMPDIR", dir)
	for _, plain := range []bool{true, false} {
		o := options()
		o.Plain = plain
		w := worker.New(o)
		res, err := w.Run(t.Context(), unit)
		w.Close()
		if err != nil || res.Status != bench.Feasible {
			t.Errorf("plain: %v: %+v, %v", plain, res, err)
		}
	}
	if _, err := os.Stat(precious); err != nil {
		t.Errorf("a file of the user's is gone: %v", err)
	}
}

// Memory and processor time are those of all processes, background ones and daemons included, and peaks between two looks
// count, too.
func TestAllProcessesCount(t *testing.T) {
	const hoard = `python3 -c 'import time; x = b"x" * (160 << 20); time.sleep(%s)'`
	const spin = `python3 -c 'while True: pass'`
	limits := bench.Limits{Time: 20 * time.Second, Memory: 64 << 20}
	for _, c := range []struct {
		name, script string
		status       bench.Status
		says         string
	}{
		{"memory in the background", fmt.Sprintf(hoard, "15") + " & sleep 9; " + pick, bench.OOM, "memory limit of 67108864"},
		{"memory of a daemon", "setsid sh -c '" + `setsid python3 -c "x = b\"x\" * (160 << 20); import time; time.sleep(15)" &` +
			"'; sleep 9; " + pick, bench.OOM, "memory limit"},
		{"processor time of daemons", "setsid sh -c '" + strings.ReplaceAll(spin, "'", `"`) + " & " + strings.ReplaceAll(spin, "'",
			`"`) + " &'; sleep 15; " + pick, bench.Timeout, "CPU limit"},
		{"memory for a moment", "dd if=/dev/zero of=/dev/null bs=160M count=1; exit 1", bench.OOM, "memory limit"},
		{"memory for a moment, with a solution", "dd if=/dev/zero of=/dev/null bs=160M count=1; " + pick, bench.OOM, "memory limit"},
		{"little", pick, bench.Feasible, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			limits := limits
			if c.status == bench.Timeout { // elsewhere python3, which may be a slow wrapper, must reach the memory limit first
				limits.CPU = 500 * time.Millisecond
			}
			everyWay(t, func(t *testing.T, o worker.Options) {
				w := worker.New(o)
				defer w.Close()
				res, err := w.Run(t.Context(), commandUnit(t, c.script, limits))
				if err != nil || res.Status != c.status || !strings.Contains(res.Error, c.says) {
					t.Errorf("%s, want %s: %q, %v", res.Status, c.status, res.Error, err)
				}
			})
		})
	}
}

// What holding a long output took while it grew does not count when it is checked.
func TestLongOutputUnderSmallLimit(t *testing.T) {
	everyWay(t, func(t *testing.T, o worker.Options) {
		w := worker.New(o)
		defer w.Close()
		limits := bench.Limits{Time: 20 * time.Second, Memory: 64 << 20}
		for range 2 { // once in a supervisor that did the same before
			res, err := w.Run(t.Context(), commandUnit(t, `head -c 58000000 /dev/zero | tr '\0' ' '; `+pick, limits))
			if err != nil || res.Status != bench.Feasible {
				t.Errorf("%s: %q, %v", res.Status, res.Error, err)
			}
		}
	})
}

// An interrupted command has no result, and its supervisor ends with it.
func TestCommandInterrupted(t *testing.T) {
	everyWay(t, func(t *testing.T, o worker.Options) {
		w := worker.New(o)
		defer w.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		res, err := w.Run(ctx, commandUnit(t, fmt.Sprintf("sleep %d", sleeps()), bench.Limits{Time: time.Minute}))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

// Commands share a supervisor while it lives, and find a folder for temporary files that is empty.
func TestSupervisorIsKept(t *testing.T) {
	everyWay(t, func(t *testing.T, o worker.Options) {
		w := worker.New(o)
		defer w.Close()
		seen := map[string]bool{}
		for _, script := range []string{"true", "exit 3", "echo {", pick} {
			log := filepath.Join(t.TempDir(), "log")
			u := commandUnit(t, fmt.Sprintf(`echo $TMPDIR >%s; ls $TMPDIR >>%s; touch $TMPDIR/left; %s`, log, log, script), bench.Limits{})
			if _, err := w.Run(t.Context(), u); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(log)
			fail.On(t, err)
			seen[string(text)] = true
		}
		if len(seen) != 1 {
			t.Errorf("folders and what is in them: %v", seen)
		}
	})
}

// A command has a control group of its own where this user may make one, in namespaces only for the limit on memory.
func TestCommandHasAGroup(t *testing.T) {
	means, err := worker.Probe(t.Context(), options())
	fail.On(t, err)
	everyWay(t, func(t *testing.T, o worker.Options) {
		w := worker.New(o)
		defer w.Close()
		log := filepath.Join(t.TempDir(), "log")
		if _, err := w.Run(t.Context(), commandUnit(t, "cat /proc/self/cgroup >"+log, bench.Limits{})); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(log)
		fail.On(t, err)
		want := means.CgroupMemory || means.Cgroups && (o.Plain || !means.Namespaces)
		if got := bytes.Contains(text, []byte("/schedgap-")); got != want {
			t.Errorf("a group: %v, want %v by %+v: %s", got, want, means, text)
		}
	})
}

// BenchmarkCommandOverhead is what a unit of an external command costs that does next to nothing.
func BenchmarkCommandOverhead(b *testing.B) {
	for name, plain := range map[string]bool{"namespaces": false, "plain": true} {
		b.Run(name, func(b *testing.B) {
			o := options()
			o.Plain = plain
			w := worker.New(o)
			defer w.Close()
			u := commandUnit(b, "exit 77", bench.Limits{Time: time.Minute, Memory: 4 << 30})
			for b.Loop() {
				if res, err := w.Run(b.Context(), u); err != nil || res.Status != bench.Skipped {
					b.Fatal(res, err)
				}
			}
		})
	}
}
