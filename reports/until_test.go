package reports_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports"
	"schedgap/reports/anytime"
	"schedgap/reports/ratio"

	"schedgap/reports/internal/fake"
)

// An interrupt ends a report wherever it is, also in a computation that never ends, and leaves the report that was there before,
// byte by byte.
func TestInterruptAnywhere(t *testing.T) {
	dir := t.TempDir()
	if _, err := reports.Write(t.Context(), experiment(10), dir); err != nil {
		t.Fatal(err)
	}
	before := files(t, dir)
	forever := make(chan struct{})
	defer close(forever)
	ctx, cancel := context.WithCancel(t.Context())
	in := experiment(20)
	in.Instance = func(string) (*bench.Instance, error) {
		cancel()
		<-forever
		return nil, errors.New("too late")
	}
	if _, err := reports.Write(ctx, in, dir); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	for delay := time.Duration(0); ; delay = 4*delay + 20*time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), delay)
		_, err := reports.Write(ctx, experiment(10), dir)
		cancel()
		if err == nil { // in time
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		if got := files(t, dir); !maps.Equal(got, before) {
			t.Errorf("after %v there are %d files, or others than the %d before", delay, len(got), len(before))
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if strings.HasPrefix(d.Name(), ".") {
			t.Errorf("%s is left over", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A report that takes more memory than it may ends with the reason.
func TestMemoryIsBounded(t *testing.T) {
	ctx, cancel := reports.WithMemory(t.Context(), 1, 7)
	defer cancel()
	forever := make(chan struct{})
	defer close(forever)
	in := experiment(10)
	in.Instance = func(string) (*bench.Instance, error) { // as long as it takes to notice
		<-forever
		return nil, errors.New("too late")
	}
	_, err := reports.Write(ctx, in, t.TempDir())
	if memory := (*reports.MemoryError)(nil); !errors.As(err, &memory) || memory.Rows != 7 {
		t.Errorf("%v", err)
	}
	within, cancel := reports.WithMemory(t.Context(), math.MaxInt64, 7)
	defer cancel()
	if _, err := reports.Write(within, experiment(10), t.TempDir()); err != nil {
		t.Error(err)
	}
}

// Times that are no numbers count as missing, those of incumbents, too; the report ends and says so.
func TestTimesThatAreNone(t *testing.T) {
	p, in := fake.Problem(), experiment(20)
	records, log := []bench.Record(nil), anytime.Log{}
	for i, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 3} {
		r := fake.Solved(p, in.Records[0].Instance, "fair", 1e4)
		r.InstanceSHA256 = in.Records[0].InstanceSHA256
		r.Seed, r.UnitID, r.WallSeconds = int64(100+i), "unit of no time "+string(rune('a'+i)), &x
		if x != 3 {
			r.TimeLimitSeconds = &x
		}
		records = append(records, r)
		log[r.UnitID] = []anytime.Event{{Point: anytime.Point{Seconds: 1, Value: 2e4}}}
	}
	in.Records, in.Log = append(in.Records, ratio.Pack(records)...), log
	_, r, err := write(t, in)
	fail.On(t, err)
	if !slices.ContainsFunc(r.Warnings, func(w string) bool {
		return strings.HasPrefix(w,
			"4 rows have a solution and no wall time")
	}) {
		t.Errorf("warnings: %q", r.Warnings)
	}
	for _, o := range r.Problems[0].Outcomes {
		for _, x := range o.Seconds() {
			if !(x >= 0) || math.IsInf(x, 0) {
				t.Errorf("%s: a time of %g s", o.Label, x)
			}
		}
	}
	for _, f := range r.Problems[0].OverTime {
		if h := float64(f.Horizon); !(h >= 0) || math.IsInf(h, 0) {
			t.Errorf("%s: over %g s", f.Label, h)
		}
	}
}
