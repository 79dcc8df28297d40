package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const libraryFamilies = `
seed: 5
pool: 40
shortlist: 10
problems:
  flex: {reference: opt, heuristics: [flex, fair, fifo], bound: lb}
families:
  - {problem: flex, name: response, licence: CC-BY-4.0, params: {jobs: {from: 4, to: 6}, small: [0, 0.5]}}
  - {problem: flex, name: scale, licence: CC-BY-4.0, set: open, n: 2, recipe: true, params: {jobs: 12}}
`

// tinyLibrary makes a library of a few instances of flex, with optima of the sets seen and benchmark and values of open.
func tinyLibrary(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	lib := filepath.Join(dir, "lib")
	succeed(t, "library", "select", write(t, dir, "families.yaml", libraryFamilies), "-o", lib)
	t.Setenv(libraryVariable, lib)
	write(t, dir, "all.yaml", `
name: all
problem: flex
instances: [{library: seen}, {library: benchmark}]
algorithms: [opt]
proofs: true
---
name: open
problem: flex
instances: [{library: open}]
algorithms: [flex, lb-price]
proofs: true
`)
	succeed(t, "run", filepath.Join(dir, "all.yaml"), "-o", filepath.Join(dir, "r"))
	succeed(t, "library", "collect", filepath.Join(dir, "r"), "--dir", lib)
	return lib
}

// TestBenchOfLibrary: with a library bench runs on its seen, or on the set asked for, with what is known of it and without proving it again.
func TestBenchOfLibrary(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	tinyLibrary(t)
	script, err := filepath.Abs("../../scripts/examples/flex_spt.py")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for set, instances := range map[string]int{"": 5, "benchmark": 5, "open": 2} {
		var b benched
		out := succeed(t, "bench", "flex", "--set", set, "--json", "--", "python3", script)
		if err := json.Unmarshal([]byte(out), &b); err != nil {
			t.Fatal(err)
		}
		want := "library-flex-" + set
		if set == "" {
			want += seenSet
		}
		if b.Suite != want || b.Verdict.Instances != instances || b.Verdict.Failed != 0 {
			t.Errorf("set %q: %+v, %+v", set, b, b.Verdict)
		}
		if proven := !strings.Contains(b.Verdict.Text, "none proven"); proven != (set != "open") {
			t.Errorf("set %q: %s", set, b.Verdict.Text)
		}
	}
	page, err := os.ReadFile("results/bench-library-flex-benchmark/report/summary.md")
	if err != nil || !strings.Contains(string(page), "The schedgap number on flex, library release 1") || !strings.Contains(string(page), "| flex\\_spt | ratio |") {
		t.Errorf("no schedgap number (%v): %s", err, page)
	}
	if html, err := os.ReadFile("results/bench-library-flex-seen/report/index.html"); err != nil || strings.Contains(string(html), "The schedgap number") {
		t.Errorf("a schedgap number of the set seen: %v", err)
	}
	refused(t, `unknown set "opne"; did you mean "open"?`, "bench", "flex", "--set", "opne", "--", "python3", script)
	refused(t, "exclude each other", "bench", "flex", "--set", "open", "--suite", "flex-small", "--", "python3", script)
	if list := succeed(t, "list", "suites", "flex"); !strings.Contains(list, "library-flex-benchmark") {
		t.Errorf("list suites: %s", list)
	}
	if shown := succeed(t, "list", "suites", "library-flex-open"); !strings.Contains(shown, "library: open") {
		t.Errorf("list suites library-flex-open: %s", shown)
	}
}

// refused: the program ends with exit code 2 and one sentence that says what is wanted of it.
func refused(t *testing.T, want string, args ...string) {
	t.Helper()
	e := schedgap(t, args...)
	if e.code != exitUsage || !strings.Contains(e.stderr, want) || e.stdout != "" {
		t.Errorf("schedgap %s: exit %d, %s%s, want %s", strings.Join(args, " "), e.code, e.stderr, e.stdout, want)
	}
}
