package parquettest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models/trials"
	"schedgap/reports"
	"schedgap/reports/compare"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
	"schedgap/reports/stats"
)

// large writes a result set of that many made-up units into a folder.
func large(b *testing.B) (dir string, instances fake.Instances) {
	b.Helper()
	dir = b.TempDir()
	records, instances := fake.Experiment(trials.Count(400_000)/10, rand.New(rand.NewPCG(1, 2)))
	w, err := store.Open(dir).NewRuns("0000")
	if err != nil {
		b.Fatal(err)
	}
	w.Rows = 50_000
	for i := range records {
		if err := w.Append(records[i]); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	records = nil
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Logf("the peaks hold the made-up rows, too: %v", err)
	}
	return dir, instances
}

// BenchmarkRead reads the rows, BenchmarkReport makes a report of them from reading to the last file, BenchmarkCompare
// compares them with themselves.
func BenchmarkRead(b *testing.B) {
	dir, _ := large(b)
	for b.Loop() {
		if _, err := compare.Read(b.Context(), dir); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(peak(b), "MiB-peak")
}

func BenchmarkReport(b *testing.B) {
	dir, instances := large(b)
	for b.Loop() {
		records, _, err := ratio.Read(b.Context(), store.Open(dir))
		if err != nil {
			b.Fatal(err)
		}
		in := reports.Input{Records: records, Problems: []*bench.Problem{fake.Problem()}, Instance: instances.Find, Seed: 1}
		if _, err := reports.Write(b.Context(), in, filepath.Join(b.TempDir(), "report")); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(peak(b), "MiB-peak")
}

func BenchmarkCompare(b *testing.B) {
	dir, instances := large(b)
	for b.Loop() {
		side, err := compare.Read(b.Context(), dir)
		if err != nil {
			b.Fatal(err)
		}
		in := compare.Input{Sides: []compare.Side{side, side}, Problems: []*bench.Problem{fake.Problem()}, Instance: instances.Find}
		if _, err := compare.New(b.Context(), in); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(peak(b), "MiB-peak")
}

// peak is the largest resident memory of the process since the rows were made up.
func peak(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skipf("no /proc: %v", err)
	}
	for line := range strings.SplitSeq(string(status), "\n") {
		var kib float64
		if n, _ := fmt.Sscanf(line, "VmHWM: %f kB", &kib); n == 1 {
			return kib / 1024
		}
	}
	return 0
}

// groups is what one asks of a result set first: counts, means and medians by algorithm and status.
const groups = "select algorithm, status, count(*), avg(objective), median(wall_seconds) from 'runs/*.parquet' group by all"

// BenchmarkDuckDB groups the rows with DuckDB: query-s is the query alone, s/op has the start of Node.js, too.
func BenchmarkDuckDB(b *testing.B) {
	run := node(b)
	dir, _ := large(b)
	for b.Loop() {
		out := run(dir, groups, "duckdb.mjs")
		var a struct{ Seconds float64 }
		if err := json.Unmarshal(out, &a); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(a.Seconds, "query-s")
	}
}

// BenchmarkGroup does the same over the rows that Read gives, reading included.
func BenchmarkGroup(b *testing.B) {
	dir, _ := large(b)
	type key struct{ algorithm, status string }
	type group struct{ objectives, seconds []float64 }
	for b.Loop() {
		side, err := compare.Read(b.Context(), dir)
		if err != nil {
			b.Fatal(err)
		}
		by := map[key]*group{}
		for i := range side.Records {
			r := &side.Records[i]
			k := key{r.Algorithm, r.Status}
			if by[k] == nil {
				by[k] = &group{}
			}
			if g := by[k]; r.Objective != nil {
				g.objectives = append(g.objectives, *r.Objective)
			}
			by[k].seconds = append(by[k].seconds, *r.WallSeconds)
		}
		for _, g := range by {
			_, _ = stats.Mean(g.objectives), stats.Median(g.seconds)
		}
	}
}
