package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench/score/worst"
)

// A curve is written with its figure, continues where it was, and is proven again from its files.
func TestCurve(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "curve")
	args := []string{"worst", "redundancy", "-a", "srpt+r", "--jobs", "3", "--evaluations", "40", "--curve", "speed=1,1.5", "-o", dir}
	first := succeed(t, args...)
	if svg, err := os.ReadFile(filepath.Join(dir, curveDrawing)); err != nil || !bytes.Contains(svg, []byte("worst found")) {
		t.Errorf("the figure: %v", err)
	}
	if again := succeed(t, args...); again != first {
		t.Errorf("a second run prints %s, the first %s", again, first)
	}
	if text := succeed(t, "worst", "--recheck", dir); !strings.Contains(text, `"points":2`) {
		t.Errorf("recheck: %s", text)
	}
	path := filepath.Join(dir, worst.CurveFile)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, worst.CurveFile, strings.Replace(string(data), `"objective": `, `"objective": 1`, 1))
	if e := schedgap(t, "worst", "--recheck", dir); e.code != exitFailed || !strings.Contains(e.stderr, "srpt+r") {
		t.Errorf("a changed value: %+v", e)
	}
	write(t, dir, worst.CurveFile, strings.ReplaceAll(string(data), `"point-`, `"../point-`))
	if e := schedgap(t, "worst", "--recheck", dir); e.code == 0 || !strings.Contains(e.stderr, "../point-") {
		t.Errorf("a file elsewhere: %+v", e)
	}
	for _, bad := range [][]string{
		{"worst", "redundancy", "-a", "srpt+r", "--evaluations", "40", "--curve", "speed=0.5", "-o", dir + "2"},
		{"worst", "redundancy", "-a", "srpt+r", "--budget", "5s", "--curve", "speed=1,2", "-o", dir + "2"},
		{"worst", "flex", "-a", "fair", "--evaluations", "40", "--curve", "speed=1,2", "-o", dir + "2"},
		{"worst", "redundancy", "--recheck", dir},
		{"worst", "--recheck", dir + "3"},
	} {
		if e := schedgap(t, bad...); e.code != exitUsage || e.stdout != "" || strings.Count(e.stderr, "\n") != 1 {
			t.Errorf("%q: %+v", bad, e)
		}
		if _, err := os.Stat(dir + "2"); err == nil {
			t.Fatalf("%q writes files", bad)
		}
	}
}
