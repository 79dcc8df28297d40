package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"schedgap/bench"
	"schedgap/bench/run/runner"
	"schedgap/bench/run/store"
	"schedgap/models/trials/await"
)

const smallSuite = `
name: small
problem: flex
instances:
  - generate: {n: 2, seed: 3, params: {jobs: 4}}
  - files: one.json
algorithms: [opt, flex, edd, {name: flex-ls, params: {evaluations: 5}}]
limits: {time: 20s}
`

// TestRunAndReport goes the whole way: a suite is planned, run, run again without anything to do, looked at and reported.
func TestRunAndReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
	suite := write(t, dir, "small.yaml", smallSuite)
	results := filepath.Join(dir, "results")

	var s ran
	decode := func(text string) {
		t.Helper()
		s = ran{}
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	}
	decode(succeed(t, "run", suite, "-o", results, "--dry-run"))
	if s.Units != 12 || s.ToRun != 12 || len(s.Ran) != 0 {
		t.Errorf("dry run: %+v", s)
	}
	if _, err := os.Stat(results); !os.IsNotExist(err) {
		t.Errorf("a dry run makes the results folder: %v", err)
	}
	decode(succeed(t, "run", suite, "-o", results, "-a", "flex,edd", "-i", "x"))
	if s.Ran[bench.Feasible] != 1 || s.Ran[bench.Skipped] != 1 {
		t.Errorf("run of a part: %+v", s)
	}
	decode(succeed(t, "run", suite, "-o", results))
	if s.Units != 12 || s.AlreadyDone != 2 || s.Rows[bench.Optimal] != 3 || s.Rows[bench.Skipped] != 3 ||
		s.Rows[bench.Feasible] != 6 {
		t.Errorf("run: %+v", s)
	}
	decode(succeed(t, "run", suite, "-o", results))
	if s.AlreadyDone != 12 || s.ToRun != 0 {
		t.Errorf("second run: %+v", s)
	}

	var status []runner.AlgorithmState
	if err := json.Unmarshal([]byte(succeed(t, "status", results, "--json")), &status); err != nil {
		t.Fatal(err)
	}
	if len(status) != 4 || status[0].Algorithm != "edd" || status[0].Statuses[bench.Skipped] != 3 || status[0].Left != 0 {
		t.Errorf("status: %+v", status)
	}
	if text := succeed(t, "status", results); strings.Count(text, "\n") != 5 {
		t.Errorf("status: %s", text)
	}

	page := strings.TrimSpace(succeed(t, "report", results))
	if data, err := os.ReadFile(page); err != nil || !bytes.Contains(data, []byte("flex-ls")) {
		t.Errorf("report prints %q: %v", page, err)
	}
}

// TestReportWithoutMemory: a report that takes too much memory ends with a sentence. It is alone, as what reports may take is set for the
// whole process.
func TestReportWithoutMemory(t *testing.T) {
	if !alone(t) {
		return
	}
	dir := t.TempDir()
	results := filepath.Join(dir, "results")
	succeed(t, "run", write(t, dir, "small.yaml", small("{n: 1, seed: 1, params: {jobs: 3}}", "spt")), "-o", results)
	memoryFor = func(rows int64) uint64 { return uint64(rows) } // a byte a row
	e := schedgap(t, "report", results)
	if e.code != exitFailed || e.stdout != "" || strings.Count(e.stderr, "\n") != 1 ||
		!strings.Contains(e.stderr, "2 kB for each of") {
		t.Errorf("%+v", e)
	}
}

// TestMerge: two shards that ran in folders of their own merge into one in which nothing is left to do.
func TestMerge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
	suite := write(t, dir, "small.yaml", smallSuite)
	out := filepath.Join(dir, "all")
	for _, shard := range []string{"0", "1"} {
		succeed(t, "run", suite, "-o", filepath.Join(dir, shard), "--shard", shard+"/2")
	}
	var m merged
	text := succeed(t, "merge", filepath.Join(dir, "0"), filepath.Join(dir, "1"), "-o", out)
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.Rows != 12 || m.Instances != 3 {
		t.Errorf("merge prints %s: %v", text, err)
	}
	var s ran
	if err := json.Unmarshal([]byte(succeed(t, "run", suite, "-o", out)), &s); err != nil || s.AlreadyDone != 12 || s.ToRun != 0 {
		t.Errorf("run after the merge: %+v: %v", s, err)
	}
}

// TestRunFails: when every row failed the run has failed.
func TestRunFails(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
	suite := write(t, dir, "bad.yaml", "name: bad\nproblem: flex\ninstances: [{files: one.json}]\n"+
		"algorithms: [{name: mine, command: [/bin/false]}]\n")
	e := schedgap(t, "run", suite, "-o", filepath.Join(dir, "results"))
	if e.code != 1 || !strings.Contains(e.stdout, `"rows":{"error":1}`) || !strings.Contains(e.stderr, "every row failed") {
		t.Errorf("exit %d, stdout %s, stderr %s", e.code, e.stdout, e.stderr)
	}
}

// TestServingKeepsStdout: what native code in a worker or a supervisor prints goes to the standard error, not between the messages.
func TestServingKeepsStdout(t *testing.T) {
	t.Parallel()
	for name := range serving {
		cmd, stderr := exec.CommandContext(t.Context(), os.Args[0], name), &printed{}
		cmd.Stderr = stderr
		in, err1 := cmd.StdinPipe()
		out, err2 := cmd.StdoutPipe()
		if err := errors.Join(err1, err2, cmd.Start()); err != nil {
			t.Fatal(err)
		}
		ready, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || !strings.Contains(ready, `"ready"`) {
			t.Errorf("%s: %q, %v: %s", name, ready, err, stderr)
		}
		descriptors := fmt.Sprintf("/proc/%d/fd/", cmd.Process.Pid)
		first, err1 := os.Readlink(descriptors + "1")
		second, err2 := os.Readlink(descriptors + "2")
		if err := errors.Join(err1, err2); err != nil || first != second {
			t.Errorf("%s: native code would print to %s, the standard error is %s: %v", name, first, second, err)
		}
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			t.Errorf("%s: %v: %s", name, err, stderr)
		}
	}
}

// program starts the test binary as the program.
func program(t *testing.T, args ...string) (cmd *exec.Cmd, stdout, stderr *printed) {
	t.Helper()
	cmd, stdout, stderr = exec.Command(os.Args[0], args...), &printed{}, &printed{}
	cmd.Env = append(os.Environ(), asProgram+"=1")
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // an error only says that it has ended
	return cmd, stdout, stderr
}

// A printed can be read while a process still writes it.
type printed struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *printed) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(b)
}

func (o *printed) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// working waits until a process has a worker.
func working(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if !await.That(t, "no worker has started", func() bool {
		files, err := filepath.Glob("/proc/" + strconv.Itoa(cmd.Process.Pid) + "/task/*/children")
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			children, _ := os.ReadFile(f)
			for _, child := range bytes.Fields(children) {
				if line, _ := os.ReadFile("/proc/" + string(child) + "/cmdline"); bytes.Contains(line, []byte("\x00worker")) {
					return true
				}
			}
		}
		return false
	}) {
		t.FailNow()
	}
}

func interrupt(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
}

func exitCode(cmd *exec.Cmd) int {
	_ = cmd.Wait() // the code says it all
	return cmd.ProcessState.ExitCode()
}

// slowSuite takes its time limit on each of its instances.
const slowSuite = `
name: slow
problem: flex
instances:
  - generate: {n: 6, seed: 3, params: {jobs: 60, metric: tardiness, weighted: true}}
algorithms: [opt]
limits: {time: %s}
`

// TestInterruptRun: an interrupt lets the unit that is running finish and leaves a folder with which the same command goes on,
// without a lost and without a doubled unit.
func TestInterruptRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	suite := write(t, dir, "slow.yaml", strings.Replace(slowSuite, "%s", "300ms", 1))
	results := filepath.Join(dir, "results")
	args := []string{"run", suite, "-o", results, "--workers", "1"}
	cmd, stdout, stderr := program(t, args...)
	working(t, cmd)
	interrupt(t, cmd)
	if code := exitCode(cmd); code != 130 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit %d, stdout %s, stderr %s", code, stdout, stderr)
	}
	before, _, err := store.Open(results).Records(t.Context())
	if err != nil || len(before) == 0 || len(before) == 6 {
		t.Errorf("%d of 6 units have a row: %v", len(before), err)
	}
	succeed(t, args...)
	after, bad, err := store.Open(results).Records(t.Context())
	if err != nil || len(bad) > 0 || len(after) != 6 {
		t.Errorf("%d rows, want 6: %v %v", len(after), bad, err)
	}
}

// TestInterruptTwice: a second interrupt does not wait for the unit that is running.
func TestInterruptTwice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	suite := write(t, dir, "slow.yaml", strings.Replace(slowSuite, "%s", "10m", 1))
	cmd, _, stderr := program(t, "run", suite, "-o", filepath.Join(dir, "results"), "--workers", "1")
	working(t, cmd)
	interrupt(t, cmd)
	// Two signals of one kind that come at once may be delivered as one.
	if !await.That(t, "the interrupt goes unnoticed", func() bool { return strings.Contains(stderr.String(), "interrupt again") }) {
		t.Fatal(stderr)
	}
	interrupt(t, cmd)
	if code := exitCode(cmd); code != 130 {
		t.Errorf("exit %d, stderr %s", code, stderr)
	}
}

// TestInterruptSolve: an interrupted solve prints nothing.
func TestInterruptSolve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	succeed(t, "generate", "flex", "-p", "jobs=60", "-p", "metric=tardiness", "-p", "weighted=true", "-o", dir)
	cmd, stdout, stderr := program(t, "solve", filepath.Join(dir, "flex-000.json"), "-a", "opt", "--time-limit", "10m")
	working(t, cmd)
	interrupt(t, cmd)
	if code := exitCode(cmd); code != 130 || stdout.String() != "" || stderr.String() != "schedgap: interrupted\n" {
		t.Errorf("exit %d, stdout %s, stderr %s", code, stdout, stderr)
	}
}

// A suite that gives no unit, such as one of traces on a machine without them, is not done but wrong, unless the user says
// otherwise; with --strict so is one that gives fewer than it could. A shard may well be empty.
func TestNothingToRun(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Setenv("SCHEDGAP_TRACES", "")
	dir := t.TempDir()
	const head = "name: some\nproblem: flex\nalgorithms: [fair]\ninstances:\n"
	const generated, traced = "  - generate: {n: 1, params: {jobs: 3}}\n", "  - trace: {format: google2011, dir: " +
		"$SCHEDGAP_TRACES/x, n: 1}\n"
	none, some, full := write(t, dir, "none.yaml", head+traced), write(t, dir, "some.yaml", head+generated+traced), write(t, dir,
		"full.yaml", head+generated)
	failing := write(t, dir, "failing.yaml",
		"name: failing\nproblem: flex\nalgorithms: [fair, {name: fails, command: [\"false\"]}]\ninstances:\n"+generated)
	for _, c := range []struct {
		code int
		want string // of stderr
		args []string
	}{
		{2, "skipped because $SCHEDGAP_TRACES is not set; --allow-empty accepts that", []string{none}},
		{2, "skipped because $SCHEDGAP_TRACES is not set; --allow-empty accepts that", []string{"flex-trace"}},
		{2, "no unit to run", []string{none, "--dry-run"}},
		{2, "no unit to run", []string{none, "-a", "fair"}},
		{0, "", []string{none, "--allow-empty"}},
		{1, "skipped 1 source", []string{none, "--allow-empty", "--strict"}},
		{2, "no algorithm of the suite matches", []string{full, "-a", "nosuch"}},
		{0, "", []string{full, "-a", "nosuch", "--allow-empty"}},
		{2, "no algorithm of the suite matches", []string{full, "-a", "fair,nosuch", "--allow-empty"}},
		{0, "", []string{full, "--strict"}},
		{0, "", []string{full, "--strict"}}, // complete
		{0, "", []string{some}},
		{1, "skipped 1 source, failed 0 rows", []string{some, "--strict"}},
		{0, "", []string{failing}},
		{1, "skipped 0 sources, failed 1 row", []string{failing, "--strict"}},
	} {
		out := filepath.Join(dir, "of-"+filepath.Base(c.args[0]))
		_, before := os.Stat(out)
		e := schedgap(t, append([]string{"run", "-o", out}, c.args...)...)
		if e.code != c.code || !strings.Contains(e.stderr, c.want) {
			t.Errorf("%v: exit %d, want %d: %s, want %s", c.args, e.code, c.code, e.stderr, c.want)
		}
		if _, err := os.Stat(out); c.code == 2 && (e.stdout != "" || (before != nil && err == nil)) {
			t.Errorf("%v: wrote something: %s", c.args, e.stdout)
		}
	}
	// One of two shards has nothing to do.
	for _, shard := range []string{"0/2", "1/2"} {
		if e := schedgap(t, "run", "-o", filepath.Join(dir, "sharded"), full, "--shard", shard, "--strict"); e.code != 0 {
			t.Errorf("shard %s: exit %d: %s", shard, e.code, e.stderr)
		}
	}
}
