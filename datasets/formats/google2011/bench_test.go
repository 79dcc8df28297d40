package google2011_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"schedgap/datasets/event"
	"schedgap/datasets/formats/google2011"
	"schedgap/datasets/table"
	"schedgap/models/fail"
)

// realTrace is the folder of the real trace.
func realTrace(t testing.TB) string {
	t.Helper()
	traces := os.Getenv("SCHEDGAP_TRACES")
	if traces == "" {
		t.Skip("SCHEDGAP_TRACES is not set: the real traces are not there to be read")
	}
	return filepath.Join(traces, "google2011")
}

// BenchmarkRead reads task_events of the real trace. MB/s counts uncompressed bytes; gzip-ratio is the time of gzip -dc of
// the same files divided by ours, measured around every reading, so above 1 we are faster than gzip alone. Run it with
// -cpu 1 for the figure on one core.
func BenchmarkRead(b *testing.B) {
	dir := realTrace(b)
	parts, err := filepath.Glob(filepath.Join(dir, "task_events", "*.gz"))
	if err != nil || len(parts) == 0 {
		b.Fatalf("no parts: %v", err)
	}
	gzip, err := exec.LookPath("gzip")
	if err != nil {
		b.Skip("gzip is not installed")
	}
	b.SetBytes(plainSize(b, os.DirFS(dir)))
	b.ReportAllocs()
	var reading, unpacking time.Duration
	for b.Loop() {
		start := time.Now()
		r, err := google2011.Loader.Open(table.Dir{FS: os.DirFS(dir), Name: dir})
		fail.On(b, err)
		rows := 0
		fail.On(b, r.Read(b.Context(), event.Sink{Task: func(*event.TaskEvent) error { rows++; return nil }}))
		reading += time.Since(start)

		b.StopTimer()
		start = time.Now()
		fail.On(b, exec.CommandContext(b.Context(), gzip, append([]string{"-dc"}, parts...)...).Run())
		unpacking += time.Since(start)
		b.StartTimer()
		b.ReportMetric(float64(rows), "rows")
	}
	b.ReportMetric(unpacking.Seconds()/reading.Seconds(), "gzip-ratio")
}

// plainSize is the number of bytes that task_events has without compression.
func plainSize(b *testing.B, fsys fs.FS) int64 {
	d := table.Dir{FS: fsys}
	parts, err := d.Parts("task_events", "*.csv")
	fail.On(b, err)
	size := int64(0)
	for _, p := range parts {
		err := d.Lines(b.Context(), p, func(string, []string) table.Line {
			return func(_ int, line []byte) error { size += int64(len(line)) + 1; return nil }
		})
		fail.On(b, err)
	}
	return size
}
