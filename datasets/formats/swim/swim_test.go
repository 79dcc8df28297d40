package swim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"schedgap/datasets/event"
	"schedgap/datasets/formats/swim"
	"schedgap/datasets/table"
	"schedgap/datasets/trace"
	"schedgap/models/fail"
)

func read(t testing.TB, files map[string]string) ([]event.Volume, error) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	r, err := swim.Loader.Open(table.Dir{FS: fsys, Name: "dir"})
	fail.On(t, err)
	var rows []event.Volume
	err = r.Read(t.Context(), event.Sink{Volume: func(v *event.Volume) error { rows = append(rows, *v); return nil }})
	return rows, err
}

// Rows of several workloads keep their columns and get ids of their own.
func TestRead(t *testing.T) {
	got, err := read(t, map[string]string{
		"b.tsv": "job0\t9\t9\t1762\t0\t14347\n",
		"a.tsv": "job0\t49\t49\t740773\t2339561\t627471\njob1\t49\t0\t0\t0\t9223372036854775807",
	})
	fail.On(t, err)
	want := []event.Volume{
		{Job: "a/job0", Submit: 49 * event.Second, Input: 740773, Shuffle: 2339561, Output: 627471},
		{Job: "a/job1", Submit: 49 * event.Second, Output: 9223372036854775807},
		{Job: "b/job0", Submit: 9 * event.Second, Input: 1762, Output: 14347},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Lines that are not as the table says are refused with file, line, column and value.
func TestReadRefuses(t *testing.T) {
	const right = "job0\t9\t9\t1762\t0\t14347\n"
	for _, tc := range []struct{ name, line, want string }{
		{"columns", "job1\t9\t0\t1", `line 2: "job1\t9\t0\t1" has 4 columns instead of 6`},
		{"no job", "\t9\t0\t1\t2\t3", `line 2: column job: "" must not be empty`},
		{"fraction", "job1\t9.5\t0\t1\t2\t3", `line 2: column submit seconds: "9.5" is not an integer ≥ 0`},
		{"negative", "job1\t9\t0\t-1\t2\t3", `line 2: column map input bytes: "-1" is not an integer ≥ 0`},
		{"order", "job1\t8\t0\t1\t2\t3", `line 2: column submit seconds: "8" is before the time of the row above; the table must be in order of time`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := read(t, map[string]string{"a.tsv": right + tc.line})
			if want := "dir/a.tsv: " + tc.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
	if r, err := swim.Loader.Open(table.Dir{FS: fstest.MapFS{"x.csv": {}}, Name: "dir"}); r != nil || err != nil {
		t.Errorf("of a folder without workloads: %v, %v", r, err)
	}
}

// The real workloads are read to their last row, one by one and together.
func TestReal(t *testing.T) {
	traces := os.Getenv("SCHEDGAP_TRACES")
	if traces == "" {
		t.Skip("SCHEDGAP_TRACES is not set: the real traces are not there to be read")
	}
	for _, tc := range []struct {
		path string
		jobs int
	}{
		{"FB-2009_samples_24_times_1hr_0.tsv.gz", 5_894},
		{"FB-2009_samples_24_times_1hr_1.tsv.gz", 6_638},
		{"FB-2010_samples_24_times_1hr_0.tsv.gz", 24_442},
		{"", 5_894 + 6_638 + 24_442},
	} {
		s, err := trace.Open(filepath.Join(traces, "swim", tc.path), "")
		fail.On(t, err)
		tr, err := trace.Assemble(t.Context(), s, trace.Options{})
		fail.On(t, err)
		if info := trace.Describe(tr); info.Jobs.Whole != tc.jobs || info.Volumes.Jobs != tc.jobs {
			t.Errorf("%q: %d jobs", tc.path, info.Jobs.Whole)
		}
	}
}

// No bytes make the reader panic.
func FuzzRead(f *testing.F) {
	f.Add("job0\t49\t49\t740773\t2339561\t627471\njob1\t49\t0\t0\t0\t9223372036854775807")
	f.Add("job0\t9223372036854775807\t0\t0\t0\t0")
	f.Add("\n\t\t\t\t\t\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := read(t, map[string]string{"a.tsv": text})
		if err != nil && !strings.HasPrefix(err.Error(), "dir/a.tsv: line ") {
			t.Fatalf("the error does not name its place: %v", err)
		}
		for _, v := range rows {
			if v.Submit < 0 || v.Input < 0 || v.Shuffle < 0 || v.Output < 0 {
				t.Fatalf("%+v", v)
			}
		}
	})
}
