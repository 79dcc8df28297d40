package worker_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/sandbox"
	"schedgap/bench/run/sysinfo"
	"schedgap/bench/run/worker"
	"schedgap/bench/toyproblem"
	"schedgap/models/fail"
	"schedgap/models/trials/await"
	"schedgap/scripts/pythontest"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"
)

// workerEnv turns this test binary into a worker.
const workerEnv = "SCHEDGAP_TEST_WORKER=1"

// commandEnv names the file in which a worker tells of its folder and of a command that it has started.
const commandEnv = "SCHEDGAP_TEST_COMMAND"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == sandbox.Mode {
		fmt.Fprintln(os.Stderr, sandbox.Launch(os.Args[2:]))
		os.Exit(1)
	}
	name, _, _ := strings.Cut(workerEnv, "=")
	if os.Getenv(name) != "" {
		if file := os.Getenv(commandEnv); file != "" {
			startCommand(file)
		}
		serve := worker.Serve
		if slices.Contains(os.Args, "supervise") {
			serve = worker.Supervise
		}
		if err := serve(context.Background(), toyproblem.Registry(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(pythontest.With(m))
}

func options() worker.Options {
	return worker.Options{Command: []string{os.Args[0]}, Env: []string{workerEnv}, Grace: 100 * time.Millisecond}
}

// run runs an algorithm on 5, 1, 2 (so that the least even one is the 2 at index 2) in w.
func run(t *testing.T, w *worker.Worker, algorithm string, limits bench.Limits) *bench.Result {
	t.Helper()
	u := &bench.Unit{
		Instance: toyproblem.Instance(t, "three", 5, 1, 2), Request: bench.Request{Algorithm: algorithm, Seed: 1, Threads: 1},
		Limits: limits,
	}
	res, err := w.Run(t.Context(), u)
	fail.On(t, err)
	return res
}

func show(p *float64) string {
	if p == nil {
		return "null"
	}
	return strconv.FormatFloat(*p, 'g', -1, 64)
}

// Every way to end gives its own status, with what was found until then, and the worker survives all of them.
func TestStatuses(t *testing.T) {
	short, room := 200*time.Millisecond, int64(1)<<40
	for _, c := range []struct {
		algorithm        string
		limits           bench.Limits
		status           bench.Status
		objective, bound string
		errorHas         string
	}{
		{"good", bench.Limits{Time: time.Minute}, bench.Optimal, "2", "2", ""},
		{"first", bench.Limits{}, bench.Feasible, "5", "null", ""},
		{"gap", bench.Limits{}, bench.Feasible, "null", "1", ""},
		{"liar", bench.Limits{}, bench.Feasible, "5", "null", ""},
		{"noisy", bench.Limits{}, bench.Feasible, "5", "null", ""},
		{"litters", bench.Limits{}, bench.Feasible, "5", "null", ""},
		{"slow", bench.Limits{Time: short}, bench.Timeout, "5", "0", ""},
		{"quits", bench.Limits{Time: short}, bench.Timeout, "5", "0.5", ""},
		{"deaf", bench.Limits{Time: short}, bench.Timeout, "null", "null", ""},
		{"hangs", bench.Limits{Time: short, Memory: room}, bench.Timeout, "2", "-1", ""},
		{"spins", bench.Limits{Time: short}, bench.Timeout, "null", "null", "killed at the time limit of 200ms\nstderr: last words"},
		{"spins", bench.Limits{CPU: short}, bench.Timeout, "null", "null", "CPU limit of 200ms\nstderr: last words"},
		{"hangs-wrong", bench.Limits{Time: short}, bench.Invalid, "1", "null", "even at pick"},
		{"segv", bench.Limits{Time: time.Minute}, bench.Crash, "null", "null", "SIGSEGV: segmentation violation"},
		{"killed", bench.Limits{Time: time.Minute}, bench.Crash, "5", "null", "signal: killed"},
		{"leak", bench.Limits{Time: time.Minute, Memory: 300 << 20}, bench.OOM, "null", "null", "limit of 314572800 bytes"},
		{"first", bench.Limits{Memory: 2 << 20}, bench.OOM, "null", "null", "beyond the memory limit of 2097152 bytes"},
		{
			"hangs",
			bench.Limits{Time: time.Minute, Memory: 2 << 20},
			bench.OOM, "null", "null",
			"beyond the memory limit of 2097152 bytes",
		},
		{"invalid", bench.Limits{}, bench.Invalid, "null", "null", "range at pick by 1"},
		{"panics", bench.Limits{}, bench.Error, "null", "null", "algorithms.go:"},
		{"fails", bench.Limits{}, bench.Error, "null", "null", "toy failure"},
		{"nonsense", bench.Limits{}, bench.Error, "null", "null", `unknown algorithm "nonsense"`},
	} {
		t.Run(c.algorithm, func(t *testing.T) {
			t.Parallel()
			w := worker.New(options())
			defer w.Close()
			res := run(t, w, c.algorithm, c.limits)
			if res.Status != c.status || show(res.Objective) != c.objective || show(res.Bound) != c.bound {
				t.Errorf("status %s, objective %s, bound %s; want %s, %s, %s (error %q)",
					res.Status, show(res.Objective), show(res.Bound), c.status, c.objective, c.bound, res.Error)
			}
			if (c.errorHas == "") != (res.Error == "") || !strings.Contains(res.Error, c.errorHas) {
				t.Errorf("error %q does not say %q", res.Error, c.errorHas)
			}
			if c.limits.CPU > 0 && (res.CPUSeconds == nil || *res.CPUSeconds < c.limits.CPU.Seconds()) {
				t.Errorf("processor time %s of a limit of %v", show(res.CPUSeconds), c.limits.CPU)
			}
			if c.status != bench.Error && res.Reference != "opt" {
				t.Errorf("reference %q, want opt", res.Reference)
			}
			res = run(t, w, "good", bench.Limits{})
			if res.Status != bench.Optimal {
				t.Errorf("the next unit ends as %s: %s", res.Status, res.Error)
			}
		})
	}
}

// The time limit is the algorithm's: checking and writing its solution have a limit of their own. The row names the solver and
// the model that were asked for, whether the algorithm or its killer has the last word.
func TestCheckTimeout(t *testing.T) {
	limits := bench.Limits{Time: toyproblem.HeavyTime / 5}
	for _, c := range []struct {
		algorithm, instance string
		checkTimeout        time.Duration
		status              bench.Status
	}{
		{"good", toyproblem.Heavy, time.Minute, bench.Optimal},
		{"good", toyproblem.Heavy, toyproblem.HeavyTime / 5, bench.Error},
		{"quits", "light", time.Minute, bench.Timeout},
		{"quits", toyproblem.Heavy, time.Minute, bench.Timeout}, // killed while it writes an incumbent
	} {
		t.Run(fmt.Sprint(c.algorithm, c.instance, c.checkTimeout), func(t *testing.T) {
			t.Parallel()
			o := options()
			o.CheckTimeout = c.checkTimeout
			r := bench.Request{Algorithm: c.algorithm, Solver: "alpha", Model: "list"}
			res := worker.RunOne(t.Context(), o, toyproblem.Instance(t, c.instance, 1), r, limits)
			if res.Status != c.status || res.Solver != r.Solver || res.Model != r.Model {
				t.Errorf("%s with %s and %s: %s", res.Status, res.Solver, res.Model, res.Error)
			}
			if c.status == bench.Error && !strings.Contains(res.Error, "handed over within 100ms") {
				t.Errorf("error %q", res.Error)
			}
			if c.algorithm == "good" && !(res.WallSeconds < toyproblem.HeavyTime.Seconds()) {
				t.Errorf("the hand-over is charged: %v s", res.WallSeconds)
			}
		})
	}
}

// What ends a worker while it proves or solves a relaxation, its own fault or the time limit, costs the proof or lp_bound and not the
// judged result, nor the next unit.
func TestEndWhileProving(t *testing.T) {
	for name, request := range map[string]bench.Request{
		"dies": {Algorithm: "dies-proving", Prove: true}, "hangs": {Algorithm: "hangs-proving", Prove: true},
		"dies relaxing": {Algorithm: "dies-proving", Relax: true}, "hangs relaxing": {Algorithm: "hangs-proving", Relax: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.CheckTimeout, o.Solutions = 100*time.Millisecond, 1000
			w := worker.New(o)
			defer w.Close()
			u := &bench.Unit{
				Instance: toyproblem.Instance(t, "three", 5, 1, 2), Request: request,
				Limits: bench.Limits{Time: time.Second},
			}
			res, err := w.Run(t.Context(), u)
			if err != nil || res.Status != bench.Optimal || res.Objective == nil || *res.Objective != 2 || len(res.Solution) == 0 ||
				len(res.Proof) > 0 || res.LPBound != nil || request.Relax && res.Error != "" ||
				request.Prove && !strings.Contains(res.Error, "the proof was not made: the worker process was ended") {
				t.Errorf("%+v, %v", res, err)
			}
			if res := run(t, w, "good", bench.Limits{}); res.Status != bench.Optimal {
				t.Errorf("the next unit ends as %s: %s", res.Status, res.Error)
			}
		})
	}
}

// A process is used again while it behaves, and never after it misbehaved.
func TestReuse(t *testing.T) {
	for _, c := range []struct {
		algorithm string
		limits    bench.Limits
		reused    bool
	}{
		{"first", bench.Limits{}, true},
		{"slow", bench.Limits{Time: 50 * time.Millisecond}, true},
		{"noisy", bench.Limits{}, true},
		{"panics", bench.Limits{}, false},
		{"litters", bench.Limits{}, false},
		{"deaf", bench.Limits{Time: 50 * time.Millisecond}, false},
	} {
		t.Run(c.algorithm, func(t *testing.T) {
			t.Parallel()
			w := worker.New(options())
			defer w.Close()
			before := *run(t, w, "pid", bench.Limits{}).Claimed
			run(t, w, c.algorithm, c.limits)
			if after := *run(t, w, "pid", bench.Limits{}).Claimed; (after == before) != c.reused {
				t.Errorf("process %v, then %v: reused must be %v", before, after, c.reused)
			}
		})
	}
}

// The first unit on an instance after one on another sends the new instance.
func TestInstanceChanges(t *testing.T) {
	w := worker.New(options())
	defer w.Close()
	for i, want := range []float64{3, 4, 3, 3} {
		u := &bench.Unit{Instance: toyproblem.Instance(t, "one", want), Request: bench.Request{Algorithm: "first"}}
		res, err := w.Run(t.Context(), u)
		if err != nil || res.Objective == nil || *res.Objective != want {
			t.Errorf("unit %d: %+v, %v; want objective %v", i, res, err, want)
		}
	}
}

// A worker that dies while it is idle costs nothing.
func TestIdleDeath(t *testing.T) {
	w := worker.New(options())
	defer w.Close()
	pid := int(*run(t, w, "pid", bench.Limits{}).Claimed)
	fail.On(t, unix.Kill(pid, unix.SIGKILL))
	await.Gone(t, pid)
	if res := run(t, w, "good", bench.Limits{}); res.Status != bench.Optimal {
		t.Errorf("after the idle worker's death: %s, %s", res.Status, res.Error)
	}
}

// The time limit reaches children that ignore SIGTERM.
func TestGrandchildIsKilled(t *testing.T) {
	pidfile := filepath.Join(t.TempDir(), "pid")
	w := worker.New(options())
	defer w.Close()
	u := &bench.Unit{
		Instance: toyproblem.Instance(t, pidfile, 1), Request: bench.Request{Algorithm: "stubborn"},
		Limits: bench.Limits{Time: time.Second},
	}
	res, err := w.Run(t.Context(), u)
	if err != nil || res.Status != bench.Timeout {
		t.Fatalf("%+v, %v", res, err)
	}
	await.Gone(t, readPID(t, pidfile))
}

// startCommand does what package command does: it starts an executable in a process group of its own, which works in a
// temporary folder. The executable has a child that only its session betrays, and ignores SIGTERM.
func startCommand(file string) {
	dir, err := os.MkdirTemp("", "command-")
	if err == nil {
		cmd := exec.Command("sh", "-c", `trap "" TERM; (sleep 1000 >/dev/null & echo $! > child); cat child; exec >&-
			while :; do sleep 1; done`)
		cmd.Dir, cmd.SysProcAttr = dir, &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		var out io.Reader
		out, err = cmd.StdoutPipe()
		if err == nil {
			err = cmd.Start()
			if err == nil {
				r := bufio.NewReader(out)
				child, _ := r.ReadString('\n')
				err = os.WriteFile(file, fmt.Appendf(nil, "%s %d %s", strings.TrimSpace(child), cmd.Process.Pid, os.TempDir()), 0o600)
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// However a worker ends, the commands that it has started end, too, and its temporary folder is gone.
func TestNothingIsLeft(t *testing.T) {
	short := bench.Limits{Time: 200 * time.Millisecond}
	for _, c := range []struct {
		name, algorithm string
		limits          bench.Limits
		cancel          bool
	}{
		{"closed", "good", bench.Limits{}, false},
		{"time limit", "deaf", short, false},
		{"memory limit", "deaf", bench.Limits{Memory: 1 << 20}, false},
		{"interrupted", "deaf", bench.Limits{}, true},
		{"killed", "killed", bench.Limits{}, false},
		{"crashed", "segv", bench.Limits{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "command")
			o := options()
			o.Env = append(o.Env, commandEnv+"="+file)
			w := worker.New(o)
			defer w.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if c.cancel {
				go func() {
					await.File(t, file)
					cancel()
				}()
			}
			u := &bench.Unit{
				Instance: toyproblem.Instance(t, "one", 1), Request: bench.Request{Algorithm: c.algorithm}, Limits: c.limits,
			}
			if _, err := w.Run(ctx, u); c.cancel != errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			w.Close()
			var child, pid int
			var tmp string
			text, err := os.ReadFile(file)
			fail.On(t, err)
			if _, err := fmt.Sscan(string(text), &child, &pid, &tmp); err != nil {
				t.Fatalf("%v in %q", err, text)
			}
			await.Gone(t, child)
			await.Gone(t, pid)
			if !strings.HasPrefix(filepath.Base(tmp), fmt.Sprintf("schedgap-worker-%d-", os.Getpid())) {
				t.Errorf("the worker's temporary folder is %s", tmp)
			}
			if _, err := os.Stat(tmp); !os.IsNotExist(err) {
				t.Errorf("%s is left behind: %v", tmp, err)
			}
		})
	}
}

func readPID(t *testing.T, file string) int {
	t.Helper()
	text, err := os.ReadFile(file)
	fail.On(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	fail.On(t, err)
	return pid
}

// The end of the context kills the unit and gives no result.
func TestInterrupt(t *testing.T) {
	w := worker.New(options())
	defer w.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	in := toyproblem.Instance(t, "one", 1)
	if res, err := w.Run(ctx, &bench.Unit{Instance: in, Request: bench.Request{Algorithm: "deaf"}}); err == nil {
		t.Errorf("an interrupted unit has the result %+v", res)
	}
}

// A command that is no worker is an error with its last words, not a row.
func TestNoWorker(t *testing.T) {
	w := worker.New(worker.Options{Command: []string{"sh", "-c", "echo no such' thing' >&2; exit 3"}})
	defer w.Close()
	in := toyproblem.Instance(t, "one", 1)
	_, err := w.Run(t.Context(), &bench.Unit{Instance: in, Request: bench.Request{Algorithm: "first"}})
	if err == nil || !strings.Contains(err.Error(), "no such thing") {
		t.Errorf("error %v does not hold the last words", err)
	}
}

// A process of another build of the program is no worker, even if it is as good as one.
func TestOtherBuild(t *testing.T) {
	data, err := os.ReadFile(os.Args[0])
	fail.On(t, err)
	o := options()
	o.Command = []string{filepath.Join(t.TempDir(), "rebuilt")}
	fail.On(t, os.WriteFile(o.Command[0], append(data, 0), 0o755))
	w := worker.New(o)
	defer w.Close()
	u := &bench.Unit{Instance: toyproblem.Instance(t, "one", 1), Request: bench.Request{Algorithm: "first"}}
	if res, err := w.Run(t.Context(), u); err == nil || !strings.Contains(err.Error(), "is another build of this program") {
		t.Errorf("%+v, %v", res, err)
	}
}

// A process that dies between becoming ready and getting its job, as one that is killed from outside may, is replaced.
func TestDeathBeforeTheJob(t *testing.T) {
	o := options()
	mark := filepath.Join(t.TempDir(), "mark")
	o.Command = []string{
		"sh", "-c", `if [ -e "$1" ]; then exec "$2"; fi; touch "$1"; exec <&-; echo "{\"kind\":\"ready\",\"build\":\"$3\"}"`, "sh",
		mark, os.Args[0], sysinfo.BuildID(),
	}
	w := worker.New(o)
	defer w.Close()
	if res := run(t, w, "good", bench.Limits{}); res.Status != bench.Optimal {
		t.Errorf("%s: %s", res.Status, res.Error)
	}
}

// A solution comes along where it is wanted.
func TestRunOne(t *testing.T) {
	in := toyproblem.Instance(t, "two", 7, 8)
	res := worker.RunOne(t.Context(), options(), in, bench.Request{Algorithm: "good"}, bench.Limits{Time: time.Minute})
	want := `{"problem":"toy","instance":"two","algorithm":"good","objective":7,"pick":0}`
	if res.Status != bench.Optimal || string(res.Solution) != want {
		t.Errorf("%s, solution %s; want %s", res.Status, res.Solution, want)
	}
	if res.PeakRSSBytes == nil || *res.PeakRSSBytes < 1<<20 || res.CPUSeconds == nil || res.WallSeconds <= 0 {
		t.Errorf("peak %v, cpu %v, wall %v", res.PeakRSSBytes, res.CPUSeconds, res.WallSeconds)
	}
	w := worker.New(options())
	defer w.Close()
	if res := run(t, w, "good", bench.Limits{}); res.Solution != nil {
		t.Errorf("unwanted solution %s", res.Solution)
	}
}

// A worker leaves nothing behind when its parent is killed.
func TestOrphan(t *testing.T) {
	in, stdin, err := os.Pipe()
	fail.On(t, err)
	answers, out, err := os.Pipe()
	fail.On(t, err)
	p, err := os.StartProcess(os.Args[0], os.Args[:1], &os.ProcAttr{
		Env: append(os.Environ(), workerEnv), Files: []*os.File{in, out, os.Stderr},
		Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	in.Close()
	out.Close()
	fail.On(t, err)
	inst := toyproblem.Instance(t, "one", 1)
	fmt.Fprintf(stdin, `{"id":1,"instance":%s,"sha256":%q,"request":{"algorithm":"deaf"}}`+"\n",
		bytes.TrimSpace(inst.JSON), inst.SHA256)
	buf := make([]byte, 4096)
	for text := ""; !strings.Contains(text, `"start"`); {
		n, err := answers.Read(buf)
		if err != nil {
			t.Fatalf("%v after %s", err, text)
		}
		text += string(buf[:n])
	}
	stdin.Close()
	if _, err := io.Copy(io.Discard, answers); err != nil {
		t.Fatal(err)
	}
	answers.Close()
	if state, err := p.Wait(); err != nil || state.ExitCode() != 1 {
		t.Errorf("the orphan ended with %v, %v; want exit code 1", state, err)
	}
}

// BenchmarkUnitOverhead is what a unit costs beyond its algorithm: an algorithm that does nothing, in a warm process, on an
// instance that the process has. Beside wall time it prints, for this process and the worker's together, processor time, that of the
// system, and switches between threads, and how many calls in one process take as much processor time.
func BenchmarkUnitOverhead(b *testing.B) {
	u := &bench.Unit{
		Instance: toyproblem.Instance(b, "three", 5, 1, 2), Request: bench.Request{Algorithm: "first", Threads: 1},
		Limits: bench.Limits{Time: time.Minute, Memory: 4 << 30},
	}
	w := worker.New(options())
	if _, err := w.Run(b.Context(), u); err != nil { // the process has started
		b.Fatal(err)
	}
	cpu, system, switches := spent(b)
	for b.Loop() {
		if res, err := w.Run(b.Context(), u); err != nil || res.Status != bench.Feasible {
			b.Fatal(res, err)
		}
	}
	w.Close() // only then does the system say what it used
	cpuAfter, systemAfter, switchesAfter := spent(b)
	n := float64(b.N)
	unit := float64(cpuAfter-cpu) / n
	b.ReportMetric(unit, "cpu-ns/op")
	b.ReportMetric(float64(systemAfter-system)/n, "sys-ns/op")
	b.ReportMetric(float64(switchesAfter-switches)/n, "switches/op")
	cpu, _, _ = spent(b)
	const calls = 1000
	for range calls {
		u.Instance.Problem.Run(b.Context(), u.Instance, u.Request, bench.Observer{})
	}
	cpuAfter, _, _ = spent(b)
	b.ReportMetric(unit*calls/float64(max(1, cpuAfter-cpu)), "x-in-process")
}

// spent is what this process and its children that have ended have used: processor time, the system's part, and switches.
func spent(b *testing.B) (cpu, system time.Duration, switches int64) {
	b.Helper()
	for _, who := range []int{unix.RUSAGE_SELF, unix.RUSAGE_CHILDREN} {
		var u unix.Rusage
		fail.On(b, unix.Getrusage(who, &u))
		cpu += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		system += time.Duration(u.Stime.Nano())
		switches += u.Nvcsw + u.Nivcsw
	}
	return cpu, system, switches
}

// BenchmarkColdStart is the same with a new process for every unit.
func BenchmarkColdStart(b *testing.B) {
	u := &bench.Unit{
		Instance: toyproblem.Instance(b, "three", 5, 1, 2), Request: bench.Request{Algorithm: "first", Threads: 1},
	}
	for b.Loop() {
		w := worker.New(options())
		if res, err := w.Run(b.Context(), u); err != nil || res.Status != bench.Feasible {
			b.Fatal(res, err)
		}
		w.Close()
	}
}
