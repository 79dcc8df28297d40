package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrace goes from a synthetic trace over its numbers to instances that can be solved. The window decides what is used.
func TestTrace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	trace := filepath.Join(dir, "trace")
	succeed(t, "trace", "synthesize", "--hours", "1", "--seed", "2", "-o", trace)
	var info struct {
		Format string
		Jobs   struct{ Whole int }
	}
	if err := json.Unmarshal([]byte(succeed(t, "trace", "info", trace, "--json")), &info); err != nil {
		t.Fatal(err)
	}
	if info.Format != "google2011" || info.Jobs.Whole < 100 {
		t.Errorf("info: %+v", info)
	}
	if text := succeed(t, "trace", "info", trace, "--format", "google2011"); !strings.Contains(text, "google2011") {
		t.Errorf("info: %s", text)
	}
	derive := func(folder string, more ...string) []string {
		args := append([]string{
			"trace", "derive", "flex", trace, "-n", "2", "--seed", "4", "-p", "jobs=5", "-o",
			filepath.Join(dir, folder),
		}, more...)
		return strings.Fields(succeed(t, args...))
	}
	all, again, part := derive("all"), derive("again"), derive("part", "--window", "600s,1800s")
	if len(all) != 2 || len(part) == 0 {
		t.Fatalf("derived %v and %v", all, part)
	}
	read := func(file string) string {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if read(all[0]) != read(again[0]) || read(all[0]) == read(part[0]) {
		t.Error("an instance depends on something else than seed and window, or not on the window")
	}
	succeed(t, "solve", part[0], "-a", "fair")

	// Instances of all problems lie side by side, and what the trace has too few of is said, where somebody asked for it.
	files := map[string]bool{}
	for problem, asks := range map[string]string{
		"flex": "jobs", "pocd": "jobs", "cloning": "jobs", "redundancy": "jobs",
		"speculation": "slots",
	} {
		e := schedgap(t, "trace", "derive", problem, trace, "-p", asks+"=100000", "-o", filepath.Join(dir, "five"))
		if says := " of the " + asks + " that " + asks + "=100000 asks for"; e.code != 0 || !strings.Contains(e.stderr, says) {
			t.Errorf("%s: exit %d: %s, want %q", problem, e.code, e.stderr, says)
		}
		files[strings.TrimSpace(e.stdout)] = true
	}
	if names, err := os.ReadDir(filepath.Join(dir, "five")); len(names) != 5 || len(files) != 5 {
		t.Errorf("five problems give the files %v, %v", names, err)
	}
	if e := schedgap(t, "trace", "derive", "flex", trace, "-n", "50", "-o", filepath.Join(dir, "many")); strings.Contains(e.stderr,
		"asks for") {
		t.Errorf("nobody asked: %s", e.stderr)
	}
	suite := write(t, dir, "suite.yaml", "{name: s, problem: pocd, algorithms: [none], instances: "+
		"[{trace: {format: google2011, dir: trace, n: 1, params: {jobs: 100000}}}]}")
	if e := schedgap(t, "run", suite, "--dry-run"); !strings.Contains(e.stderr, "jobs=100000 asks for") {
		t.Errorf("run: %s", e.stderr)
	}
}

// TestSimulate: the three sources of workloads work, repetitions and policies are all reported, and the dataset does not hold a
// repetition twice.
func TestSimulate(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "results")
	run := func(args ...string) (s simulated) {
		t.Helper()
		if err := json.Unmarshal([]byte(succeed(t, append([]string{"simulate", "flex", "-o", out}, args...)...)), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	spec := "jobs=3,map_tasks=60,reduce_tasks=6"
	s := run("-a", "flex,fair,fifo", "--generate", spec, "--reps", "2", "-p", "map_slots=10", "-p", "reduce_slots=4")
	policies := map[string]bool{}
	for _, m := range s.Means {
		policies[m.Policy] = true
		if m.Metric == "makespan" && (m.Unit != "s" || m.Mean <= 0) {
			t.Errorf("%+v", m)
		}
	}
	if len(policies) != 3 || s.Repetitions != 2 || s.Rows == 0 || s.Params.Float("slack") != 0.75 {
		t.Errorf("%+v", s)
	}
	more := run("-a", "flex,fair,fifo", "--generate", spec, "--reps", "3", "-p", "map_slots=10", "-p", "reduce_slots=4")
	if more.Rows != s.Rows/2 {
		t.Errorf("a third repetition adds %d rows, the first two added %d", more.Rows, s.Rows)
	}
	// One job of two waves: 20 tasks of 30 s without spread on 10 slots.
	file := write(t, dir, "jobs.jsonl", `{"job":"a","arrival":0,"map":{"tasks":20,"mean":30}}`+"\n")
	s = run("-a", "fair", "--workload", file, "-p", "map_slots=10", "-p", "slack=1")
	for _, m := range s.Means {
		if m.Metric == "makespan" && (m.Mean < 60 || m.Mean > 62) {
			t.Errorf("makespan %v, want two waves of 30 s and at most some epochs", m.Mean)
		}
	}
	trace := filepath.Join(dir, "trace")
	succeed(t, "trace", "synthesize", "--hours", "0.1", "-o", trace)
	s = run("-a", "fair", "--trace", trace)
	if s.Workload != "trace:trace" || len(s.Means) == 0 {
		t.Errorf("%+v", s)
	}
}
