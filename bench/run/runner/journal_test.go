package runner_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/runner"
	"schedgap/bench/run/store"
	"schedgap/models/fail"
	"schedgap/models/trials/await"
)

const hangingSuite = `
name: hanging
problem: toy
instances: [{generate: {n: 1, seed: 1}}]
algorithms: [first, {name: sleeps, command: [sleep, "1000"]}]
limits: {time: 100s}
`

var started = regexp.MustCompile(`(?m)^\+ \w{33,} `)

// startHanging starts a run of a suite in a process of its own and waits until its command runs.
func startHanging(t *testing.T, dir, text string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), runnerEnv+"="+dir, "SCHEDGAP_TEST_SUITE="+text)
	journal := filepath.Join(dir, "runs", ".0000.started")
	before, _ := os.Stat(journal) // of the run before
	fail.On(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	if !await.That(t, "the command has not started", func() bool {
		// The file is looked at before it is read: the lines are then of this run, not of the one before. The unit of a command is
		// noted by its id, of 32 digits, and by what its command is made of.
		now, err := os.Stat(journal)
		lines, _ := os.ReadFile(journal)
		return err == nil && !os.SameFile(before, now) && started.Match(lines)
	}) {
		t.FailNow()
	}
	return cmd
}

// killed starts a run of a suite for each signal, waits until its command runs, sends the signal and kills the run.
func killed(t *testing.T, dir, suite string, signals ...os.Signal) {
	t.Helper()
	for _, signal := range signals {
		cmd := startHanging(t, dir, suite)
		if signal == os.Interrupt {
			_ = cmd.Process.Signal(signal)
			await.That(t, "the interrupt is not noted", func() bool {
				lines, err := os.ReadFile(filepath.Join(dir, "runs", ".0000.started"))
				fail.On(t, err)
				return strings.Contains(string(lines), "interrupted\n")
			})
		}
		fail.On(t, cmd.Process.Kill())
		_ = cmd.Wait() // it was killed
	}
}

// A command during which runs die three times in a row is a crash and is not run again, unless that is asked for; a run that the
// user ended does not count.
func TestRunDiesThrice(t *testing.T) {
	dir := t.TempDir()
	killed(t, dir, hangingSuite, os.Interrupt, os.Kill, os.Kill, os.Kill)
	s := mustRun(t, mustResolve(t, hangingSuite), options(dir))
	if s.Ran[bench.Crash] != 1 {
		t.Errorf("%+v", s)
	}
	for _, r := range records(t, dir) {
		if r.Algorithm == "sleeps" && (r.Status != "crash" || r.RawStatus == nil ||
			!strings.HasPrefix(*r.RawStatus, "the run died 3 times in a row while this command was running, which had started 20")) {
			t.Errorf("%+v", r)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	o := options(dir)
	o.RerunFailed, o.Kill = true, ctx
	if s, err := runner.Run(ctx, mustResolve(t, hangingSuite), o); err != nil || s.ToRun != 1 || s.Ran[bench.Crash] != 0 {
		t.Errorf("asked for again: %+v, %v", s, err)
	}
}

// A sound command during which runs were killed twice is interrupted, which readers do not see and the next run makes good.
func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	mark := filepath.Join(t.TempDir(), "go")
	text := strings.Replace(hangingSuite, `[sleep, "1000"]`, `[sh, -c, "test -e `+mark+` || sleep 1000; name=$(sed 's/.*\"name\":\"\\([^\"]*\\)\".*/\\1/'); `+
		`echo '{\"problem\":\"toy\",\"instance\":\"'$name'\",\"algorithm\":\"mine\",\"pick\":0}'"]`, 1)
	killed(t, dir, text, os.Kill, os.Kill)
	for _, r := range records(t, dir) {
		if r.Algorithm == "sleeps" {
			t.Errorf("an interrupted unit is a result: %+v", r)
		}
	}
	state, err := runner.Status(t.Context(), dir, false)
	if err != nil || len(state.Algorithms) != 2 || state.Algorithms[1].Statuses[bench.Interrupted] != 1 || state.Algorithms[1].Left != 1 ||
		state.Algorithms[1].Done != 0 {
		t.Errorf("%+v, %v", state, err)
	}
	fail.On(t, os.WriteFile(mark, nil, 0o644))
	if s := mustRun(t, mustResolve(t, text), options(dir)); s.Rows[bench.Feasible] != 2 {
		t.Errorf("%+v: %+v", s, records(t, dir))
	}
	if rows := records(t, dir); len(rows) != 2 || rows[0].Status != "feasible" || rows[1].Status != "feasible" {
		t.Errorf("%+v", rows)
	}
}

// A command that kills the run where it can ends as a crash, and the third run ends well.
func TestCommandKillsRun(t *testing.T) {
	t.Setenv("SCHEDGAP_NAMESPACES", "off")
	dir := t.TempDir()
	text := strings.Replace(hangingSuite, `[sleep, "1000"]`, `[sh, -c, "set -- $(cat /proc/$PPID/stat); kill -9 $4; sleep 1000"]`, 1)
	for i, ends := range []string{"signal: killed", "signal: killed", "<nil>"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), runnerEnv+"="+dir, "SCHEDGAP_TEST_SUITE="+text)
		if out, err := cmd.CombinedOutput(); fmt.Sprint(err) != ends {
			t.Fatalf("run %d: %v, want %s: %s", i, err, ends, out)
		}
	}
	rows := records(t, dir)
	if len(rows) != 2 || rows[1].Status != "crash" || rows[1].RawStatus == nil || !strings.Contains(*rows[1].RawStatus, "3 times in a row") {
		t.Errorf("%+v", rows)
	}
}

// Runs whose shards overlap may go on at the same time.
func TestOverlappingShards(t *testing.T) {
	dir := t.TempDir()
	text := `
name: s
problem: toy
instances: [{generate: {n: 60, seed: 1}}]
algorithms: [first, random, {name: nth, params: {index: 0}}]
`
	var runs sync.WaitGroup
	for _, shard := range []runner.Shard{{Index: 0, Of: 2}, {Index: 1, Of: 2}, {Index: 2, Of: 3}, {Index: 3, Of: 4}} {
		runs.Go(func() {
			o := options(dir)
			o.Shard = shard
			if _, err := runner.Run(t.Context(), mustResolve(t, text), o); err != nil {
				t.Errorf("shard %v: %v", shard, err)
			}
		})
	}
	runs.Wait()
	if got := len(records(t, dir)); got != 180 {
		t.Errorf("%d rows", got)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", ".*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A folder that disappears during a run, or is replaced, is an error.
func TestFolderRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "results")
	o := options(dir)
	o.Workers = 1
	o.Progress = func(p runner.Progress) {
		if p.Done == 2 {
			if err := os.RemoveAll(dir); err != nil {
				t.Error(err)
			}
		}
	}
	_, err := runner.Run(t.Context(), mustResolve(t, longSuite), o)
	if err == nil || !strings.Contains(err.Error(), dir+" was removed or replaced") {
		t.Errorf("%v", err)
	}
}

// The suite that a run keeps finds a command's files from any folder, and its small solutions are kept.
func TestCommandElsewhere(t *testing.T) {
	dir, results := t.TempDir(), t.TempDir()
	script := `name=$(sed "s/.*\"name\":\"\([^\"]*\)\".*/\1/"); echo "{\"problem\":\"toy\",\"instance\":\"$name\",\"algorithm\":\"mine\",\"pick\":0}"`
	suite := "name: s\nproblem: toy\ninstances: [{generate: {n: 1, seed: 1}}]\nalgorithms: [{name: mine, command: [sh, " +
		"./mine.sh]}]\nlimits: {output: 2MiB}\nenv: [LICENSE]\n"
	for name, text := range map[string]string{"mine.sh": script, "s.yaml": suite} {
		fail.On(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	mustRun(t, mustLoad(t, filepath.Join(dir, "s.yaml")), options(results))
	again := filepath.Join(results, "again")
	mustRun(t, mustLoad(t, filepath.Join(results, "suite.yaml")), options(again))
	first, second := records(t, results), records(t, again)
	if len(first) != 1 || len(second) != 1 || first[0].Status != "feasible" || second[0].Status != "feasible" ||
		first[0].UnitID != second[0].UnitID {
		t.Fatalf("%+v\n%+v", first, second)
	}
	if data, err := store.Open(results).Solution(first[0].RunID, first[0].UnitID); err != nil ||
		!strings.Contains(string(data), `"pick":0`) {
		t.Errorf("the solution %q, %v", data, err)
	}
}

// However a run ends, nothing of its commands outlives it: not what they put into the background, nor sessions of their own.
func TestKilledRunLeavesNothing(t *testing.T) {
	for _, namespaces := range []string{"on", "off"} {
		t.Run("namespaces "+namespaces, func(t *testing.T) {
			t.Setenv("SCHEDGAP_NAMESPACES", namespaces)
			dir := t.TempDir()
			seconds := fmt.Sprint(3_000_000 + os.Getpid())
			text := strings.Replace(hangingSuite, `[sleep, "1000"]`, fmt.Sprintf(
				`[sh, -c, "sleep %s & setsid sleep %[1]s & env -i setsid sh -c 'env -i setsid sleep %[1]s &'; sleep %[1]s"]`, seconds), 1)
			cmd := startHanging(t, dir, text)
			count := func() (n int) {
				files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
				for _, f := range files {
					if line, _ := os.ReadFile(f); string(line) == "sleep\x00"+seconds+"\x00" {
						n++
					}
				}
				return n
			}
			await.That(t, "there are not the four sleepers", func() bool { return count() == 4 })
			fail.On(t, cmd.Process.Kill())
			_ = cmd.Wait() // it was killed
			await.That(t, "sleepers live on", func() bool { return count() == 0 })
		})
	}
}
