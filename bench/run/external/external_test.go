package external_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/external"
	"schedgap/bench/toyproblem"
	"schedgap/models/environ"
	"schedgap/models/fail"
	"schedgap/models/trials/await"
	"schedgap/scripts/pythontest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pythontest.With(m)) }

// answer is a shell command that prints a solution of the instance three.
func answer(fields string) string {
	return `echo '{"problem":"toy","instance":"three","algorithm":"mine",` + fields + `}'`
}

func run(t *testing.T, script string, limits bench.Limits) *bench.Result {
	t.Helper()
	r := bench.Request{Algorithm: "mine", Seed: 7, Threads: 2, Command: []string{"sh", "-c", script}}
	o := external.Options{Dir: t.TempDir(), Grace: 100 * time.Millisecond}
	res, err := external.Run(t.Context(), toyproblem.Instance(t, "three", 5, 1, 2), r, limits, o)
	fail.On(t, err)
	return res
}

// Whatever a command does, its row says what it was.
func TestStatuses(t *testing.T) {
	short := bench.Limits{Time: 300 * time.Millisecond}
	for _, c := range []struct {
		name, script string
		limits       bench.Limits
		status       bench.Status
		objective    float64 // 0: none
		errorHas     string
	}{
		{"good", answer(`"pick":2`), bench.Limits{}, bench.Feasible, 2, ""},
		{"right claim", answer(`"pick":2,"objective":2`), bench.Limits{}, bench.Feasible, 2, ""},
		{
			"wrong claim", answer(`"pick":2,"objective":1`),
			bench.Limits{},
			bench.Invalid, 2,
			"claims the objective 1, the checker says 2",
		},
		{"infeasible", "echo oops >&2;" + answer(`"pick":1`), bench.Limits{}, bench.Invalid, 1, "even at pick by 1\nstderr: oops"},
		{"unknown field", answer(`"pick":2,"x":1`), bench.Limits{}, bench.Error, 0, "the command's output: x: unknown field"},
		{"garbage", "echo Hello", bench.Limits{}, bench.Error, 0, "the command's output: not valid JSON"},
		{"twice", answer(`"pick":0`) + ";" + answer(`"pick":2`), bench.Limits{}, bench.Feasible, 2, ""},
		{
			"twice on a line", strings.Replace(answer(`"pick":0`), "echo", "printf", 1) + ";" + answer(`"pick":2`),
			bench.Limits{},
			bench.Feasible, 2, "",
		},
		{"the last is refused", answer(`"pick":2`) + ";" + answer(`"pick":1`), bench.Limits{}, bench.Invalid, 1, "even at pick by 1"},
		{
			"ends in half a solution", answer(`"pick":2`) + ";printf '{\"problem\":'",
			bench.Limits{},
			bench.Error, 0,
			"the command's output: problem: the JSON document ends too early",
		},
		{"talks afterwards", answer(`"pick":2`) + "; echo done", bench.Limits{}, bench.Error, 0, "trailing data"},
		{"a list", "echo '[{}]'", bench.Limits{}, bench.Error, 0, "the command's output"},
		{
			"braces and quotes in strings", answer(`"pick":2`) + `; echo '{"a":"}\"]","b":[{}]}'; ` + answer(`"pick":2`),
			bench.Limits{},
			bench.Feasible, 2, "",
		},
		{"hangs within the second", answer(`"pick":2`) + "; printf '{\"problem\":'; sleep 1000", short, bench.Timeout, 2, ""},
		{"another instance", strings.Replace(answer(`"pick":2`), "three", "four", 1), bench.Limits{}, bench.Error, 0, `"four"`},
		{"silent", "true", bench.Limits{}, bench.Error, 0, "the command printed no solution"},
		{"fails", answer(`"pick":2`) + "; echo oops >&2; exit 3", bench.Limits{}, bench.Error, 0, "exit status 3)\nstderr: oops"},
		{"is not applicable", "echo x; echo no deadlines >&2; exit 77", bench.Limits{}, bench.Skipped, 0, "no deadlines"},
		{"is not applicable and silent", "exit 77", bench.Limits{}, bench.Skipped, 0, "exit code 77"},
		{"dies", "kill -SEGV $$", bench.Limits{}, bench.Crash, 0, "signal: segmentation fault"},
		{"hangs", "sleep 1000", short, bench.Timeout, 0, ""},
		{
			"hangs with last words", "echo oops >&2; sleep 1000", short, bench.Timeout, 0,
			"killed at the time limit of 300ms\nstderr: oops",
		},
		{"hangs after half a solution", "printf '{\"problem\":'; sleep 1000", short, bench.Timeout, 0, ""},
		{"hangs after a solution", answer(`"pick":2`) + "; sleep 1000", short, bench.Timeout, 2, ""},
		{
			"answers SIGTERM", "exec 2>/dev/null; last() { " + answer(`"pick":2`) + "; }; trap last TERM; sleep 1000",
			short, bench.Timeout, 2, "",
		},
		{"leaks", "head -c 2000000000 /dev/zero | tail", bench.Limits{Memory: 100 << 20}, bench.OOM, 0, "104857600 bytes"},
		{
			"spins in children", "echo oops >&2; for i in 1 2 3 4; do sh -c 'while :; do :; done' & done; wait",
			bench.Limits{Time: 20 * time.Second, CPU: 300 * time.Millisecond},
			bench.Timeout, 0, "CPU limit of 300ms\nstderr: oops",
		},
		{
			"prints without end", `trap "" PIPE; yes 2>&-; sleep 1000`,
			bench.Limits{},
			bench.Invalid, 0,
			"printed more than 67108864 bytes, the limit on output",
		},
		{
			"prints more than it may", answer(`"pick":2`) + "; head -c 2000000 /dev/zero | tr '\\0' ' '",
			bench.Limits{Output: 1 << 20},
			bench.Invalid, 0, "printed more than 1048576 bytes, the limit on output",
		},
		{
			"takes too much for a moment", "dd if=/dev/zero of=/dev/null bs=400M count=1; exit 1",
			bench.Limits{Memory: 200 << 20},
			bench.OOM, 0, "memory limit of 209715200 bytes",
		},
		{
			"prints much", answer(`"pick":2`) + "; head -c 3000000 /dev/zero | tr '\\0' ' '",
			bench.Limits{},
			bench.Feasible, 2, "",
		},
		{"reads nothing", "exec <&-; " + answer(`"pick":0`), bench.Limits{}, bench.Feasible, 5, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			res := run(t, c.script, c.limits)
			objective := 0.0
			if res.Objective != nil {
				objective = *res.Objective
			}
			if res.Status != c.status || objective != c.objective {
				t.Errorf("%s with objective %v, want %s with %v (error %q)",
					res.Status, objective, c.status, c.objective, res.Error)
			}
			if (c.errorHas == "") != (res.Error == "") || !strings.Contains(res.Error, c.errorHas) {
				t.Errorf("error %q does not say %q", res.Error, c.errorHas)
			}
			if used := res.CPUSeconds; used != nil && *used < c.limits.CPU.Seconds() {
				t.Errorf("%v s of processor time, beyond a limit of %v", *used, c.limits.CPU)
			}
			if res.Kind != "external" || res.Reference != "opt" || res.WallSeconds <= 0 || res.CPUSeconds == nil {
				t.Errorf("%+v", res)
			}
		})
	}
}

// A command that prints a solution of 5, one of 2 that claims to be 1, one of 2 and half of another, and then hangs has had 5 and
// 2 when it is stopped, at the times at which they were printed; both are there however much it prints in between.
func TestProgress(t *testing.T) {
	for name, between := range map[string]string{"in memory": ":", "in a file": "head -c 2000000 /dev/zero | tr '\\0' ' '"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			script := strings.Join([]string{
				answer(`"pick":0`), "sleep 0.3", answer(`"pick":2,"objective":1`), between, "sleep 0.3", answer(`"pick":2`), "printf '{'",
				"sleep 1000",
			}, ";")
			r := bench.Request{Algorithm: "mine", Threads: 1, Command: []string{"sh", "-c", script}}
			limits := bench.Limits{Time: 3 * time.Second}
			o := external.Options{Dir: t.TempDir(), Grace: 100 * time.Millisecond, Progress: true}
			res, err := external.Run(t.Context(), toyproblem.Instance(t, "three", 5, 1, 2), r, limits, o)
			if err != nil || res.Status != bench.Timeout || res.Objective == nil || *res.Objective != 2 || len(res.Progress) != 2 {
				t.Fatalf("%+v, %v", res, err)
			}
			first, last := res.Progress[0], res.Progress[1]
			if *first.Objective != 5 || *last.Objective != 2 || first.CPUSeconds != nil ||
				last.WallSeconds <= first.WallSeconds || last.WallSeconds > 3 {
				t.Errorf("%v at %v, %v at %v", *first.Objective, first.WallSeconds, *last.Objective, last.WallSeconds)
			}
		})
	}
}

// The command gets the instance file, its settings in the environment, and runs in its folder.
func TestEnvironment(t *testing.T) {
	script := `cat >&2; echo $SCHEDGAP_SEED $SCHEDGAP_TIME_LIMIT_SECONDS $SCHEDGAP_THREADS >&2; pwd >&2; exit 1`
	res := run(t, script, bench.Limits{Time: 1500 * time.Millisecond})
	want := string(toyproblem.Instance(t, "three", 5, 1, 2).JSON) + "7 1.5 2\n"
	if !strings.Contains(res.Error, want) || !strings.Contains(res.Error, os.TempDir()) {
		t.Errorf("the command saw %q, want %q and its folder", res.Error, want)
	}
}

// A command that cannot start says what is missing: the folder if that is it, however the command reads instances.
func TestMissingFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	in := toyproblem.Instance(t, "three", 5, 1, 2)
	r := bench.Request{Algorithm: "x", Command: []string{"sh", "-c", "exit 0"}}
	res, err := external.Run(t.Context(), in, r, bench.Limits{}, external.Options{Dir: dir})
	if err != nil || res.Status != bench.Error || !strings.Contains(res.Error, "starting sh: its working folder "+dir+" is not there") {
		t.Errorf("%v, %+v", err, res)
	}
	if _, err := external.StartStream(r.Command, dir, 1, time.Second); err == nil || !strings.Contains(err.Error(), dir+" is not there") {
		t.Error(err)
	}
}

// A command sees little of the environment, so that it cannot print what is secret.
func TestSecrets(t *testing.T) {
	t.Setenv("API_TOKEN", "hush")
	t.Setenv("LICENSE_FILE", "needed")
	t.Setenv(environ.Variable, "LICENSE_FILE")
	res := run(t, "env >&2; exit 1", bench.Limits{})
	if strings.Contains(res.Error, "hush") || !strings.Contains(res.Error, "LICENSE_FILE=needed") ||
		!strings.Contains(res.Error, "PATH=") {
		t.Errorf("the command saw %q", res.Error)
	}
}

// A command that does not exist is an error row, not the end of the run.
func TestMissing(t *testing.T) {
	in := toyproblem.Instance(t, "three", 5, 1, 2)
	r := bench.Request{Algorithm: "mine", Command: []string{"no-such-command-anywhere"}}
	res, err := external.Run(t.Context(), in, r, bench.Limits{}, external.Options{})
	if err != nil || res.Status != bench.Error || !strings.Contains(res.Error, "no-such-command-anywhere") {
		t.Errorf("%+v, %v", res, err)
	}
}

// An interpreter that cannot read its script has not started the algorithm. One whose script fails has, whatever files it misses.
func TestWithoutScript(t *testing.T) {
	in, dir := toyproblem.Instance(t, "three", 5, 1, 2), t.TempDir()
	script := func(name, text string) string {
		fail.On(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
		return name
	}
	fails := script("fails.sh", "cat no.json\n")
	for _, c := range []struct {
		command []string
		started bool
	}{
		{[]string{"sh", "missing.sh"}, false},
		{[]string{"sh", "-e", filepath.Join(dir, "missing.sh")}, false},
		{[]string{"python3", "missing.py"}, false},
		{[]string{"python3", "elsewhere/" + fails, "no.json"}, false},
		{[]string{"sh", fails}, true},
		{[]string{"sh", fails, "no.json"}, true},
		{[]string{"sh", "-c", "echo missing.py >&2; exit 2"}, true},
	} {
		r := bench.Request{Algorithm: "mine", Command: c.command}
		res, err := external.Run(t.Context(), in, r, bench.Limits{}, external.Options{Dir: dir})
		if err != nil || res.Status != bench.Error || (res.Raw != bench.NotStarted) != c.started {
			t.Errorf("%q: %s, %q, %v: %s", c.command, res.Status, res.Raw, err, res.Error)
		}
	}
}

// The end of the context kills the command and gives no result.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	r := bench.Request{Algorithm: "mine", Command: []string{"sleep", "1000"}}
	if res, err := external.Run(ctx, toyproblem.Instance(t, "one", 1), r, bench.Limits{}, external.Options{}); err == nil {
		t.Errorf("an interrupted command has the result %+v", res)
	}
}

// Children that ignore SIGTERM do not outlive the command: neither at the time limit nor when the command just ends.
func TestGrandchildIsKilled(t *testing.T) {
	for name, end := range map[string]string{"timeout": "sleep 1000", "normal end": answer(`"pick":2`)} {
		t.Run(name, func(t *testing.T) {
			pidfile := filepath.Join(t.TempDir(), "pid")
			script := fmt.Sprintf(`export PIDFILE=%s; sh -c '%s' >/dev/null 2>&1 & while ! [ -e %s ]; do sleep 0.01; done; %s`,
				pidfile, toyproblem.Stubborn, pidfile, end)
			run(t, script, bench.Limits{Time: time.Second})
			text, err := os.ReadFile(pidfile)
			fail.On(t, err)
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			fail.On(t, err)
			await.Gone(t, pid)
		})
	}
}

// TestLate: only what is complete by the limit counts, or what a command prints when it gets SIGTERM; what it prints in between
// without a signal makes the unit a timeout.
func TestLate(t *testing.T) {
	limits := bench.Limits{Time: 2 * time.Second} // a busy machine takes more than half a second to start a shell
	for _, c := range []struct {
		name, script string
		status       bench.Status
		objective    float64 // 0: none
	}{
		{"in time", answer(`"pick":2`), bench.Feasible, 2},
		{"too late", "sleep 2.5; " + answer(`"pick":2`), bench.Timeout, 0},
		{"in time and too late", answer(`"pick":2`) + "; sleep 2.5; " + answer(`"pick":0`), bench.Timeout, 2},
		{"half in time", `printf '{"problem":"toy","instance":"three",'; sleep 2.5; echo '"algorithm":"mine","pick":2}'`, bench.Timeout, 0},
		{"in time, but it ends later", answer(`"pick":2`) + "; sleep 2.5", bench.Feasible, 2},
		{"on SIGTERM", "trap '" + strings.ReplaceAll(answer(`"pick":2`), "'", `'"'"'`) + "; exit' TERM; sleep 9 & wait", bench.Timeout, 2},
		{"too late and killed", "sleep 2.5; " + answer(`"pick":2`) + "; sleep 9", bench.Timeout, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := toyproblem.Instance(t, "three", 5, 1, 2)
			r := bench.Request{Algorithm: "mine", Threads: 1, Command: []string{"sh", "-c", c.script}}
			res, err := external.Run(t.Context(), in, r, limits, external.Options{Dir: t.TempDir(), Grace: 3 * time.Second, Progress: true})
			fail.On(t, err)
			if got := res.Objective; res.Status != c.status || (got != nil) != (c.objective != 0) || got != nil && *got != c.objective {
				t.Errorf("%s, objective %v: %s", res.Status, got, res.Error)
			}
			if c.objective == 0 && len(res.Progress) > 0 {
				t.Errorf("progress %+v", res.Progress)
			}
		})
	}
}

// A failure has one status and one reason, whether the command is started for each instance or given one a line.
func TestBatchFailsAlike(t *testing.T) {
	for _, script := range []string{
		"echo oops >&2; exit 3", "true", "echo no deadlines >&2; exit 77", "exit 77", "kill -SEGV $$", "echo Hello",
	} {
		r := bench.Request{Algorithm: "mine", Threads: 1, Command: []string{"sh", "-c", "read x; " + script}}
		limits, o := bench.Limits{Time: 20 * time.Second}, external.Options{Dir: t.TempDir(), Grace: time.Second}
		in := toyproblem.Instance(t, "three", 5, 1, 2)
		one, err := external.Run(t.Context(), in, r, limits, o)
		fail.On(t, err)
		var b external.Batch
		line, err := b.Run(t.Context(), in, r, limits, o, nil)
		b.Close()
		if err != nil || one.Status != line.Status || one.Error != line.Error {
			t.Errorf("%s: %s, %q; in a batch %s, %q, %v", script, one.Status, one.Error, line.Status, line.Error, err)
		}
	}
}

// A batch may be given up as soon as its command waits for more than an instance, and without a limit it would wait for ever.
func TestBatchImpatient(t *testing.T) {
	var b external.Batch
	defer b.Close()
	r := bench.Request{Algorithm: "mine", Threads: 1, Command: []string{"sh", "-c", "cat >/dev/null"}}
	in := toyproblem.Instance(t, "three", 5, 1, 2)
	res, err := b.Run(t.Context(), in, r, bench.Limits{}, external.Options{Dir: t.TempDir(), Impatient: true}, nil)
	if err != nil || res.Status != bench.Crash {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestLateBatch: a line that comes after the limit is a timeout, and the process goes on to the next one.
func TestLateBatch(t *testing.T) {
	in := toyproblem.Instance(t, "three", 5, 1, 2)
	line := answer(`"pick":2`)
	r := bench.Request{Algorithm: "mine", Threads: 1, Command: []string{"sh", "-c", "read x; sleep 2.5; " + line + "; read x; " + line}}
	var b external.Batch
	defer b.Close()
	for i, want := range []bench.Status{bench.Timeout, bench.Feasible} {
		res, err := b.Run(t.Context(), in, r, bench.Limits{Time: 2 * time.Second}, external.Options{Grace: 3 * time.Second}, nil)
		if err != nil || res.Status != want || (res.Objective != nil) != (want == bench.Feasible) {
			t.Errorf("line %d: %+v, %v", i, res, err)
		}
		if want == bench.Timeout && !strings.HasPrefix(res.Error, "one of a batch: ") {
			t.Errorf("line %d: its reason does not name the batch: %s", i, res.Error)
		}
	}
}
