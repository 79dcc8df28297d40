package synthetic

import (
	"bytes"
	"context"
	"flag"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"schedgap/datasets/event"
	"schedgap/datasets/formats/google2011"
	"schedgap/datasets/synthetic/sampletest"
	"schedgap/datasets/table"
	"schedgap/datasets/trace"
	"schedgap/models/fail"
	"schedgap/models/trials/property"
)

var update = flag.Bool("update", false, "write the sample again")

func seeded(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// The committed sample is written with this seed and these parameters: jobs that would have more than 30 tasks have 30.
const sampleSeed = 1

func sampleParams() Params { return Params{Hours: 1, MaxTasks: 30} }

// The committed sample is what its parameters and seed generate, byte for byte, and small.
func TestSample(t *testing.T) {
	dir := t.TempDir()
	if *update {
		dir = "sampletest/sample"
	}
	fail.On(t, Write(dir, sampleParams(), seeded(sampleSeed)))
	if *update {
		t.Skip("the sample was written again; the old one is compiled into this test, so nothing can be compared")
	}
	sample, err := sampletest.Files()
	fail.On(t, err)
	size, count := 0, 0
	err = fs.WalkDir(sample, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		want, err := fs.ReadFile(sample, path)
		if err != nil {
			return err
		}
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes are generated, %d other ones committed", path, len(got), len(want))
		}
		size, count = size+len(want), count+1
		return nil
	})
	fail.On(t, err)
	if count != 3 || size > 200<<10 {
		t.Errorf("%d files with %d bytes", count, size)
	}
}

// The extracted sample is a trace that opens without naming its format, with finished jobs to derive instances from.
func TestExtract(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	fail.On(t, sampletest.Extract(dir))
	s, err := trace.Open(dir, "")
	fail.On(t, err)
	tr, err := trace.Assemble(t.Context(), s, trace.Options{})
	fail.On(t, err)
	// 778.2 jobs an hour, rounded up; 63 % of them finish, 4 % of those with several tasks.
	finished := tr.FinishedJobs()
	several := slices.DeleteFunc(slices.Clone(finished), func(j *trace.Job) bool { return len(j.Tasks) < 2 })
	if len(tr.Jobs) != 779 || len(finished) < 400 || len(several) < 10 || len(tr.Machines) != 125 {
		t.Errorf("%d jobs, %d finished, %d with several tasks; %d machines",
			len(tr.Jobs), len(finished), len(several), len(tr.Machines))
	}
	for _, j := range tr.Jobs {
		if len(j.Tasks) > sampleParams().MaxTasks {
			t.Errorf("job %s has %d tasks", j.ID, len(j.Tasks))
		}
		if j.Submit.Seconds() > 600+3600.01 {
			t.Errorf("job %s is submitted at %v", j.ID, j.Submit)
		}
	}
	if err := sampletest.Extract(dir); err == nil {
		t.Error("extracting twice overwrites the first")
	}
}

// generated is a reader of rows in memory.
type generated struct{ *rows }

func (g generated) Dir() string     { return "" }
func (g generated) Format() string  { return google2011.Format }
func (g generated) Files() []string { return nil }
func (g generated) Sorted() bool    { return true }

func (g generated) Read(_ context.Context, sink event.Sink) error {
	for i, m := range g.machines {
		if err := sink.Machine(&event.MachineEvent{Machine: int64(i), CPU: m.Cpu, Memory: m.Memory}); err != nil {
			return err
		}
	}
	for _, r := range g.jobs {
		ev := event.JobEvent{Time: r.time, Job: int64(r.job), Kind: r.kind}
		if err := sink.Job(&ev); err != nil {
			return err
		}
	}
	for _, r := range g.tasks {
		ev := event.TaskEvent{
			Time: r.time, Job: int64(r.job), Index: int32(r.index), Kind: r.kind, Class: r.rank.Class, Priority: r.rank.Priority,
			Machine: int64(r.machine), CPU: r.cpu, Memory: r.memory, Disk: r.disk,
		}
		if err := sink.Task(&ev); err != nil {
			return err
		}
	}
	return nil
}

// A synthetic trace as long as the real one has marginals near the published ones of the real one.
func TestMarginals(t *testing.T) {
	p, err := Params{Jobs: 15165, Hours: 19.49, Machines: 12477}.withDefaults()
	fail.On(t, err)
	tr, err := trace.Assemble(t.Context(), generated{generate(fitted(), p, seeded(1))}, trace.Options{})
	fail.On(t, err)
	info := trace.Describe(tr)
	jobs := float64(info.Jobs.Whole)
	outcome := map[string]float64{}
	for _, o := range info.Outcomes {
		outcome[o.Outcome] = float64(o.Jobs) / jobs
	}
	for _, tc := range []struct {
		name      string
		got, want float64
		factor    float64 // by which the two may differ
	}{
		{"jobs", jobs, 15165, 1},
		{"mean tasks per job", info.TasksPerJob.Mean, 30.9, 1.15},
		{"single-task share", info.SingleTask, .793, 1.02},
		{"p90 of tasks per job", info.TasksPerJob.P90, 18, 1.5},
		{"p95 of tasks per job", info.TasksPerJob.P95, 100, 1.25},
		{"p99 of tasks per job", info.TasksPerJob.P99, 967, 1.25},
		{"finished jobs", outcome["finished"], 9569. / 15165, 1.03},
		{"partly finished jobs", outcome["partly finished"], 2236. / 15165, 1.1},
		{"killed jobs", outcome["killed"], 2885. / 15165, 1.05},
		{"unfinished jobs", outcome["unfinished"], 324. / 15165, 1.2},
		{"share of finished tasks", float64(info.Durations.N) / float64(info.Jobs.WholeTasks), 310_700. / 469_346, 1.1},
		// Half of the tasks are in the one percent largest jobs, which makes quantiles of tasks unsteady.
		{"p5 of durations", info.Durations.P5, 42.4, 1.25},
		{"p25 of durations", info.Durations.P25, 181.3, 1.25},
		{"p50 of durations", info.Durations.P50, 471.6, 1.25},
		{"p75 of durations", info.Durations.P75, 1_552, 1.25},
		{"p95 of durations", info.Durations.P95, 8_375, 1.25},
		{"p99 of durations", info.Durations.P99, 14_006, 1.25},
		{"longest duration", info.Durations.Max, 48_534, 1.01},
		{"p25 of CPU requests", info.CPU.P25, .0125, 1.25},
		{"p50 of CPU requests", info.CPU.P50, .02499, 1.25},
		{"p75 of CPU requests", info.CPU.P75, .0625, 1.25},
		{"p95 of CPU requests", info.CPU.P95, .09998, 1.25},
		{"p25 of memory requests", info.Memory.P25, .01102, 1.25},
		{"p50 of memory requests", info.Memory.P50, .02545, 1.25},
		{"p75 of memory requests", info.Memory.P75, .03339, 1.25},
		{"p95 of memory requests", info.Memory.P95, .1243, 1.25},
		{"stragglers among 2 tasks", info.Stragglers.Share2, .33, 1.35},
		{"stragglers among 10 tasks", info.Stragglers.Share10, .585, 1.25},
		{"largest sort of machines", float64(info.Capacities[0].Machines) / float64(info.Machines), 6672. / 12477, 1.03},
		{"second sort of machines", float64(info.Capacities[1].Machines) / float64(info.Machines), 3835. / 12477, 1.05},
	} {
		if tc.got > tc.want*tc.factor || tc.got < tc.want/tc.factor {
			t.Errorf("%s: %v is not within a factor of %v of the real %v", tc.name, tc.got, tc.factor, tc.want)
		}
	}
}

// What is written is read back as it was drawn, and the same seed gives the same bytes.
func TestWriteReadsBack(t *testing.T) {
	property.Check(t, func(rt *rapid.T) {
		p := Params{
			Hours: rapid.Float64Range(.01, 100).Draw(rt, "hours"), Jobs: rapid.IntRange(1, 30).Draw(rt, "jobs"),
			MaxTasks: rapid.IntRange(1, 20).Draw(rt, "most tasks"), Machines: rapid.IntRange(1, 5).Draw(rt, "machines"),
		}
		seed := rapid.Uint64().Draw(rt, "seed")
		dir := t.TempDir()
		for _, sub := range []string{"a", "b"} {
			if err := Write(filepath.Join(dir, sub), p, seeded(seed)); err != nil {
				rt.Fatal(err)
			}
		}
		const part = "part-00000-of-00001.csv.gz"
		for _, name := range []string{"task_events", "job_events", "machine_events"} {
			a, errA := os.ReadFile(filepath.Join(dir, "a", name, part))
			b, errB := os.ReadFile(filepath.Join(dir, "b", name, part))
			if errA != nil || errB != nil || !bytes.Equal(a, b) {
				rt.Fatalf("%s differs between two runs (%v, %v)", name, errA, errB)
			}
		}
		want := generate(fitted(), p, seeded(seed))
		r, err := google2011.Loader.Open(table.Dir{FS: os.DirFS(filepath.Join(dir, "a")), Name: dir})
		if err != nil {
			rt.Fatal(err)
		}
		rows := 0
		err = r.Read(t.Context(), event.Sink{Task: func(ev *event.TaskEvent) error {
			w := want.tasks[rows]
			if ev.Time != w.time || ev.Job != firstJob+int64(w.job) || int(ev.Index) != w.index || ev.Kind != w.kind ||
				ev.CPU != w.cpu || ev.Memory != w.memory || ev.Disk != w.disk || int(ev.Machine) != w.machine {
				rt.Fatalf("row %d: %+v was drawn, %+v is read", rows, w, *ev)
			}
			rows++
			return nil
		}, Job: func(*event.JobEvent) error { return nil }, Machine: func(*event.MachineEvent) error { return nil }})
		if err != nil || rows != len(want.tasks) {
			rt.Fatalf("%d of %d rows: %v", rows, len(want.tasks), err)
		}
	})
}

// Every task's life is one that the format allows: submitted, started, ended, and so on, in order of time.
func TestLives(t *testing.T) {
	p, err := Params{Jobs: 500, MaxTasks: 20}.withDefaults()
	fail.On(t, err)
	type key struct{ job, index int }
	state := map[key]event.Kind{}
	for i, r := range generate(fitted(), p, seeded(3)).tasks {
		k := key{r.job, r.index}
		before, seen := state[k]
		var ok bool
		switch r.kind {
		case event.Submit:
			ok = !seen || before == event.Evict || before == event.Fail || before == event.Kill
		case event.Schedule:
			ok = seen && before == event.Submit
		case event.Kill:
			ok = seen && (before == event.Submit || before == event.Schedule)
		default:
			ok = seen && before == event.Schedule
		}
		if !ok || r.machine == 0 && r.kind == event.Schedule {
			t.Fatalf("row %d, task %v: %v (machine %d) after %v", i, k, r.kind, r.machine, before)
		}
		state[k] = r.kind
	}
}

// Sizes that make no sense are refused by name.
func TestWriteRefuses(t *testing.T) {
	for _, tc := range []struct {
		p    Params
		want string
	}{
		{Params{Hours: -1}, "synthetic trace: -1 hours must be between 0 and 10000"},
		{Params{Hours: math.NaN()}, "synthetic trace: NaN hours must be between 0 and 10000"},
		{Params{Jobs: -1}, "synthetic trace: -1 jobs of at most 0 tasks on 0 machines: numbers must not be negative"},
	} {
		if err := Write(t.TempDir(), tc.p, seeded(1)); err == nil || err.Error() != tc.want {
			t.Errorf("got  %v\nwant %s", err, tc.want)
		}
	}
}

// The pieces of a curve meet at the probabilities, and four digits are kept of every number.
func TestCurve(t *testing.T) {
	var c curve
	for i := range c {
		c[i] = float64(i * i)
	}
	for i, p := range probabilities {
		if got := c.at(p); math.Abs(got-c[i]) > 1e-9 {
			t.Errorf("at %v: %v, want %v", p, got, c[i])
		}
	}
	if got := c.at(.375); math.Abs(got-30.5) > 1e-9 { // halfway between 5² at .25 and 6² at .5
		t.Errorf("at .375: %v", got)
	}
	property.Check(t, func(t *rapid.T) {
		v := rapid.Float64Range(1e-9, 1e6).Draw(t, "v")
		got := round4(v)
		// Whole numbers keep all of their digits.
		if math.Abs(got-v) > .5*math.Pow(10, math.Min(0, math.Floor(math.Log10(v))-3))*1.001 {
			t.Fatalf("round4(%v) = %s", v, strconv.FormatFloat(got, 'g', -1, 64))
		}
	})
}
