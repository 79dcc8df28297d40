package alibaba_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"schedgap/datasets/trace"
	"schedgap/models/fail"
)

// BenchmarkAssemble reads the table that ALIBABA_TABLE names, packed by gzip, or the real one of ERDOS, and builds its jobs.
// gzip-ratio is the processor time of ours over that of gzip -dc into wc -l.
func BenchmarkAssemble(b *testing.B) {
	file := os.Getenv("ALIBABA_TABLE")
	if file == "" {
		traces := os.Getenv("SCHEDGAP_TRACES")
		if traces == "" {
			b.Skip("neither ALIBABA_TABLE nor SCHEDGAP_TRACES is set")
		}
		file = filepath.Join(traces, "alibaba", "v2018_dags_from_erdos.csv.gz")
	}
	b.ReportAllocs()
	rows := 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	used := func(who int) float64 {
		var u syscall.Rusage
		fail.On(b, syscall.Getrusage(who, &u))
		return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
	}
	start := used(syscall.RUSAGE_SELF)
	n := 0
	for b.Loop() {
		s, err := trace.Open(file, "")
		fail.On(b, err)
		tr, err := trace.Assemble(b.Context(), s, trace.Options{})
		fail.On(b, err)
		rows = int(tr.Events.Batch)
		n++
	}
	ours := (used(syscall.RUSAGE_SELF) - start) / float64(n)
	runtime.ReadMemStats(&after)
	start = used(syscall.RUSAGE_CHILDREN)
	if err := exec.CommandContext(b.Context(), "sh", "-c", "gzip -dc '"+file+"' | wc -l").Run(); err != nil {
		b.Skip(err)
	}
	b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(n*rows), "B/row")
	b.ReportMetric(ours/(used(syscall.RUSAGE_CHILDREN)-start), "gzip-ratio")
}
