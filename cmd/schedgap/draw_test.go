package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDraw: check draws a schedule, feasible or not, and what it prints is as without a drawing; nothing is written where the
// input is bad or the file is no place for a drawing.
func TestDraw(t *testing.T) {
	dir := t.TempDir()
	one := write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
	good := filepath.Join(dir, "good.json")
	succeed(t, "solve", one, "-a", "opt", "-o", good)
	text := read(t, good)
	bad := write(t, dir, "bad.json", strings.ReplaceAll(text, `{"a":4}`, `{"a":3}`))
	if read(t, bad) == text {
		t.Fatalf("no slots in %s", text)
	}
	for _, solution := range []string{good, bad} {
		file := filepath.Join(dir, "drawing.svg")
		want := schedgap(t, "check", one, solution)
		if got := schedgap(t, "check", one, solution, "--draw", file); got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
		title := map[bool]string{true: "good: 2", false: "bad: not feasible"}[solution == good]
		if svg := read(t, file); !strings.Contains(svg, "<svg") || !strings.Contains(svg, title) {
			t.Errorf("the drawing of %s lacks %q", solution, title)
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ solution, file, says string }{
		{good, filepath.Join(dir, "drawing.png"), ".svg"},
		{good, filepath.Join(dir, "none", "drawing.svg"), "none"},
		{one, filepath.Join(dir, "drawing.svg"), "one.json"},
	} {
		e := schedgap(t, "check", one, c.solution, "--draw", c.file)
		if e.code != exitUsage || e.stdout != "" || !strings.Contains(e.stderr, c.says) || strings.Count(e.stderr, "\n") != 1 {
			t.Errorf("%+v, want %q", e, c.says)
		}
		if _, err := os.Stat(c.file); err == nil {
			t.Errorf("%s is written", c.file)
		}
	}
}
