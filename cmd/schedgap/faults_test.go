package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"schedgap/bench/run/store"
	"schedgap/models/trials"
	"schedgap/models/trials/await"
)

// The faults: what may befall a run. After every one the resumed set must equal the undisturbed set, row for row, times and
// other measurements aside. make test-faults runs the long form.

// faults is how often processes are killed at random moments.
func faults() int { return trials.Count(4) }

// faultSuite has every kind of algorithm: quick ones, an exact one by several methods, commands that die, leak on one
// of two instances, print garbage, claim a wrong objective for an infeasible solution, and one that takes its time.
const faultSuite = `
name: faults
problem: flex
instances:
  - generate: {n: 2, seed: 5, params: {jobs: 5}}
algorithms:
  - opt
  - fair
  - flex
  - {name: dies, command: [sh, -c, "kill -SEGV $$"]}
  - {name: leaks, command: [sh, -c, "grep -q -- -000 || exit 77; dd if=/dev/zero bs=220M status=none | sleep 20"]}
  - {name: garbage, command: [sh, -c, "echo {"]}
  - {name: liar, command: [sh, -c, 'name=$(sed "s/.*\"name\":\"\([^\"]*\)\".*/\1/"); echo "{\"problem\":\"flex\",\"instance\":\"$name\",\"algorithm\":\"liar\",\"objective\":1,\"intervals\":[{\"start\":0,\"end\":1,\"slots\":{}}]}"']}
  - {name: slow, command: [sh, -c, "sleep 0.15; exit 77"]}
solvers: [bnb, highs, segv, babble]
limits: {time: 20s, memory: 200MiB}
`

// commands is how many units of the suite are commands.
const commands = 10

// faultSolvers are MILP solvers that die, that babble at once, and after a second.
const faultSolvers = `{"solvers":[
 {"name":"segv","path":"sh","args":["-c","kill -SEGV $$","{model}","{solution}"],"format":"sol"},
 {"name":"babble","path":"sh","args":["-c","echo what; echo nonsense > \"$1\"","sh","{solution}","{model}"],"format":"sol"},
 {"name":"snooze","path":"sh","args":["-c","sleep 1; echo nonsense > \"$1\"","snooze","{solution}","{model}"],"format":"sol"}]}`

// A bed is a folder with the suite, in which runs are disturbed.
type bed struct {
	suite string
	env   []string
	want  []string // the undisturbed rows
	span  time.Duration
}

func newBed(t *testing.T) *bed {
	t.Helper()
	dir := t.TempDir()
	b := &bed{suite: write(t, dir, "faults.yaml", faultSuite)}
	b.env = append(os.Environ(), asProgram+"=1", "SCHEDGAP_SOLVERS="+write(t, dir, "solvers.json", faultSolvers))
	began := time.Now()
	results := filepath.Join(dir, "undisturbed")
	b.complete(t, results)
	b.span = time.Since(began)
	b.want = rows(t, results)
	b.statuses(t, results)
	return b
}

// statuses makes sure that the faults in the suite are what they are meant to be.
func (b *bed) statuses(t *testing.T, results string) {
	t.Helper()
	records, _, err := store.Open(results).Records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]map[string]int{}
	for _, r := range records {
		name := r.Algorithm
		if r.Algorithm == "opt" && r.Solver != nil {
			name += "/" + *r.Solver
		}
		if got[name] == nil {
			got[name] = map[string]int{}
		}
		got[name][r.Status]++
	}
	want := map[string]map[string]int{
		"opt/bnb": {"optimal": 2}, "opt/highs": {"optimal": 2}, "opt/segv": {"error": 2}, "opt/babble": {"error": 2},
		"fair": {"feasible": 2}, "flex": {"feasible": 2}, "dies": {"crash": 2}, "leaks": {"oom": 1, "skipped": 1}, "garbage": {"error": 2},
		"liar": {"invalid": 2}, "slow": {"skipped": 2},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the statuses of the undisturbed run (-want +got)\n%s", diff)
	}
}

// start starts a run in a process of its own.
func (b *bed) start(t *testing.T, results string, more ...string) (*exec.Cmd, *printed) {
	t.Helper()
	stderr := &printed{}
	cmd := exec.Command(os.Args[0], append([]string{"run", b.suite, "-o", results}, more...)...)
	cmd.Env, cmd.Stderr = b.env, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() }) // an error only says that it has ended
	return cmd, stderr
}

// task runs a suite as the only task of a Slurm array, into dir/shard-0.
func (b *bed) task(suite, dir string) (code int, stderr *printed) {
	stderr = &printed{}
	cmd := exec.Command("../../scripts/slurm/shard", os.Args[0], suite, dir, "1")
	cmd.Env, cmd.Stderr = slices.Concat(b.env, []string{"SLURM_ARRAY_TASK_ID=0"}), stderr
	_ = cmd.Run() // the code says it all
	return cmd.ProcessState.ExitCode(), stderr
}

// complete runs what is left.
func (b *bed) complete(t *testing.T, results string, more ...string) {
	t.Helper()
	if cmd, stderr := b.start(t, results, more...); exitCode(cmd) != 0 {
		t.Fatalf("the run fails: %s", stderr)
	}
}

// same compares a folder with the undisturbed one.
func (b *bed) same(t *testing.T, results string) {
	t.Helper()
	if diff := cmp.Diff(b.want, rows(t, results)); diff != "" {
		t.Errorf("the set is not the undisturbed one (-want +got)\n%s", diff)
	}
}

// rows are the rows of a folder without what differs from run to run, and their solutions.
func rows(t *testing.T, results string) []string {
	t.Helper()
	dir := store.Open(results)
	records, bad, err := dir.Records(t.Context())
	if err != nil || len(bad) > 0 {
		t.Fatalf("%v %v", err, bad)
	}
	list := make([]string, len(records))
	for i, r := range records {
		solution, err := dir.Solution(r.RunID, r.UnitID)
		if err != nil {
			t.Fatal(err)
		}
		r.RunID, r.StartedAt, r.Error = "", time.Time{}, nil // errors quote pids and times
		r.WallSeconds, r.SolverSeconds, r.CPUSeconds, r.PeakRSSBytes, r.BuildSeconds = nil, nil, nil, nil, nil
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		list[i] = string(text) + string(solution)
	}
	return list
}

// moment is a random moment of the run's length. It differs from run to run on purpose.
func (b *bed) moment() time.Duration { return time.Duration(rand.Float64() * float64(b.span)) }

// atWork waits until a run has workers and has begun with so many commands, or has ended, and returns the workers.
func atWork(t *testing.T, run int, results string, commands int) (workers []int) {
	t.Helper()
	await.That(t, fmt.Sprintf("the run has no worker, or has not begun with %d commands", commands), func() bool {
		workers = children(run)
		begun, _ := os.ReadFile(filepath.Join(results, store.RunsFolder, ".0000.started")) // it may not be there yet
		return len(workers) > 0 && bytes.Count(begun, []byte("+ ")) >= commands || await.Ended(run)
	})
	return workers
}

// children lists the processes that a process has started.
func children(pid int) (pids []int) {
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, f := range files {
		text, _ := os.ReadFile(f) // the thread may have ended
		for _, field := range bytes.Fields(text) {
			if child, err := strconv.Atoi(string(field)); err == nil {
				pids = append(pids, child)
			}
		}
	}
	return pids
}

// TestFaults disturbs runs of one suite in every way.
func TestFaults(t *testing.T) {
	t.Parallel()
	b := newBed(t)

	// kill -9 of the runner at a random moment, again and again until the set is complete.
	t.Run("runner killed", func(t *testing.T) {
		t.Parallel()
		for n := 0; n < faults(); {
			results := t.TempDir()
			for ended := false; !ended && n < faults(); n++ {
				cmd, _ := b.start(t, results)
				timer := time.AfterFunc(b.moment(), func() { _ = cmd.Process.Kill() })
				ended = exitCode(cmd) == 0
				timer.Stop()
			}
			b.complete(t, results)
			b.complete(t, results, "--rerun-failed") // a command that was running at two kills is believed to be the reason
			b.same(t, results)
		}
	})

	// kill -9 of a worker costs the row of its unit, which says crash; run again, it is what it was.
	t.Run("worker killed", func(t *testing.T) {
		t.Parallel()
		for range faults() {
			results := t.TempDir()
			cmd, stderr := b.start(t, results)
			killed := 0
			for _, pid := range atWork(t, cmd.Process.Pid, results, rand.IntN(commands+1)) {
				if unix.Kill(pid, unix.SIGKILL) == nil { // it may have ended
					killed++
				}
			}
			if killed == 0 {
				t.Error("no worker was killed")
			}
			if code := exitCode(cmd); code != 0 {
				t.Errorf("the run ends with exit code %d: %s", code, stderr)
			}
			b.complete(t, results, "--rerun-failed")
			b.same(t, results)
		}
	})

	// A stopped worker is killed at its unit's time limit.
	t.Run("worker stopped", func(t *testing.T) {
		t.Parallel()
		results := t.TempDir()
		short := *b
		// What a busy machine could keep from ending within so short a limit as it should is left out.
		short.suite = write(t, t.TempDir(), "short.yaml", `{name: short, problem: flex, instances: [{generate: {n: 2, seed: 5, params: {jobs: 5}}}],
			algorithms: [opt, fair], solvers: [bnb, snooze], limits: {time: 3s}}`)
		short.complete(t, filepath.Join(results, "calm"))
		short.want = rows(t, filepath.Join(results, "calm"))
		results = filepath.Join(results, "stopped")
		cmd, stderr := short.start(t, results, "--workers", "1")
		stopped := false
		await.That(t, "no worker runs the solver", func() bool {
			for _, worker := range children(cmd.Process.Pid) {
				for _, solver := range children(worker) {
					if text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", solver)); bytes.Contains(text, []byte("snooze")) {
						stopped = unix.Kill(worker, unix.SIGSTOP) == nil || stopped
					}
				}
			}
			return stopped || await.Ended(cmd.Process.Pid)
		})
		if code := exitCode(cmd); code != 0 || !stopped || !slices.ContainsFunc(rows(t, results), func(row string) bool {
			return strings.Contains(row, `"Status":"timeout"`)
		}) {
			t.Errorf("stopped: %v; the run ends with exit code %d: %s", stopped, code, stderr)
		}
		short.complete(t, results, "--rerun-timeouts", "--rerun-failed")
		short.same(t, results)
	})

	// Torn, garbled and foreign files among the shards are set aside, and their units run again.
	t.Run("files damaged", func(t *testing.T) {
		t.Parallel()
		results := t.TempDir()
		b.complete(t, results)
		shards, err := filepath.Glob(filepath.Join(results, "runs", "*.parquet"))
		if err != nil || len(shards) == 0 {
			t.Fatalf("%v %v", shards, err)
		}
		data, err := os.ReadFile(shards[0])
		if err != nil {
			t.Fatal(err)
		}
		for name, contents := range map[string][]byte{
			filepath.Base(shards[0]): data[:len(data)/2], "main-000900.parquet": []byte("PAR1 not really PAR1"), "notes.parquet": data,
			".main-000901.parquet.123.tmp": data,
		} {
			write(t, filepath.Join(results, "runs"), name, string(contents))
		}
		cmd, stderr := b.start(t, results)
		if code := exitCode(cmd); code != 0 {
			t.Errorf("exit code %d: %s", code, stderr)
		}
		for _, name := range []string{filepath.Base(shards[0]), "main-000900.parquet", "notes.parquet"} {
			if !strings.Contains(stderr.String(), name) {
				t.Errorf("%s is not named: %s", name, stderr)
			}
		}
		b.same(t, results)
	})

	// A clock that is set back makes rows that seem to come from the future; the set is complete all the same, once.
	t.Run("clock jumps", func(t *testing.T) {
		t.Parallel()
		results := t.TempDir()
		b.complete(t, results, "-i", "*000")
		d := store.Open(results)
		records, _, err := d.Records(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(results, "runs")); err != nil {
			t.Fatal(err)
		}
		w, err := d.NewRuns("main")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			r.StartedAt = r.StartedAt.Add(365 * 24 * time.Hour)
			if err := w.Append(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		b.complete(t, results)
		b.same(t, results)
		b.complete(t, results, "--rerun-failed")
		b.same(t, results)
	})

	t.Run("disk full", func(t *testing.T) {
		t.Parallel()
		disk := t.TempDir()
		if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=16k"); errors.Is(err, unix.EPERM) {
			t.Skip("only root can mount a small disk")
		} else if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil { // a process that was just forked may still have a file open
				t.Error(err)
			}
		})
		results := filepath.Join(disk, "shard-0")
		cmd, stderr := b.start(t, results)
		if code := exitCode(cmd); code != exitFailed || !strings.Contains(stderr.String(), "no space left on device") ||
			!strings.Contains(stderr.String(), "the same command goes on") {
			t.Errorf("on a full disk: exit code %d, %s", code, stderr)
		}
		if code, stderr := b.task(b.suite, disk); code != exitFailed { // not taken for "every row failed"
			t.Errorf("a task on a full disk ends with exit code %d, %s", code, stderr)
		}
		remount := func(flags uintptr, size string) {
			t.Helper()
			if err := unix.Mount("tmpfs", disk, "tmpfs", unix.MS_REMOUNT|flags, size); err != nil {
				t.Fatal(err)
			}
		}
		remount(unix.MS_RDONLY, "size=64m")
		cmd, stderr = b.start(t, results)
		if code := exitCode(cmd); code != exitFailed || !strings.Contains(stderr.String(), "read-only file system") {
			t.Errorf("on a read-only disk: exit code %d, %s", code, stderr)
		}
		if code, stderr := b.task(b.suite, disk); code != exitFailed {
			t.Errorf("a task on a read-only disk ends with exit code %d, %s", code, stderr)
		}
		remount(0, "size=64m")
		b.complete(t, results)
		b.same(t, results)
	})

	// A task of which every row failed has done what it could.
	t.Run("every row failed", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		text, _, _ := strings.Cut(faultSuite, "algorithms:")
		suite := write(t, dir, "failing.yaml", text+"algorithms: [{name: dies, command: [sh, -c, \"kill -SEGV $$\"]}]\n")
		if code, stderr := b.task(suite, dir); code != 0 {
			t.Errorf("exit code %d, %s", code, stderr)
		}
	})
}
