package speedcheck

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Samples are kept and read back, one a minute at most, and half a line of a killed run is none.
func TestRecorder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run [1]") // which is no pattern
	r := NewRecorder(dir, "0000", "run", "node1")
	for range 3 {
		if err := r.Sample(); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "drift", "0000-run.jsonl")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, append(data, `{"run_id":"run","host":"no`...), 0o644); err != nil {
		t.Fatal(err)
	}
	samples, err := Read(dir)
	if err != nil || len(samples) != 1 || samples[0].Host != "node1" || samples[0].Seconds <= 0 {
		t.Errorf("%+v, %v", samples, err)
	}
	if samples, err := Read(t.TempDir()); err != nil || len(samples) > 0 {
		t.Errorf("of an empty folder: %+v, %v", samples, err)
	}
}

// A host that slows down by more than a tenth is named; a single slow sample of many is not enough.
func TestWarnings(t *testing.T) {
	var samples []Sample
	add := func(host string, ms ...float64) {
		for _, m := range ms {
			samples = append(samples, Sample{Host: host, At: time.Unix(int64(len(samples)), 0), Seconds: m / 1e3})
		}
	}
	steady := []float64{20, 20.5, 21, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20, 20}
	add("calm", append(steady, 90)...)
	add("hot", 20, 21, 25, 30)
	got := Warnings(samples)
	if len(got) != 1 || !strings.Contains(got[0], "hot changed") || !strings.Contains(got[0], "20 to 30 ms (4 samples)") ||
		!strings.Contains(got[0], "up to 50 %") {
		t.Errorf("%q", got)
	}
}

func BenchmarkMeasure(b *testing.B) {
	for b.Loop() {
		Measure()
	}
}
