package worker

import (
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/proc"
	"schedgap/bench/toyproblem"
	"schedgap/models/fail"
)

// unitOf is a unit on 5, 1, 2, of a command or of an algorithm.
func unitOf(t *testing.T, command bool, l bench.Limits) *bench.Unit {
	u := &bench.Unit{Instance: toyproblem.Instance(t, "three", 5, 1, 2), Request: bench.Request{Algorithm: "first", Threads: 1}, Limits: l}
	if command {
		u.Request.Command = []string{"true"}
	}
	return u
}

func TestPhases(t *testing.T) {
	w := New(Options{CheckTimeout: 20 * time.Second})
	second := func(n int) time.Duration { return time.Duration(n) * time.Second }
	plain := proc.Limits{Memory: 7, CPU: second(3)}
	of := func(n int) proc.Limits { return proc.Limits{Time: second(n), Memory: 7, CPU: second(3)} }
	awake := func(n int, memory int64) proc.Limits {
		return proc.Limits{Time: second(n), Memory: memory, Awake: true}
	}
	for name, c := range map[string]struct {
		command bool
		limits  bench.Limits
		want    phases
	}{
		"no time": {false, bench.Limits{Memory: 7, CPU: second(3)}, phases{plain, plain, nil, nil}},
		"time": {
			false,
			bench.Limits{Time: second(2), Memory: 7, CPU: second(3)},
			phases{of(63), of(3), new(of(20)), new(of(23))},
		},
		"command": {true, bench.Limits{}, phases{awake(60, 0), awake(0, 0), new(awake(10, 0)), nil}},
		"limited command": {
			true,
			bench.Limits{Time: second(15), Memory: 1 << 30},
			phases{awake(60, 0), awake(21, 0), new(awake(15, 5+1<<30)), nil},
		},
	} {
		if got := w.phases(unitOf(t, c.command, c.limits), &child{idle: 5}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestCheckMemory(t *testing.T) {
	for _, c := range []struct{ idle, limit, want int64 }{{5, 0, 1 << 62}, {5, 1, 5 + 100<<20}, {5, 1 << 30, 5 + 1<<30}} {
		if got := checkMemory(c.idle, c.limit); got != c.want {
			t.Errorf("%d bytes for a limit of %d, want %d", got, c.limit, c.want)
		}
	}
}

// peaked is a feasible result with a peak of memory; nil: an unknown one.
func peaked(peak *int64) *bench.Result {
	res := &bench.Result{Status: bench.Feasible}
	res.PeakRSSBytes = peak
	return res
}

// A result has the peak of the algorithm, not that of a later pass, and is out of memory beyond its limit only.
func TestMeasured(t *testing.T) {
	for name, c := range map[string]struct {
		peak              *int64
		most              int64
		unproven          *bench.Result
		limit             int64
		want              *int64
		status            bench.Status
		bound, wantsBound *float64
	}{
		"known":        {peak: new(int64(10)), most: 20, want: new(int64(10)), status: bench.Feasible, bound: new(1.0)},
		"watched":      {most: 20, want: new(int64(20)), status: bench.Feasible},
		"unknown":      {status: bench.Feasible},
		"at the limit": {peak: new(int64(10)), most: 15, limit: 15, want: new(int64(10)), status: bench.Feasible},
		"beyond": {
			peak: new(int64(10)), most: 16, limit: 15, want: new(int64(16)), status: bench.OOM, bound: new(1.0),
			wantsBound: new(1.0),
		},
		"beyond, known": {peak: new(int64(16)), most: 10, limit: 15, want: new(int64(16)), status: bench.OOM},
		"while proving": {
			peak: new(int64(10)), most: 20, unproven: peaked(new(int64(10))), limit: 15, want: new(int64(10)),
			status: bench.Feasible,
		},
		"before proving": {
			peak: new(int64(16)), most: 20, unproven: peaked(new(int64(16))), limit: 15, want: new(int64(16)),
			status: bench.OOM,
		},
		"proof, no peak":  {most: 20, unproven: &bench.Result{}, limit: 15, want: new(int64(20)), status: bench.OOM},
		"proof, no limit": {most: 20, unproven: &bench.Result{}, want: new(int64(20)), status: bench.Feasible},
	} {
		u := unitOf(t, false, bench.Limits{Memory: c.limit})
		sent := u.Instance.Problem.Blank(u.Request)
		sent.Status, sent.PeakRSSBytes = bench.Feasible, c.peak
		e := &exit{result: sent, unproven: c.unproven, most: proc.Usage{RSS: c.most}, found: partial{bound: c.bound}}
		res := New(Options{}).judge(u, e)
		if res.Status != c.status || !reflect.DeepEqual(res.PeakRSSBytes, c.want) || !reflect.DeepEqual(res.Bound, c.wantsBound) {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

// ending is how a shell ends.
func ending(t *testing.T, script string) *os.ProcessState {
	t.Helper()
	cmd := exec.Command("sh", "-c", script)
	_ = cmd.Run() // its error is the exit code, which the state has
	if cmd.ProcessState == nil {
		t.Fatal("no shell")
	}
	return cmd.ProcessState
}

func TestDied(t *testing.T) {
	killed, failed := ending(t, "kill -9 $$"), ending(t, "exit 2")
	now := time.Now()
	long := now.Add(-time.Hour)
	for name, c := range map[string]struct {
		command bool
		exit    exit
		stderr  string
		status  bench.Status
		says    string
	}{
		"early": {
			exit: exit{state: killed}, status: bench.Crash,
			says: "before the algorithm started (signal: killed)",
		},
		"loading": {
			exit: exit{state: killed, cause: proc.Memory}, status: bench.OOM,
			says: "killed beyond the memory limit",
		},
		"itself": {
			exit: exit{state: failed, began: now}, status: bench.Crash,
			says: "the worker process died (exit status 2)",
		},
		"the kernel": {
			exit: exit{state: killed, began: now, oomKilled: true}, status: bench.OOM,
			says: "the machine ran out of memory",
		},
		"beside the kernel": {exit: exit{state: failed, began: now, oomKilled: true}, status: bench.Crash, says: "exit status 2"},
		"says so": {
			exit: exit{state: failed, began: now}, stderr: "std::bad_alloc", status: bench.OOM,
			says: "ran out of memory",
		},
		"says so, killed": {
			exit: exit{state: killed, began: now}, stderr: "out of memory", status: bench.Crash,
			says: "signal: killed",
		},
		"late": {exit: exit{state: killed, began: now, cause: proc.Time}, status: bench.Timeout},
		"late command": {
			command: true, exit: exit{state: killed, began: now, cause: proc.Time},
			status: bench.Timeout, says: "with its supervisor",
		},
		"long output": {
			command: true,
			exit: exit{
				state: killed, began: now, returned: now, cause: proc.Time,
				phases: phases{checking: &proc.Limits{Time: 9}},
			},
			status: bench.Error, says: "was not read and checked within 9ns",
		},
		"large output": {
			command: true,
			exit: exit{
				state: killed, began: now, returned: now, cause: proc.Memory,
				phases: phases{checking: &proc.Limits{Memory: 9}},
			},
			status: bench.OOM, says: "more than 9 bytes",
		},
		"slow check": {
			exit:   exit{state: killed, began: long, returned: long, cause: proc.Time},
			status: bench.Error, says: "not checked and handed over within 1m0s",
		},
		"while proving": {exit: exit{state: killed, began: now, returned: now, cause: proc.Time}, status: bench.Timeout},
	} {
		for _, rss := range []int64{0, 5} {
			e := c.exit
			e.most.RSS, e.child = rss, &child{process: &proc.Process{Stderr: &proc.Tail{}}}
			if _, err := e.child.process.Stderr.Write([]byte(c.stderr)); err != nil {
				t.Fatal(err)
			}
			res := New(Options{}).died(unitOf(t, c.command, bench.Limits{}), &e)
			if res.Status != c.status || !strings.Contains(res.Error, c.says) || c.says == "" && res.Error != "" {
				t.Errorf("%s: %s, %q", name, res.Status, res.Error)
			}
			known := rss > 0 && !c.command && !e.notBegun()
			if (res.PeakRSSBytes != nil) != known || known && *res.PeakRSSBytes != rss {
				t.Errorf("%s: peak %v of %d", name, res.PeakRSSBytes, rss)
			}
		}
	}
}

// A process is kept below half of its limit: by the peak of its unit, or else by a look at it.
func TestReusable(t *testing.T) {
	const half = 256 << 20
	p, stdin, stdout, err := proc.StartPiped(exec.Command("cat"), proc.Options{})
	fail.On(t, err)
	defer p.End(time.Second)
	defer stdout.Close()
	defer stdin.Close()
	for name, c := range map[string]struct {
		peak  *int64
		prove bool
		looks bool
	}{
		"little":  {peak: new(int64(100 << 20))},
		"half":    {peak: new(int64(half)), looks: true},
		"much":    {peak: new(int64(2 * half)), looks: true},
		"unknown": {looks: true},
		"proof":   {peak: new(int64(100 << 20)), prove: true, looks: true},
	} {
		u := unitOf(t, false, bench.Limits{Memory: 2 * half})
		u.Request.Prove = c.prove
		e := &exit{child: &child{process: p}, result: peaked(c.peak)}
		if !e.reusable(u) || (e.child.idle < 100<<20) != c.looks {
			t.Errorf("%s: not kept, or for another reason: %d bytes", name, e.child.idle)
		}
	}
}

// A command's solution is checked here if nobody has, and sent on up to the size that is asked for.
func TestCheck(t *testing.T) {
	good := `{"problem":"toy","instance":"three","algorithm":"mine","pick":2}`
	for name, c := range map[string]struct {
		solution  string
		most      int
		status    bench.Status
		objective bool
		kept      int
	}{
		"kept":    {good, len(good), bench.Feasible, true, len(good)},
		"dropped": {good, len(good) - 1, bench.Feasible, true, 0},
		"broken":  {"{", len(good), bench.Error, false, 0},
	} {
		u := unitOf(t, true, bench.Limits{})
		sent := u.Instance.Problem.Blank(u.Request)
		sent.Status, sent.Solution = bench.Feasible, json.RawMessage(c.solution)
		res := New(Options{Solutions: c.most}).judge(u, &exit{result: sent})
		if res.Status != c.status || (res.Objective != nil) != c.objective || len(res.Solution) != c.kept {
			t.Errorf("%s: %s, %d bytes, %q", name, res.Status, len(res.Solution), res.Error)
		}
	}
}

// A process that has grown beyond the limit of the next unit gives way to a new one; one that has shrunk stays.
func TestSmallLimitAfterLarge(t *testing.T) {
	w := New(Options{Command: []string{os.Args[0]}, Env: []string{"SCHEDGAP_TEST_WORKER=1"}})
	defer w.Close()
	run := func(memory int64) *bench.Result {
		res, err := w.Run(t.Context(), unitOf(t, false, bench.Limits{Memory: memory}))
		fail.On(t, err)
		return res
	}
	run(0)
	first := w.algorithms
	first.idle = 1 << 40
	if res := run(1 << 39); res.Status != bench.Feasible || w.algorithms != first {
		t.Errorf("%s, %q; the process is kept: %v", res.Status, res.Error, w.algorithms == first)
	}
	first.idle = 1 << 40
	if res := run(2 << 20); res.Status != bench.OOM || w.algorithms == nil || w.algorithms == first {
		t.Errorf("%s, %q; the process is kept: %v", res.Status, res.Error, w.algorithms == first)
	}
}

func TestDefaults(t *testing.T) {
	for _, c := range []struct{ grace, want time.Duration }{{0, time.Second}, {5, 5}} {
		if got := New(Options{Grace: c.grace}).options.Grace; got != c.want {
			t.Errorf("grace %v, want %v", got, c.want)
		}
	}
	for bytes, want := range map[int]bool{-1: false, mostBytes: true, mostBytes + 1: false} {
		if (&message{Kind: start, Bytes: bytes}).complete() != want {
			t.Errorf("a message of %d bytes is complete: %v", bytes, !want)
		}
	}
}

// An invalid incumbent makes a unit that ran out of time invalid; one that ended otherwise says so all the same.
func TestInvalidIncumbent(t *testing.T) {
	incumbent := partial{solution: json.RawMessage(`{"problem":"toy","instance":"three","algorithm":"first","pick":1}`)}
	for died, want := range map[bench.Status]bench.Status{bench.Timeout: bench.Invalid, bench.OOM: bench.OOM, bench.Crash: bench.Crash} {
		u := unitOf(t, false, bench.Limits{})
		res := u.Instance.Problem.Blank(u.Request)
		res.Status, res.Error = died, "why"
		incumbent.fill(res, u)
		if res.Status != want || (res.Error == "why") != (want == died) || res.Feasible == nil || *res.Feasible {
			t.Errorf("%s: %+v", died, res)
		}
	}
}

// An instance of a batch may take twice as long as alone and two seconds more, within its limit.
func TestBatchTime(t *testing.T) {
	for _, c := range []struct {
		limit time.Duration
		alone float64
		want  time.Duration
	}{{10 * time.Second, 1.5, 5 * time.Second}, {4 * time.Second, 1.5, 4 * time.Second}} {
		if got := batchTime(c.limit, c.alone); got != c.want {
			t.Errorf("%v s alone, at most %v: %v, want %v", c.alone, c.limit, got, c.want)
		}
	}
}

// Workers get processors in turn, from one on that depends on the process.
func TestShare(t *testing.T) {
	free, err := CPUs()
	if err != nil {
		t.Skip(err) // the system tells no processors, and nothing is pinned
	}
	list, err := Share(2, len(free)+1)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	for _, of := range list {
		for i, cpu := range of {
			if len(of) != len(free) || cpu != free[(os.Getpid()+i)%len(free)] {
				t.Errorf("processors %v of %v", of, free)
			}
		}
	}
}
