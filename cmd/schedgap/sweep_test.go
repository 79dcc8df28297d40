package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSweep simulates an experiment twice, which adds its rows once, and reports on it: one figure a metric, beside the paper's
// values.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "results")
	args := []string{"simulate", "pocd", "--sweep", "shed-fig2", "-o", out, "--quiet"}
	var first, second swept
	for i, s := range []*swept{&first, &second} {
		text := succeed(t, args...)
		if err := json.Unmarshal([]byte(text), s); err != nil {
			t.Fatal(err)
		}
		if s.Sweep != "shed-fig2" || len(s.Cases) < 2 || s.Seeds < 5 || (s.Rows > 0) != (i == 0) {
			t.Errorf("run %d: %s", i, text)
		}
	}
	for i, c := range first.Cases {
		if len(c.Means) == 0 || c.Means[0] != second.Cases[i].Means[0] {
			t.Errorf("x = %v: %v, then %v", c.X, c.Means, second.Cases[i].Means)
		}
	}
	succeed(t, "report", out)
	figures, err := filepath.Glob(filepath.Join(out, "report", "plots", "*shed-fig2*.svg"))
	if err != nil || len(figures) != 1 {
		t.Fatalf("figures %v, %v", figures, err)
	}
	svg, err := os.ReadFile(figures[0])
	if err != nil || !strings.Contains(string(svg), "shed-fig2: ") {
		t.Errorf("%s has another title, %v", figures[0], err)
	}
	if list := succeed(t, "list", "sweeps", "pocd"); !strings.Contains(list, "shed-fig2") || strings.Contains(list, "flex-") {
		t.Errorf("list sweeps pocd: %s", list)
	}
}
