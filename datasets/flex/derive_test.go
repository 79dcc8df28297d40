package flex_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"schedgap/datasets/datasettest"
	"schedgap/datasets/flex"
	"schedgap/models"
	"schedgap/models/fail"
	mflex "schedgap/models/flex"
	"schedgap/models/trials/property"
)

// taskRows is a small trace in Google's 2011 format, one line "second job task event priority" an event; of events 0 is SUBMIT,
// 1 SCHEDULE, 2 EVICT, 4 FINISH and 5 KILL.
//
// At 1000 s: job 11 has task 1 with 100 s left and task 0 with all of its 150 s, while task 2 will be killed and task 3 is
// done. Job 12's task runs in vain and has the 80 s of its second run left. Job 13 has finished, 14 has not come yet, 15 never
// ends, 16 has only a task that is submitted later.
var taskRows = []string{
	"700 11 0 0 2", "700 11 1 0 2", "700 11 2 0 2", "700 11 3 0 2", "710 15 0 0 0", "720 12 0 0 8", "730 13 0 0 0",
	"750 11 3 1 2", "760 15 0 1 0", "770 13 0 1 0", "780 11 2 1 2", "800 12 0 1 8", "850 13 0 4 0", "860 16 0 0 1",
	"870 16 0 1 1", "890 16 0 4 1", "900 11 1 1 2", "950 11 3 4 2", "1001 16 1 0 1", "1002 14 0 0 0", "1003 14 0 1 0",
	"1010 12 0 2 8", "1010 12 0 0 8", "1020 12 0 1 8", "1050 11 0 1 2", "1060 16 1 1 1", "1100 11 1 4 2", "1100 12 0 4 8",
	"1150 16 1 4 1", "1200 11 0 4 2", "1300 11 2 5 2", "1310 14 0 4 0",
}

// writeTaskRows puts rows into a trace folder.
func writeTaskRows(t *testing.T, rows []string) string {
	t.Helper()
	var table strings.Builder
	for _, row := range rows {
		var second, job, task, event, priority int
		if _, err := fmt.Sscan(row, &second, &job, &task, &event, &priority); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&table, "%d,,%d,%d,7,%d,u,0,%d,0.1,0.1,0,0\n", second*1_000_000, job, task, event, priority)
	}
	return datasettest.Folder(t, map[string]string{datasettest.TaskEvents: table.String()})
}

// deriveInstances collects the instances of a request and makes sure that each is valid. Small tests have jobs of few tasks: unless
// given says otherwise, all count and most run at once.
func deriveInstances(tb rapid.TB, r models.DeriveRequest, given map[string]any) []*mflex.Instance {
	tb.Helper()
	params := map[string]any{"derivation": "uncontended"}
	maps.Copy(params, given)
	ins, err := kit.Derive(tb, r, params)
	fail.On(tb, err)
	return ins
}

// at1000 is a window of one microsecond, so that the instant is 1000 s sharp.
func at1000(dir string) models.DeriveRequest {
	return models.DeriveRequest{Dir: dir, Format: "google2011", From: 1000, To: 1000.000001, N: 1, Seed: 1}
}

// The small trace by hand. Job 11 has work 100 + 150 and a peak of 2 from 1050 to 1100; job 12 has work 80 and a peak of 1.
// With capacity 1 there are 3 slots; with no slack fair shares by weight 3 and 9 of them, 0.75 and 2.25, are cut at the maxima
// 2 and 1, which gives 2 and 1.
func TestDeriveByHand(t *testing.T) {
	dir := writeTaskRows(t, taskRows)
	number := func(v float64) *float64 { return &v }
	jobs := func(edit func(a, b *mflex.Job)) []mflex.Job {
		js := []mflex.Job{{ID: "11", Work: 250, Min: 2, Max: 2, Weight: 3}, {ID: "12", Work: 80, Min: 1, Max: 1, Weight: 9}}
		edit(&js[0], &js[1])
		return js
	}
	for _, c := range []struct {
		name  string
		given map[string]any
		slots int
		want  []mflex.Job
	}{
		{"plain", map[string]any{}, 3, jobs(func(_, _ *mflex.Job) {})},
		// 0.5·3 rounds to 2, the floor of one slot each.
		{"half the capacity", map[string]any{"capacity": 0.5, "slack": 1}, 2, jobs(func(a, _ *mflex.Job) { a.Min = 1 })},
		// Shares of 0.4·3 ≈ 1: 0.25 and 0.75, the larger remainder wins.
		{"without a floor", map[string]any{"slack": 0.6, "min_floor": 0}, 3, jobs(func(a, _ *mflex.Job) { a.Min = 0 })},
		{"given slots", map[string]any{"slots": 10}, 10, jobs(func(_, _ *mflex.Job) {})},
		// The last tasks ended 200 and 100 s later.
		{"own deadlines", map[string]any{"metric": "tardy"}, 3, jobs(func(a, b *mflex.Job) {
			a.Deadline, b.Deadline = number(200), number(100)
		})},
		{"steps", map[string]any{"metric": "sla"}, 3, jobs(func(a, b *mflex.Job) {
			a.Steps = []mflex.Step{{At: 200, Penalty: 1}, {At: 400, Penalty: 2}, {At: 600, Penalty: 3}}
			b.Steps = []mflex.Step{{At: 100, Penalty: 1}, {At: 200, Penalty: 2}, {At: 300, Penalty: 3}}
		})},
		{"several tasks", map[string]any{"min_tasks": 2, "min_jobs": 1, "capacity": 2}, 4, jobs(func(_, _ *mflex.Job) {})[:1]},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := map[string]any{"capacity": 1, "slack": 0}
			for k, v := range c.given {
				given[k] = v
			}
			ins := deriveInstances(t, at1000(dir), given)
			if len(ins) != 1 {
				t.Fatalf("%d instances, want 1", len(ins))
			}
			if diff := cmp.Diff(c.want, ins[0].Jobs); diff != "" {
				t.Error(diff)
			}
			if ins[0].Slots != c.slots {
				t.Errorf("%d slots, want %d", ins[0].Slots, c.slots)
			}
		})
	}
}

// What ran before the trace began has a known rest: job 17 ends 90 s after the instant, whenever it started.
func TestDeriveRunningBeforeTheTrace(t *testing.T) {
	rows := append([]string{"0 17 0 0 2", "0 17 0 1 2"}, taskRows...)
	rows = slices.Insert(rows, slices.Index(rows, "1100 11 1 4 2"), "1090 17 0 4 2")
	in := deriveInstances(t, at1000(writeTaskRows(t, rows)), nil)[0]
	want := mflex.Job{ID: "17", Work: 90, Min: 1, Max: 1, Weight: 3}
	if diff := cmp.Diff(want, in.Jobs[0]); diff != "" {
		t.Error(diff)
	}
}

// lineage is what the tests look at of an instance's lineage.
type lineage struct {
	Format  string
	Files   []struct{ Name, SHA256 string }
	From    float64
	To      float64
	Seed    uint64
	Params  map[string]any
	Note    string
	Instant float64
	// Qualified jobs were there to choose from.
	Qualified int
}

func lineageOf(t *testing.T, in *mflex.Instance) (l lineage) {
	t.Helper()
	datasettest.Lineage(t, in, &l)
	return l
}

// The lineage names the file with its sum, the window, the instant, the parameters and the seed.
func TestDeriveLineage(t *testing.T) {
	dir := writeTaskRows(t, taskRows)
	file, err := os.ReadFile(filepath.Join(dir, "task_events", "part-00000-of-00001.csv"))
	fail.On(t, err)
	l := lineageOf(t, deriveInstances(t, at1000(dir), map[string]any{"jobs": 5})[0])
	if len(l.Files) != 1 || l.Files[0].Name != "task_events/part-00000-of-00001.csv" || l.Files[0].SHA256 != models.Digest(file) {
		t.Errorf("files %v", l.Files)
	}
	if l.Format != "google2011" || l.From != 1000 || l.To != 1000.000001 || l.Seed != 1 || l.Instant != 1000 || l.Qualified != 2 {
		t.Errorf("lineage %+v", l)
	}
	if l.Params["jobs"] != 5. || len(l.Params) != len(flex.Deriver.Params) || !strings.Contains(l.Note, "right-censors") {
		t.Errorf("parameters %v, note %q", l.Params, l.Note)
	}
}

// Of more jobs than asked for a sample is taken, in the order of submission; seeds differ, and over many of them every job
// has its turn. The same request gives the same bytes.
func TestDeriveSamples(t *testing.T) {
	var rows []string
	for job := range 8 {
		rows = append(rows, fmt.Sprintf("%d %d 0 0 0", 700+job, 20+job))
	}
	for job := range 8 {
		rows = append(rows, fmt.Sprintf("%d %d 0 1 0", 710+job, 20+job))
	}
	for job := range 8 {
		rows = append(rows, fmt.Sprintf("%d %d 0 4 0", 1010+job, 20+job))
	}
	r := at1000(writeTaskRows(t, rows))
	turns := map[string]bool{}
	for r.Seed = range 40 {
		ins := deriveInstances(t, r, map[string]any{"jobs": 3})
		jobs := ins[0].Jobs
		if len(jobs) != 3 || jobs[0].ID >= jobs[1].ID || jobs[1].ID >= jobs[2].ID {
			t.Fatalf("seed %d: jobs %+v, want three in order", r.Seed, jobs)
		}
		for _, job := range jobs {
			turns[job.ID] = true
		}
		again := deriveInstances(t, r, map[string]any{"jobs": 3})[0]
		if diff := cmp.Diff(string(encodeInstance(t, ins[0])), string(encodeInstance(t, again))); diff != "" {
			t.Error(diff)
		}
	}
	if len(turns) != 8 { // a job is left out of all 40 samples with probability (5/8)^40 ≈ 7e-9
		t.Errorf("only %v were ever taken", turns)
	}
}

// Strata in which too few jobs qualify give nothing. Job 11 qualifies from 700 until 1200, never without another one from 720,
// when 12 comes, on; 12 goes at 1100, after 14 came at 1002. After 1200 there is only 14.
func TestDeriveFewer(t *testing.T) {
	r := models.DeriveRequest{Dir: writeTaskRows(t, taskRows), Format: "google2011", N: 61, Seed: 3}
	ins := deriveInstances(t, r, nil)
	if len(ins) == 0 || len(ins) == r.N {
		t.Fatalf("%d instances, want some of %d", len(ins), r.N)
	}
	for _, in := range ins {
		if l := lineageOf(t, in); l.Instant < 720 || l.Instant >= 1200 || l.Qualified < 2 {
			t.Errorf("%s: instant %v with %d qualified jobs", in.Name, l.Instant, l.Qualified)
		}
	}
	// Four jobs qualify from 1002 to 1100, a sixth of the window: 20 draws find them with probability 0.97.
	found := 0
	for r.N, r.Seed = 1, 0; r.Seed < 40; r.Seed++ {
		found += len(deriveInstances(t, r, map[string]any{"min_jobs": 4}))
	}
	if found < 30 {
		t.Errorf("%d of 40 seeds found four jobs, want at least 30", found)
	}
	if got := deriveInstances(t, r, map[string]any{"min_jobs": 10}); len(got) != 0 {
		t.Errorf("%d instances of ten jobs in a trace of six", len(got))
	}
}

// Whatever the options, what is derived is valid, has the jobs asked for and leaves no more than the slots to the minima.
func TestDeriveProperties(t *testing.T) {
	r := models.DeriveRequest{Dir: writeTaskRows(t, taskRows), Format: "google2011"}
	property.Check(t, func(t *rapid.T) {
		given := drawObjective(t)
		jobs, floor := rapid.IntRange(1, 5).Draw(t, "jobs"), rapid.IntRange(0, 1).Draw(t, "floor")
		for name, value := range map[string]any{
			"jobs": jobs, "min_jobs": 1, "min_floor": floor, "slack": rapid.Float64Range(0, 1).Draw(t, "slack"),
			"slots":    rapid.SampledFrom([]int{0, 5, 6, 100}).Draw(t, "slots"),
			"capacity": rapid.Float64Range(0, 3).Draw(t, "capacity"),
		} {
			given[name] = value
		}
		r.N, r.Seed = rapid.IntRange(1, 8).Draw(t, "n"), rapid.Uint64Range(0, 1<<53).Draw(t, "seed")
		names := map[string]bool{}
		for _, in := range deriveInstances(t, r, given) {
			if names[in.Name] {
				t.Errorf("two instances are named %s", in.Name)
			}
			names[in.Name] = true
			if len(in.Jobs) > jobs {
				t.Errorf("%d jobs, want at most %d", len(in.Jobs), jobs)
			}
			for _, job := range in.Jobs {
				if job.Min < floor {
					t.Errorf("%s has minimum %d", job.ID, job.Min)
				}
			}
		}
		if len(names) == 0 || len(names) > r.N {
			t.Errorf("%d instances, want 1 to %d", len(names), r.N)
		}
	})
}

// A consumer that stops early is not called again.
func TestDeriveStops(t *testing.T) {
	r := models.DeriveRequest{Dir: writeTaskRows(t, taskRows), Format: "google2011", N: 20, Seed: 3}
	r.Params = models.Defaults(flex.Deriver.Params)
	r.Params["derivation"] = "uncontended"
	n := 0
	for range flex.Deriver.Derive(context.Background(), r) {
		n++
		if n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
}

// Bad requests end in one error, and a cancelled context in its own.
func TestDeriveErrors(t *testing.T) {
	dir := writeTaskRows(t, taskRows)
	killed := writeTaskRows(t, []string{"700 11 0 0 2", "750 11 0 1 2", "800 11 0 5 2"})
	first := func(ctx context.Context, r models.DeriveRequest, given map[string]any) error {
		var err error
		r.Params, err = models.Resolve(flex.Deriver.Params, given)
		fail.On(t, err)
		for _, err := range flex.Deriver.Derive(ctx, r) {
			return err
		}
		return nil
	}
	for _, c := range []struct {
		dir   string
		given map[string]any
		want  string
	}{
		{dir, map[string]any{"slots": 5}, "parameter slots: 5 must be at least jobs, 10"},
		{dir, map[string]any{"jobs": 3, "min_jobs": 4}, "parameter min_jobs: 4 must be at most jobs, 3"},
		{dir, map[string]any{"metric": "tardy", "aggregate": "max"}, "parameter aggregate: max is not defined"},
		{killed, nil, "the google2011 trace records there no task"},
		{filepath.Join(dir, "nowhere"), nil, "nowhere"},
	} {
		err := first(context.Background(), at1000(c.dir), c.given)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error %v, want %q", c.given, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := first(ctx, at1000(dir), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// The committed sample gives every instance asked for under every metric, all of them different.
func TestDeriveSample(t *testing.T) {
	dir := datasettest.Synthetic(t)
	seen := map[string]bool{}
	for seed, metric := range mflex.Metrics {
		r := models.DeriveRequest{Dir: dir, From: 1200, To: 3600, N: 6, Seed: uint64(seed)}
		ins := deriveInstances(t, r, map[string]any{"metric": string(metric)})
		if len(ins) != r.N {
			t.Errorf("%s: %d instances, want %d", metric, len(ins), r.N)
		}
		for _, in := range ins {
			seen[models.Digest(encodeInstance(t, in))] = true
			if l := lineageOf(t, in); l.Instant < r.From || l.Instant >= r.To || l.Qualified < len(in.Jobs) || len(l.Files) != 3 {
				t.Errorf("%s: lineage %+v", in.Name, l)
			}
		}
	}
	if want := 6 * len(mflex.Metrics); len(seen) != want {
		t.Errorf("%d different instances, want %d", len(seen), want)
	}
}

// Formats that record tasks as a whole work too; one without tasks is an error.
func TestDeriveOtherFormats(t *testing.T) {
	root := os.Getenv("SCHEDGAP_TRACES")
	if root == "" {
		t.Skip("SCHEDGAP_TRACES is not set: the real traces are not looked at")
	}
	r := models.DeriveRequest{Dir: filepath.Join(root, "alibaba", "v2018_dags_from_erdos.csv.gz"), Format: "alibaba", N: 10, Seed: 1}
	if ins := deriveInstances(t, r, nil); len(ins) != r.N {
		t.Errorf("%d instances, want %d", len(ins), r.N)
	}
	r.Dir, r.Format, r.Params = filepath.Join(root, "swim"), "swim", models.Defaults(flex.Deriver.Params)
	for _, err := range flex.Deriver.Derive(context.Background(), r) {
		if err == nil || !strings.Contains(err.Error(), "the swim trace records there no task") {
			t.Errorf("error %v, want one that says that there are no tasks", err)
		}
	}
}

// The real trace has enough active jobs in every stratum of a window of an hour; its files have the published sums.
func TestDeriveGoogle2011(t *testing.T) {
	root := os.Getenv("SCHEDGAP_TRACES")
	if root == "" {
		t.Skip("SCHEDGAP_TRACES is not set: the real trace is not looked at")
	}
	r := models.DeriveRequest{Dir: filepath.Join(root, "google2011"), Format: "google2011", From: 600, To: 4200, N: 20, Seed: 1}
	ins := deriveInstances(t, r, map[string]any{"metric": "tardiness"})
	if len(ins) != r.N {
		t.Fatalf("%d instances, want %d", len(ins), r.N)
	}
	for i, in := range ins {
		l := lineageOf(t, in)
		if from := 600 + 180*float64(i); l.Instant < from || l.Instant > from+180 {
			t.Errorf("%s: instant %v is not in stratum %d", in.Name, l.Instant, i)
		}
		// Some 600 jobs an hour have tasks that finish; half of them last more than eight minutes.
		if len(in.Jobs) != 10 || l.Qualified < 20 || l.Qualified > 1000 {
			t.Errorf("%s: %d of %d jobs, want 10 of dozens", in.Name, len(in.Jobs), l.Qualified)
		}
		sums := map[string]string{}
		for _, f := range l.Files {
			sums[f.Name] = f.SHA256
		}
		want := "fc44b8d2b33a96a261382488789855be7a0ce338888c99930ff45cb592249664"
		if got := sums["machine_events/part-00000-of-00001.csv.gz"]; got != want {
			t.Errorf("%s: sum of machine_events is %q, want %s", in.Name, got, want)
		}
	}
}

// Contended, the default: jobs with 5 tasks left or more share a fifth of their peaks. By hand: of 10 tasks that run at once a fifth is 2
// slots, and the job of 4 tasks is left out. The lineage has what was used.
func TestDeriveContended(t *testing.T) {
	var table []string
	for kind, second := range map[int]int{0: 900, 1: 950, 4: 1100} {
		for job, tasks := range []int{5, 4, 5} {
			for task := range tasks {
				table = append(table, fmt.Sprintf("%4d %d %d %d 0", second, job+1, task, kind))
			}
		}
	}
	slices.Sort(table)
	ins, err := kit.Derive(t, at1000(writeTaskRows(t, table)), nil)
	if err != nil || len(ins) != 1 || len(ins[0].Jobs) != 2 || ins[0].Slots != 2 || ins[0].Jobs[1].ID != "3" {
		t.Fatalf("%+v, %v", ins, err)
	}
	var l struct{ Params map[string]any }
	datasettest.Lineage(t, ins[0], &l)
	if l.Params["min_tasks"] != 5. || l.Params["capacity"] != .2 {
		t.Errorf("lineage %v", l.Params)
	}
}
