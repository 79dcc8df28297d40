package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/bench/catalog"
	"schedgap/bench/plan/suite"
)

const benchSuite = `
name: tiny
problem: flex
instances:
  - generate: {n: 6, seed: 3, params: {jobs: 5}}
algorithms: [opt, flex, fifo]
limits: {time: 20s}
`

// TestBench measures a command beside its rivals, edits it, and measures it again.
func TestBench(t *testing.T) {
	if !alone(t) {
		return
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3")
	}
	example, err := os.ReadFile("../../scripts/examples/flex_spt.py")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write(t, ".", "mine.py", string(example))
	write(t, ".", "other.py", string(example)+"\n# another file\n")
	if err := os.Mkdir("suites", 0o777); err != nil {
		t.Fatal(err)
	}
	suite := write(t, "suites", "tiny.yaml", benchSuite)
	bench := func(more ...string) (b benched) {
		t.Helper()
		args := append([]string{"bench", "flex", "--suite", suite, "-o", "r", "--json", "--with", "other=python3 other.py"}, more...)
		if err := json.Unmarshal([]byte(succeed(t, append(args, "--", "python3", "mine.py")...)), &b); err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := bench()
	v := b.Details
	if b.Ran != 30 || v.Algorithm != "mine" || v.Against == nil || v.Against.Instances != 6 || v.Instances != 6 || v.Failed != 0 {
		t.Errorf("%+v", b)
	}
	if w := v.Against.Win + v.Against.Tie + v.Against.Loss; w != 6 || !strings.Contains(v.Text, "Against "+v.Rival) {
		t.Errorf("against %s: %d instances: %s", v.Rival, w, v.Text)
	}
	at := slices.IndexFunc(b.Algorithms, func(r benchedAlgorithm) bool { return r.Name == "mine" })
	if b.Set != "tiny" || b.Instances != 6 || b.Verdict != v.Text || at < 0 || len(b.Algorithms) < 3 {
		t.Fatalf("%+v", b)
	}
	if r := b.Algorithms[at]; r.Valid != 1 || !(1 <= r.Low && r.Low <= r.Mean && r.Mean <= r.High && r.High <= r.Worst) {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat(b.Page); err != nil {
		t.Error(err)
	}
	succeed(t, "report", "r", "--for", "paper") // it is on the same command
	for _, name := range []string{"summary.md", "tables/flex-opt.tex"} {
		if text, err := os.ReadFile(filepath.Join("r/report", name)); err != nil || !strings.Contains(string(text), "mine (yours)") {
			t.Errorf("report after bench: %s does not mark the command: %v", name, err)
		}
	}
	b = bench()
	if b.Ran != 0 {
		t.Errorf("nothing changed, and %d units ran", b.Ran)
	}
	write(t, ".", "mine.py", string(example)+"\n# edited\n")
	b = bench()
	if b.Ran != 6 {
		t.Errorf("one of two commands was edited, and %d units of its 6 ran", b.Ran)
	}
	// Another command of the same name and file takes its place in the verdict.
	if err := json.Unmarshal([]byte(succeed(t, "bench", "flex", "--suite", suite, "-o", "r", "--json", "--", "python3", "-O",
		"mine.py")), &b); err != nil ||
		b.Ran != 6 || b.Details.Algorithm != "mine" || b.Details.Instances != 6 {
		t.Errorf("%v: %+v", err, b)
	}
	script := write(t, ".", "script.sh", "exec python3 "+filepath.Join(here(t), "mine.py"))
	if err := json.Unmarshal([]byte(succeed(t, "bench", "flex", "--suite", suite, "-o", "r3", "--json", "--", "sh", script)),
		&b); err != nil ||
		b.Details.Algorithm != "script" || b.Details.Failed != 0 {
		t.Errorf("%v: %+v", err, b)
	}
	// A line for the shell is watched, too.
	line := []string{"run", suite, "-o", "r2", "-a", "odd", "--with", `odd=python3 "other.py"`}
	succeed(t, line...)
	write(t, ".", "other.py", string(example)+"\n# edited\n")
	var s ran
	if err := json.Unmarshal([]byte(succeed(t, line...)), &s); err != nil || s.Stale != 6 {
		t.Errorf("%v: %+v", err, s)
	}
}

// here is the current folder.
func here(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestBenchOfWhatFails(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Chdir(t.TempDir())
	suite := write(t, ".", "tiny.yaml", benchSuite)
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{1, "the command failed", []string{"flex", "--suite", suite, "--", "false"}},
		{1, "absent fails on each of the first 3 instances: the command failed", []string{
			"flex", "--suite", "quick", "-o", "results/typo", "--", "python3", "absent.py",
		}},
		{2, "--against: the suite quick has no rival that matches \"nosuch\"", []string{
			"flex", "--suite", "quick", "--against", "nosuch", "--", "false",
		}},
		{2, "cannot be run", []string{"flex", "--", "./absent"}},
		{2, "has an algorithm fifo already", []string{"flex", "--suite", suite, "--name", "fifo", "--", "false"}},
		{2, "is not one suite of pocd; it is of flex: schedgap bench flex --suite ", []string{"pocd", "--suite", suite, "--", "false"}},
		{2, "must be NAME=COMMAND", []string{"flex", "--suite", suite, "--with", "x", "--", "false"}},
		{2, "-- and a COMMAND are needed", []string{"flex", "--suite", suite}},
	} {
		e := schedgap(t, append([]string{"bench"}, c.args...)...)
		if e.code != c.code || !strings.Contains(e.stderr, c.says) || e.stdout != "" {
			t.Errorf("%q: exit %d, %s%s", c.args, e.code, e.stdout, e.stderr)
		}
	}
	if files, _ := filepath.Glob("results/bench-*"); len(files) != 1 {
		t.Errorf("bad usage leaves %q", files)
	}
}

// TestSolveCommand: a command is an algorithm for solve as for worst and bench.
func TestSolveCommand(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
	solution := write(t, dir, "s.json", `{"problem":"flex","instance":"x","algorithm":"s","intervals":[{"start":0,"end":2,"slots":{"a":4}}]}`)
	var a answer
	if err := json.Unmarshal([]byte(succeed(t, "solve", file, "--name", "mine", "--", "cat", solution)), &a); err != nil {
		t.Fatal(err)
	}
	if a.Algorithm != "mine" || a.Status != "feasible" || a.Objective == nil || *a.Objective != 2 {
		t.Errorf("%+v", a)
	}
	if e := schedgap(t, "solve", file); e.code != 2 || !strings.Contains(e.stderr, "the algorithm is missing") {
		t.Errorf("%+v", e)
	}
	if e := schedgap(t, "solve", file, "-a", "flex", "--", "cat"); e.code != 2 || !strings.Contains(e.stderr, "exclude each other") {
		t.Errorf("%+v", e)
	}
}

// TestBenchOfObjective: --metric, --weighted and --aggregate choose the built-in suite of that objective, or draw one.
func TestBenchOfObjective(t *testing.T) {
	t.Parallel()
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	a := &app{registry: registry}
	p, err := a.registry.Problem("flex")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		objective suite.Params
		name      string
	}{
		{suite.Params{"metric": "response"}, "flex-small"},
		{suite.Params{"weighted": true}, "flex-weighted-response"},
		{suite.Params{"metric": "tardiness", "weighted": true}, "flex-weighted-tardiness"},
		{suite.Params{"metric": "response", "aggregate": "max"}, "flex-makespan"},
		{suite.Params{"metric": "tardy"}, "flex-tardy-sum"},
		{suite.Params{"metric": "lateness", "weighted": true, "aggregate": "max"}, "flex-weighted-lateness-max"},
	} {
		suites, err := a.suiteOfObjective(p, c.objective)
		if err != nil || len(suites) != 1 || suites[0].Name != c.name {
			t.Errorf("%v: %v, %v", c.objective, suites, err)
		}
	}
	for _, args := range [][]string{
		{"bench", "pocd", "--metric", "tardy"},
		{"bench", "flex", "--metric", "unknown"},
		{"bench", "flex", "--weighted", "--suite", "quick"},
		{"bench", "flex", "--metric", "tardy", "--aggregate", "max"},
	} {
		if e := schedgap(t, append(args, "--", "true")...); e.code != 2 || !strings.HasPrefix(e.stderr, "schedgap: ") {
			t.Errorf("%v: exit code %d: %s", args, e.code, e.stderr)
		}
	}
}
