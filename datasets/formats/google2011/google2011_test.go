package google2011_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/formats/google2011"
	"schedgap/datasets/table"
	"schedgap/models/fail"
)

func zip(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	fail.On(t, w.Close())
	return b.Bytes()
}

func open(t testing.TB, files fstest.MapFS) *formats.Reader {
	t.Helper()
	r, err := google2011.Loader.Open(table.Dir{FS: files, Name: "dir"})
	fail.On(t, err)
	return r
}

// Every column of the three tables arrives where it belongs, parts in order, gzip and plain, the last line with no newline.
func TestRead(t *testing.T) {
	r := open(t, fstest.MapFS{
		"task_events/part-00001-of-00002.csv": {Data: []byte("9223372036854775807,,7,1,,5,u,1,4,,,,")},
		"task_events/part-00000-of-00002.csv.gz": {Data: zip(t,
			"0,2,7,0,31,1,u,3,9,,,,\n600000001,,7,1,,0,u,1,4,0.5,0.25,1.907e-05,1\n")},
		"job_events/part-00000-of-00001.csv":     {Data: []byte("600000000,,7,0,user,1,run1,program\n")},
		"machine_events/part-00000-of-00001.csv": {Data: []byte("0,31,0,p,0.5,0.2493\n5,31,2,p,,\n6,31,1,p,0.5,0.2493\n")},
		"schema.csv":                             {Data: []byte("not a table\n")},
	})
	var tasks []event.TaskEvent
	var jobs []event.JobEvent
	var machines []event.MachineEvent
	err := r.Read(t.Context(), event.Sink{
		Task:    func(ev *event.TaskEvent) error { tasks = append(tasks, *ev); return nil },
		Job:     func(ev *event.JobEvent) error { jobs = append(jobs, *ev); return nil },
		Machine: func(ev *event.MachineEvent) error { machines = append(machines, *ev); return nil },
	})
	fail.On(t, err)
	wantTasks := []event.TaskEvent{
		{
			Time: event.BeforeWindow, Job: 7, Machine: 31, Kind: event.Schedule, Class: 3, Priority: 9,
			Missing: event.CPU | event.Memory | event.Disk,
		},
		{
			Time: 600_000_001, Job: 7, Index: 1, Kind: event.Submit, Class: 1, Priority: 4, CPU: .5, Memory: .25, Disk: 1.907e-05,
			Missing: event.Machine,
		},
		{
			Time: event.AfterWindow, Job: 7, Index: 1, Kind: event.Kill, Class: 1, Priority: 4,
			Missing: event.Machine | event.CPU | event.Memory | event.Disk,
		},
	}
	if d := cmp.Diff(wantTasks, tasks); d != "" {
		t.Errorf("tasks: %s", d)
	}
	wantJobs := []event.JobEvent{{Time: 600_000_000, Job: 7, Kind: event.Submit}}
	if d := cmp.Diff(wantJobs, jobs); d != "" {
		t.Errorf("jobs: %s", d)
	}
	wantMachines := []event.MachineEvent{
		{Machine: 31, Kind: event.Add, CPU: .5, Memory: .2493},
		{Time: 5, Machine: 31, Kind: event.Update, Missing: event.CPU | event.Memory},
		{Time: 6, Machine: 31, Kind: event.Remove, CPU: .5, Memory: .2493},
	}
	if d := cmp.Diff(wantMachines, machines); d != "" {
		t.Errorf("machines: %s", d)
	}
	want := []string{
		"job_events/part-00000-of-00001.csv", "machine_events/part-00000-of-00001.csv",
		"task_events/part-00000-of-00002.csv.gz", "task_events/part-00001-of-00002.csv",
	}
	if d := cmp.Diff(want, r.Files()); d != "" {
		t.Errorf("files: %s", d)
	}
}

// The first line that is not as the schema says ends the reading with one sentence: file, line, column and value.
func TestReadRefuses(t *testing.T) {
	const right = "5,,7,0,,0,u,1,4,.5,.5,.5,0\n"
	long := strings.Repeat("7", 100)
	for _, tc := range []struct{ name, lines, want string }{
		{"too few columns", right + "5,,7,0\n", `line 2: "5,,7,0" has 4 columns instead of 13`},
		{"too many columns", "5,,7,0,,0,u,1,4,.5,.5,.5,0,\n", `line 1: "5,,7,0,,0,u,1,4,.5,.5,.5,0," has 14 columns instead of 13`},
		{"empty line", right + "\n", `line 2: "" has 1 columns instead of 13`},
		{"time is text", "x,,7,0,,0,u,1,4,.5,.5,.5,0\n", `line 1: column time: "x" is not an integer ≥ 0`},
		{"negative time", "-5,,7,0,,0,u,1,4,.5,.5,.5,0\n", `line 1: column time: "-5" is not an integer ≥ 0`},
		{
			"time beyond 2^63-1", "9223372036854775808,,7,0,,0,u,1,4,.5,.5,.5,0\n",
			`line 1: column time: "9223372036854775808" is more than 9223372036854775807`,
		},
		{
			"endless digits", "5,," + long + ",0,,0,u,1,4,.5,.5,.5,0\n",
			`line 1: column job ID: "` + long[:60] + `…" is more than 9223372036854775807`,
		},
		{"no job", "5,,,0,,0,u,1,4,.5,.5,.5,0\n", `line 1: column job ID: "" must not be empty`},
		{"unknown event", "5,,7,0,,9,u,1,4,.5,.5,.5,0\n", `line 1: column event type: "9" is not a known event type (0 to 8)`},
		{"unknown missing info", "5,6,7,0,,0,u,1,4,.5,.5,.5,0\n", `line 1: column missing info: "6" is more than 5`},
		{"priority", "5,,7,0,,0,u,1,12,.5,.5,.5,0\n", `line 1: column priority: "12" is more than 11`},
		{"no priority", "5,,7,0,,0,u,1,,.5,.5,.5,0\n", `line 1: column priority: "" must not be empty`},
		{"class", "5,,7,0,,0,u,4,4,.5,.5,.5,0\n", `line 1: column scheduling class: "4" is more than 3`},
		{
			"CPU is no number", "5,,7,0,,0,u,1,4,NaN,.5,.5,0\n",
			`line 1: column CPU request: "NaN" is not a finite number ≥ 0`,
		},
		{
			"negative memory", "5,,7,0,,0,u,1,4,.5,-.5,.5,0\n",
			`line 1: column memory request: "-.5" is not a finite number ≥ 0`,
		},
		{"restriction", "5,,7,0,,0,u,1,4,.5,.5,.5,2\n", `line 1: column different machines restriction: "2" is more than 1`},
		{"carriage return", "5,,7,0,,0,u,1,4,.5,.5,.5,0\r\n", `line 1: column different machines restriction: "0\r" is not an integer ≥ 0`},
		{
			"out of order", right + "4,,7,0,,0,u,1,4,.5,.5,.5,0\n",
			`line 2: column time: 4 is before the time of the row above; the table must be in order of time`,
		},
		{"first of two errors", "x,,7,0,,9,u,1,4,.5,.5,.5,0\n", `line 1: column time: "x" is not an integer ≥ 0`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := open(t, fstest.MapFS{"task_events/p.csv": {Data: []byte(tc.lines)}})
			err := r.Read(t.Context(), event.Sink{Task: func(*event.TaskEvent) error { return nil }})
			if want := "dir/task_events/p.csv: " + tc.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// The other two tables are checked as well, and the order of time goes on from part to part.
func TestReadRefusesInOtherTables(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{
			"machine event",
			map[string]string{"machine_events/m.csv": "0,5,3,p,.5,.5\n"},
			`dir/machine_events/m.csv: line 1: column event type: "3" is not a known event type (0 to 2)`,
		},
		{
			"job columns",
			map[string]string{"job_events/j.csv": "0,,5,0,u,1,n\n"},
			`dir/job_events/j.csv: line 1: "0,,5,0,u,1,n" has 7 columns instead of 8`,
		},
		{
			"order over parts",
			map[string]string{"job_events/a.csv": "8,,5,0,u,1,n,l\n", "job_events/b.csv": "7,,5,1,u,1,n,l\n"},
			`dir/job_events/b.csv: line 1: column time: 7 is before the time of the row above; the table must be in order of time`,
		},
		{
			"not gzip",
			map[string]string{"task_events/b.csv.gz": "\x1f\x8b,5,1,u,1,n,l\n"},
			`dir/task_events/b.csv.gz: cannot be unpacked: gzip: invalid header`,
		},
		{
			"empty gzip",
			map[string]string{"task_events/b.csv.gz": ""},
			`dir/task_events/b.csv.gz: cannot be unpacked: it ends too early`,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := fstest.MapFS{"task_events/a.csv": {}}
			for name, text := range tc.files {
				files[name] = &fstest.MapFile{Data: []byte(text)}
			}
			err := open(t, files).Read(t.Context(), event.Sink{
				Task:    func(*event.TaskEvent) error { return nil },
				Job:     func(*event.JobEvent) error { return nil },
				Machine: func(*event.MachineEvent) error { return nil },
			})
			if err == nil || err.Error() != tc.want {
				t.Errorf("got  %v\nwant %s", err, tc.want)
			}
		})
	}
}

// A gzip file that was cut off is an error, not a short trace.
func TestReadTruncated(t *testing.T) {
	whole := zip(t, strings.Repeat("5,,7,0,,0,u,1,4,.5,.5,.5,0\n", 100))
	r := open(t, fstest.MapFS{"task_events/p.csv.gz": {Data: whole[:len(whole)-10]}})
	err := r.Read(t.Context(), event.Sink{Task: func(*event.TaskEvent) error { return nil }})
	if err == nil || !strings.Contains(err.Error(), "cannot be read: it ends too early") {
		t.Errorf("got %v", err)
	}
}

// A sink's error and a cancelled context end the reading.
func TestReadStops(t *testing.T) {
	r := open(t, fstest.MapFS{"task_events/p.csv": {Data: []byte(strings.Repeat("5,,7,0,,0,u,1,4,.5,.5,.5,0\n", 100))}})
	enough := errors.New("enough")
	rows := 0
	err := r.Read(t.Context(), event.Sink{Task: func(*event.TaskEvent) error {
		rows++
		if rows == 3 {
			return enough
		}
		return nil
	}})
	if !errors.Is(err, enough) || rows != 3 {
		t.Errorf("%d rows, then %v", rows, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Read(ctx, event.Sink{Task: func(*event.TaskEvent) error { return nil }}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Folders that hold no such trace, or one part twice, are refused by name.
func TestOpenRefuses(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files fstest.MapFS
		want  string
	}{
		{
			"a part twice",
			fstest.MapFS{"task_events/p.csv": {}, "task_events/p.csv.gz": {}},
			"dir/task_events/p.csv: the same part is also there as p.csv.gz; remove one of them",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := google2011.Loader.Open(table.Dir{FS: tc.files, Name: "dir"})
			if err == nil || err.Error() != tc.want {
				t.Errorf("got  %v\nwant %s", err, tc.want)
			}
		})
	}
}

// The real tables are read to their last row.
func TestRealRows(t *testing.T) {
	dir := realTrace(t)
	r, err := google2011.Loader.Open(table.Dir{FS: os.DirFS(dir), Name: dir})
	fail.On(t, err)
	var tasks, jobs, machines int
	var last event.Time
	err = r.Read(t.Context(), event.Sink{
		Task:    func(ev *event.TaskEvent) error { tasks++; last = ev.Time; return nil },
		Job:     func(*event.JobEvent) error { jobs++; return nil },
		Machine: func(*event.MachineEvent) error { machines++; return nil },
	})
	fail.On(t, err)
	// The numbers of zcat | wc -l.
	if tasks != 2_609_335 || jobs != 77_148 || machines != 37_780 || math.Round(last.Seconds()) != 70_756 {
		t.Errorf("%d task, %d job and %d machine events, the last task's at %v s", tasks, jobs, machines, last.Seconds())
	}
}

// No bytes in any of the tables make the reader panic, be they plain or called gzip.
func FuzzRead(f *testing.F) {
	f.Add([]byte("5,,7,0,,0,u,1,4,.5,.5,.5,0\n"), []byte("600000000,,7,0,user,1,run1,program\n"), []byte("0,31,0,p,0.5,0.2493\n"))
	f.Add([]byte("\n"), []byte(",,,,,,,"), []byte("0,31,3,,,\n"))
	f.Fuzz(func(t *testing.T, tasks, jobs, machines []byte) {
		for _, ext := range []string{".csv", ".csv.gz"} {
			r := open(t, fstest.MapFS{
				"task_events/p" + ext: {Data: tasks}, "job_events/p" + ext: {Data: jobs}, "machine_events/p" + ext: {Data: machines},
			})
			err := r.Read(t.Context(), event.Sink{
				Task:    func(*event.TaskEvent) error { return nil },
				Job:     func(*event.JobEvent) error { return nil },
				Machine: func(*event.MachineEvent) error { return nil },
			})
			if err != nil && !strings.HasPrefix(err.Error(), "dir/") {
				t.Fatalf("the error does not begin with the file: %v", err)
			}
		}
	})
}
