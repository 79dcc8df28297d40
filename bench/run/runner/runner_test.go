package runner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/plan/suite/suitetest"
	"schedgap/bench/run/proc"
	"schedgap/bench/run/runner"
	"schedgap/bench/run/store"
	"schedgap/bench/run/worker"
	"schedgap/bench/toyproblem"
	"schedgap/models/fail"
	"schedgap/models/trials/await"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// These turn this test binary into a worker, and into a runner that fills the folder given.
const (
	workerEnv = "SCHEDGAP_TEST_WORKER"
	runnerEnv = "SCHEDGAP_TEST_RUNNER"
)

func TestMain(m *testing.M) {
	ctx := context.Background()
	var err error
	switch dir := os.Getenv(runnerEnv); {
	case os.Getenv(workerEnv) != "" && slices.Contains(os.Args, "supervise"):
		err = worker.Supervise(ctx, toyproblem.Registry(), os.Stdin, os.Stdout)
	case os.Getenv(workerEnv) != "":
		err = worker.Serve(ctx, toyproblem.Registry(), os.Stdin, os.Stdout)
	case dir != "":
		var plan *suite.Plan
		text := longSuite
		if other := os.Getenv("SCHEDGAP_TEST_SUITE"); other != "" {
			text = other
		}
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
		plan, err = resolve(ctx, text)
		if err == nil {
			_, err = runner.Run(ctx, plan, options(dir))
		}
	default:
		goleak.VerifyTestMain(m)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// longSuite has 160 units and takes a while: 40 of them sleep, and 20 kill their worker.
const longSuite = `
name: long
problem: toy
instances: [{generate: {n: 20, seed: 1}}]
algorithms: [good, random, first, nap, {name: nap, params: {ms: 30}}, {name: nth, params: {index: 7}}, killed]
seeds: [1, 2]
limits: {time: 30s}
`

func resolve(ctx context.Context, text string) (*suite.Plan, error) {
	s, err := suitetest.Parse("s.yaml", []byte(text))
	if err != nil {
		return nil, err
	}
	return s.Resolve(ctx, toyproblem.Registry())
}

func options(dir string) runner.Options {
	return runner.Options{
		Dir: dir, Workers: 2, Flush: 50 * time.Millisecond,
		Worker: worker.Options{
			Command: []string{os.Args[0]}, Env: []string{workerEnv + "=1"}, Grace: 100 * time.Millisecond,
		},
	}
}

func mustLoad(t *testing.T, file string) *suite.Plan {
	t.Helper()
	suites, err := suite.Load(file, toyproblem.Registry())
	fail.On(t, err)
	plan, err := suites[0].Resolve(t.Context(), toyproblem.Registry())
	fail.On(t, err)
	return plan
}

func mustResolve(t *testing.T, text string) *suite.Plan {
	t.Helper()
	plan, err := resolve(t.Context(), text)
	fail.On(t, err)
	return plan
}

func mustRun(t *testing.T, plan *suite.Plan, o runner.Options) *runner.Summary {
	t.Helper()
	s, err := runner.Run(t.Context(), plan, o)
	fail.On(t, err)
	return s
}

func records(t *testing.T, dir string) []bench.Record {
	t.Helper()
	rows, bad, err := store.Open(dir).Records(t.Context())
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	return rows
}

// outcomes shows what must not depend on when and where a unit ran.
func outcomes(rows []bench.Record) []string {
	var out []string
	for _, r := range rows {
		objective := "null"
		if r.Objective != nil {
			objective = fmt.Sprint(*r.Objective)
		}
		out = append(out, fmt.Sprint(r.UnitID, r.Instance, r.Algorithm, r.Params, r.Seed, r.Status, objective))
	}
	return out
}

// TestWorstCase: the sum of time limits may be longer than 292 years, and so may what is left.
func TestWorstCase(t *testing.T) {
	dir := t.TempDir()
	one := toyproblem.Instance(t, "one", 5)
	fail.On(t, os.WriteFile(filepath.Join(dir, "one.json"), one.JSON, 0o666))
	plan := mustResolve(t, `
name: long
problem: toy
instances: [{files: `+dir+`/one.json}]
algorithms: [good, gap, first]
limits: {time: 2000000h}
`)
	o := options(filepath.Join(dir, "out"))
	o.DryRun = true
	if dry := mustRun(t, plan, o); dry.WorstCase != 3*2e6*3600/float64(o.Workers) {
		t.Errorf("dry run: %+v", dry)
	}
	p := runner.Progress{Total: 10, Done: 1, Started: time.Now().Add(-time.Hour), Work: 1e-3, Rest: 1e9}
	if left := p.Left(time.Now()); left < 1<<61 {
		t.Errorf("%v left", left)
	}
}

// Every status gets into its row, null where it has nothing to say; a dry run before adds up the limits and writes nothing.
func TestStatuses(t *testing.T) {
	dir := t.TempDir()
	one := toyproblem.Instance(t, "one", 5)
	fail.On(t, os.WriteFile(filepath.Join(dir, "one.json"), one.JSON, 0o666))
	plan := mustResolve(t, `
name: all
problem: toy
instances: [{files: `+dir+`/one.json}]
algorithms: [good, gap, first, hangs, deaf, killed, leak, invalid, fails, pair, {name: nth, params: {index: 0}},
  {name: mine, command: [sh, -c, 'echo "{\"problem\":\"toy\",\"instance\":\"one\",\"algorithm\":\"mine\",\"pick\":0}"']}]
limits: {time: 500ms, memory: 300MiB, cpu: 20s}
`)
	o := options(filepath.Join(dir, "out"))
	o.DryRun = true
	dry := mustRun(t, plan, o)
	if dry.ToRun != 12 || dry.AlreadyDone != 0 || dry.WorstCase != 2.75 {
		t.Errorf("dry run: %+v", dry)
	}
	if _, err := os.Stat(o.Dir); !os.IsNotExist(err) {
		t.Errorf("a dry run writes: %v", err)
	}
	o.DryRun = false
	sum := mustRun(t, plan, o)
	got := map[string]string{}
	for _, r := range records(t, o.Dir) {
		data, err := json.Marshal([]any{r.Status, r.Objective, r.Bound, r.Gap, r.Feasible, r.Waived, r.Kind})
		fail.On(t, err)
		got[r.Algorithm] = string(data)
		if (r.WallSeconds == nil) != (r.Status == "skipped") || *r.TimeLimitSeconds != 0.5 || *r.CPULimitSeconds != 20 || *r.MemoryLimitBytes != 300<<20 {
			t.Errorf("%s: wall %v, limits %v, %v, %v", r.Algorithm, r.WallSeconds, r.TimeLimitSeconds, r.CPULimitSeconds, r.MemoryLimitBytes)
		}
		if r.Suite != "all" || r.Source != "files" || r.Reference != "opt" || r.Host == "" || r.Augmentation != 1 ||
			*r.NJobs != 1 || r.NTasks != nil {
			t.Errorf("%s: %+v", r.Algorithm, r)
		}
	}
	want := map[string]string{
		"good":    `["optimal",5,5,0,true,"","exact"]`,
		"gap":     `["feasible",null,4,null,null,"","bound"]`,
		"first":   `["feasible",5,null,null,true,"","heuristic"]`,
		"hangs":   `["invalid",null,null,null,false,"","heuristic"]`, // its last incumbent needs three numbers
		"deaf":    `["timeout",null,null,null,null,"","heuristic"]`,
		"killed":  `["crash",5,null,null,true,"","heuristic"]`,
		"leak":    `["oom",null,null,null,null,"","heuristic"]`,
		"invalid": `["invalid",null,null,null,false,"","heuristic"]`,
		"fails":   `["error",null,null,null,null,"","heuristic"]`,
		"pair":    `["skipped",null,null,null,null,"","heuristic"]`,
		"nth":     `["feasible",5,null,null,true,"even","heuristic"]`,
		"mine":    `["feasible",5,null,null,true,"","external"]`,
	}
	// The leak may meet the time limit first on a slow machine; both are right.
	if diff := cmp.Diff(want, got); diff != "" && !strings.HasPrefix(got["leak"], `["timeout"`) {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if sum.EveryRowFailed() || sum.Ran[bench.Invalid] != 2 || sum.Ran[bench.Skipped] != 1 || sum.Interrupted {
		t.Errorf("summary %+v", sum)
	}
}

// A folder that was filled by a run that was killed and started again holds the same as one filled in one go: no unit is
// lost and none is doubled.
func TestKillAndResume(t *testing.T) {
	plan := mustResolve(t, longSuite)
	whole := t.TempDir()
	mustRun(t, plan, options(whole))
	want := outcomes(records(t, whole))
	if len(want) != 160 { // 20 instances × (6 algorithms + 2 seeds)
		t.Fatalf("%d rows", len(want))
	}

	dir := t.TempDir()
	for _, least := range []int{1, 40} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), runnerEnv+"="+dir)
		cmd.Stderr = os.Stderr
		fail.On(t, cmd.Start())
		await.That(t, "the run writes too few rows", func() bool { return len(records(t, dir)) >= least })
		fail.On(t, cmd.Process.Kill())
		_ = cmd.Wait() // killed, as it says
		if n := len(records(t, dir)); n >= len(want) {
			t.Fatalf("the run was over before it was killed: %d rows", n)
		}
	}
	before := len(records(t, dir))
	sum := mustRun(t, plan, options(dir))
	if sum.AlreadyDone != before || sum.ToRun != len(want)-before {
		t.Errorf("%d rows before, summary %+v", before, sum)
	}
	if diff := cmp.Diff(want, outcomes(records(t, dir))); diff != "" {
		t.Errorf("rows (-uninterrupted +resumed):\n%s", diff)
	}
	files, err := filepath.Glob(filepath.Join(dir, "runs", "*"))
	fail.On(t, err)
	total := 0
	for _, f := range files {
		one := t.TempDir()
		fail.On(t, os.Mkdir(filepath.Join(one, "runs"), 0o777))
		fail.On(t, os.Rename(f, filepath.Join(one, "runs", filepath.Base(f))))
		total += len(records(t, one))
	}
	if total != len(want) {
		t.Errorf("%d rows in all files, %d units", total, len(want))
	}
}

// The end of the context lets running units finish and leaves a folder that another run completes.
func TestInterruptDrains(t *testing.T) {
	plan := mustResolve(t, longSuite)
	o := options(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Progress = func(p runner.Progress) {
		if p.Done == 5 {
			cancel()
		}
	}
	sum, err := runner.Run(ctx, plan, o)
	n := len(records(t, o.Dir))
	// Five rows, and those of the units that two workers had begun or were just given.
	if err != nil || !sum.Interrupted || n < 5 || n > 8 || sum.ToRun != 160 {
		t.Fatalf("%d rows, %v, %+v", n, err, sum)
	}
	state, err := runner.Status(t.Context(), o.Dir, false)
	fail.On(t, err)
	done, left := 0, 0
	for _, a := range state.Algorithms {
		done, left = done+a.Done, left+a.Left
	}
	if done != n || left != 160-n {
		t.Errorf("%d rows, status %+v", n, state)
	}
	o.Progress = nil
	if sum := mustRun(t, plan, o); sum.Interrupted || sum.AlreadyDone != n || len(records(t, o.Dir)) != 160 {
		t.Errorf("after the rerun: %+v", sum)
	}
}

// The first row is on the disk while the next unit still runs, however long the writer may wait.
func TestFirstRowIsWrittenSoon(t *testing.T) {
	plan := mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 1}}], algorithms: [first, deaf], limits: {time: 1h}}`)
	o := options(t.TempDir())
	o.Workers, o.Flush = 1, time.Hour
	var kill context.CancelFunc
	o.Kill, kill = context.WithCancel(t.Context())
	defer kill()
	go func() {
		await.That(t, "no row is written", func() bool {
			files, _ := filepath.Glob(filepath.Join(o.Dir, "runs", "*.parquet"))
			return len(files) > 0
		})
		kill()
	}()
	if sum := mustRun(t, plan, o); !sum.Interrupted || len(records(t, o.Dir)) != 1 {
		t.Errorf("%+v", sum)
	}
}

// A second interrupt does not wait for units that would never end, and these leave no row.
func TestKillStops(t *testing.T) {
	plan := mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 4}}], algorithms: [first, deaf],
		limits: {time: 1h}}`)
	o := options(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	var kill context.CancelFunc
	o.Kill, kill = context.WithCancel(t.Context())
	defer kill()
	o.Progress = func(p runner.Progress) {
		if p.Done == 1 {
			cancel()
			kill()
		}
	}
	sum, err := runner.Run(ctx, plan, o)
	if err != nil || !sum.Interrupted {
		t.Errorf("%v, %+v", err, sum)
	}
	for _, r := range records(t, o.Dir) {
		if r.Algorithm != "first" {
			t.Errorf("row %+v", r)
		}
	}
}

// Failed and timed-out units are run again when that is asked for, and have one row all the same.
func TestRerun(t *testing.T) {
	plan := mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 1}}],
		algorithms: [first, fails, killed, invalid, slow, deaf, pair], limits: {time: 100ms}}`)
	o := options(t.TempDir())
	mustRun(t, plan, o)
	for _, c := range []struct {
		failed, timeouts bool
		toRun            int
	}{{false, false, 0}, {true, false, 3}, {false, true, 2}, {true, true, 5}} {
		o.RerunFailed, o.RerunTimeouts = c.failed, c.timeouts
		before := map[string]string{}
		for _, r := range records(t, o.Dir) {
			before[r.UnitID] = r.RunID
		}
		if sum := mustRun(t, plan, o); sum.ToRun != c.toRun || sum.AlreadyDone != 7-c.toRun {
			t.Errorf("%+v: summary %+v", c, sum)
		}
		after := records(t, o.Dir)
		replaced := 0
		for _, r := range after {
			if before[r.UnitID] != r.RunID {
				replaced++
			}
		}
		if len(after) != 7 || replaced != c.toRun {
			t.Errorf("%+v: %d rows, %d of them new", c, len(after), replaced)
		}
	}
}

// Shards share the plan out without gaps and overlaps, and can run side by side in one folder.
func TestShards(t *testing.T) {
	plan := mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 30}}], algorithms: [first, good]}`)
	dir, units := t.TempDir(), 0
	sums := make(chan *runner.Summary)
	for i := range 3 {
		go func() {
			o := options(dir)
			o.Workers, o.Shard = 1, runner.Shard{Index: i, Of: 3}
			sum, err := runner.Run(t.Context(), plan, o)
			if err != nil {
				t.Error(err)
				sum = &runner.Summary{}
			}
			sums <- sum
		}()
	}
	for range 3 {
		sum := <-sums
		if sum.Units == 0 || sum.ToRun != sum.Units {
			t.Errorf("a shard's summary: %+v", sum)
		}
		units += sum.Units
	}
	if n := len(records(t, dir)); units != 60 || n != 60 {
		t.Errorf("%d units in the shards, %d rows; want 60", units, n)
	}
	if sum := mustRun(t, plan, options(dir)); sum.AlreadyDone != 60 {
		t.Errorf("all shards after the single ones: %+v", sum)
	}
	for text, want := range map[string]bool{
		"0/1": true, "3/4": true, "4/4": false, "-1/2": false, "1": false, "a/b": false, "0/0": false,
	} {
		if _, err := runner.ParseShard(text); (err == nil) != want {
			t.Errorf("shard %q: %v", text, err)
		}
	}
}

// A torn file is set aside with a note, and its units are run again.
func TestBadFiles(t *testing.T) {
	plan := mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 2}}], algorithms: [first]}`)
	o := options(t.TempDir())
	mustRun(t, plan, o)
	files, err := filepath.Glob(filepath.Join(o.Dir, "runs", "*.parquet"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		fail.On(t, os.Truncate(f, 1000))
	}
	var notes []string
	o.Note = func(s string) { notes = append(notes, s) }
	sum := mustRun(t, plan, o)
	if sum.AlreadyDone != 0 || len(records(t, o.Dir)) != 2 {
		t.Errorf("summary %+v", sum)
	}
	if all := strings.Join(notes, "\n"); !strings.Contains(all, "torn") || !strings.Contains(all, files[0]+".bad") {
		t.Errorf("notes %q", notes)
	}
	if _, err := os.Stat(files[0] + ".bad"); err != nil {
		t.Error(err)
	}
}

// Two runs cannot write the same shard of a folder.
func TestOneWriter(t *testing.T) {
	plan := mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 1}}], algorithms: [first]}`)
	o := options(t.TempDir())
	o.Progress = func(p runner.Progress) {
		if _, err := runner.Run(t.Context(), plan, options(o.Dir)); p.Done == 0 && err == nil {
			t.Error("a second run of the same shard starts")
		}
	}
	mustRun(t, plan, o)
}

// A run in which nothing came to anything says so, whether its rows are new or old.
func TestEveryRowFailed(t *testing.T) {
	plan := mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 1, params: {size: 1}}}],
		algorithms: [fails, deaf, pair], limits: {time: 50ms}}`)
	o := options(t.TempDir())
	for range 2 {
		if sum := mustRun(t, plan, o); !sum.EveryRowFailed() {
			t.Errorf("summary %+v", sum)
		}
	}
	if sum := mustRun(t, &suite.Plan{}, o); sum.EveryRowFailed() {
		t.Errorf("of no rows: %+v", sum)
	}
}

// Workers that cannot be started end the run with an error and leave no rows.
func TestNoWorkers(t *testing.T) {
	plan := mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 3}}], algorithms: [first]}`)
	o := options(t.TempDir())
	o.Worker.Command = []string{"false"}
	if sum, err := runner.Run(t.Context(), plan, o); err == nil || len(records(t, o.Dir)) != 0 {
		t.Errorf("%+v, %v", sum, err)
	}
}

// Commands are bound to as many processors as they may have threads, those at the same time to distinct ones; with pin_cpus the
// workers are as well, and more of them than processors are refused.
func TestPin(t *testing.T) {
	free, err := proc.CPUs()
	fail.On(t, err)
	for threads := 1; threads <= min(2, len(free)); threads++ {
		workers := min(2, len(free)/threads)
		// Each command waits until all run.
		script := fmt.Sprintf(`grep Cpus_allowed_list /proc/self/status >&2; touch "$0/$$-$SCHEDGAP_SEED"
			while [ $(ls "$0" | wc -l) -lt %d ]; do sleep 0.02; done; exit 1`, workers)
		plan := mustResolve(t, fmt.Sprintf(`{name: s, problem: toy, instances: [{generate: {n: 1}}], seeds: [1, 2], limits: {threads: %d},
			algorithms: [{name: mine, command: [sh, -c, %q, %q]}]}`, threads, script, t.TempDir()))
		o := options(t.TempDir())
		o.Workers = workers
		mustRun(t, plan, o)
		seen := map[string]bool{}
		for _, row := range records(t, o.Dir) {
			_, list, ok := strings.Cut(*row.Error, "Cpus_allowed_list:\t")
			if first, last, several := strings.Cut(list, "-"); !ok || several != (threads > 1) || several && first == last {
				t.Errorf("%d threads: %q", threads, *row.Error)
			}
			seen[list] = true
		}
		if len(seen) != workers && !(workers == 1 && len(seen) == 1) {
			t.Errorf("%d threads, %d workers: processors %v", threads, workers, seen)
		}
	}
	plan := mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 1}}], pin_cpus: true, algorithms: [first]}`)
	o := options(t.TempDir())
	o.Workers = 4096
	if _, err := runner.Run(t.Context(), plan, o); err == nil || !strings.Contains(err.Error(), "pin_cpus: 4096 workers") {
		t.Errorf("%v", err)
	}
}

// The orphaned worker of a killed runner ends too.
func TestKilledRunnerLeavesNoWorker(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), runnerEnv+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	fail.On(t, cmd.Start())
	var workers []string
	children := func() bool {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", cmd.Process.Pid, cmd.Process.Pid))
		threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", cmd.Process.Pid))
		for _, f := range threads {
			more, _ := os.ReadFile(f)
			data = append(append(data, ' '), more...)
		}
		workers = strings.Fields(string(data))
		return len(workers) > 0
	}
	await.That(t, "there is no worker", children)
	fail.On(t, cmd.Process.Kill())
	_ = cmd.Wait() // killed, as it says
	for _, word := range workers {
		pid, err := strconv.Atoi(word)
		fail.On(t, err)
		await.Gone(t, pid)
	}
}

// BenchmarkRun is what a unit of a whole run costs beyond its algorithm, new instances and written rows included.
func BenchmarkRun(b *testing.B) {
	plan, err := resolve(b.Context(), `{name: s, problem: toy, instances: [{generate: {n: 100}}],
		algorithms: [first, good, pair, liar]}`)
	fail.On(b, err)
	for b.Loop() {
		o := options(b.TempDir())
		o.Workers, o.Flush = 1, 0
		if sum, err := runner.Run(b.Context(), plan, o); err != nil || sum.ToRun != 400 {
			b.Fatal(sum, err)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e3/float64(b.N*len(plan.Units)), "ms/unit")
}
