package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestPublic: what is missing of a public benchmark is said in a sentence; without its files nothing is written.
func TestPublic(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "wt40")
	for id, says := range map[string][]string{
		"public-wt40": {"wt40.txt (SHA-256 5dd4", "wtopt40.txt (SHA-256 666d", "wtinfo.html", "mkdir -p '" + dir + "'"},
		"public-wt4":  {"public-wt40"},
	} {
		e := schedgap(t, "library", "get", id, "-o", dir)
		for _, words := range says {
			if e.code != 2 || !strings.Contains(e.stderr, words) {
				t.Errorf("%s: exit code %d, no %q: %s", id, e.code, words, e.stderr)
			}
		}
	}
	if found, _ := filepath.Glob(dir); found != nil {
		t.Error(dir, "was written")
	}
}

// TestPublished: the report has the optima that instances say are published beside its own, and names one that cannot be right.
func TestPublished(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Chdir(t.TempDir())
	succeed(t, "generate", "flex", "-n", "2", "--seed", "5", "-p", "jobs=4", "-o", ".")
	var optimum struct{ Objective float64 }
	if err := json.Unmarshal([]byte(succeed(t, "solve", "flex-000.json", "-a", "opt")), &optimum); err != nil {
		t.Fatal(err)
	}
	for _, off := range []float64{0, 1} {
		var in map[string]any
		if err := json.Unmarshal([]byte(read(t, "flex-000.json")), &in); err != nil {
			t.Fatal(err)
		}
		in["name"] = fmt.Sprintf("off-%g", off)
		in["lineage"] = map[string]any{"published": map[string]any{"value": optimum.Objective + off, "reference": "opt", "source": "a paper"}}
		text, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		write(t, ".", fmt.Sprintf("published-%g.json", off), string(text))
	}
	write(t, ".", "suite.yaml", "name: s\nproblem: flex\ninstances: [{files: published-*.json}]\nalgorithms: [opt, spt]\n")
	succeed(t, "run", "suite.yaml", "-o", "r")
	succeed(t, "report", "r", "-o", "report")
	text := read(t, filepath.Join("report", "summary.md"))
	for _, line := range []string{"off-0 | opt | proven |", "off-1 | opt | contradiction |", "off-1: the published optimum"} {
		if !strings.Contains(text, line) {
			t.Errorf("no %q in\n%s", line, text)
		}
	}
	if strings.Contains(text, "off-0: the published optimum") {
		t.Error("the right one is doubted")
	}
}
