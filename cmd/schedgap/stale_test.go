package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/runner"
	"schedgap/bench/run/store"
	"schedgap/models/trials/await"
)

// one is the solution of the instance of newScripted whose job gets so many slots, by which its objective is 8/slots.
func one(slots int) string {
	return fmt.Sprintf(`{"problem":"flex","instance":"x","algorithm":"mine","intervals":[{"start":0,"end":%d,"slots":{"a":%d}}]}`,
		8/slots, slots)
}

// A scripted is a suite with one instance, one algorithm and a command that runs a script.
type scripted struct{ dir, suite, results string }

func newScripted(t *testing.T, command, more string) *scripted {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "one.json", flexFile(`"slots":4`, `{"id":"a","work":8}`))
	s := &scripted{dir: dir, results: filepath.Join(dir, "results")}
	s.suite = write(t, dir, "mine.yaml", "{name: mine, problem: flex, instances: [{files: one.json}], limits: {time: 60s}, "+more+
		"algorithms: [fair, {name: mine, command: "+command+"}]}")
	return s
}

func (s *scripted) run(t *testing.T, more ...string) (r ran) {
	t.Helper()
	if err := json.Unmarshal([]byte(succeed(t, append([]string{"run", s.suite, "-o", s.results}, more...)...)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// row is the row of the command.
func (s *scripted) row(t *testing.T) bench.Record {
	t.Helper()
	rows, bad, err := store.Open(s.results).Records(t.Context())
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	for _, r := range rows {
		if r.Algorithm == "mine" {
			return r
		}
	}
	t.Fatal("the command has no row")
	return bench.Record{}
}

// status is that of an algorithm.
func (s *scripted) status(t *testing.T, algorithm string) runner.AlgorithmState {
	t.Helper()
	var items []runner.AlgorithmState
	if err := json.Unmarshal([]byte(succeed(t, "status", s.results, "--json")), &items); err != nil {
		t.Fatal(err)
	}
	for _, i := range items {
		if i.Algorithm == algorithm {
			return i
		}
	}
	t.Fatalf("no status of %s", algorithm)
	return runner.AlgorithmState{}
}

// TestEditedScript: after an edit of a command's script its rows do not count as done, and its new row counts everywhere.
func TestEditedScript(t *testing.T) {
	t.Parallel()
	s := newScripted(t, "[sh, -u, mine.sh]", "")
	write(t, s.dir, "mine.sh", "echo '"+one(4)+"'")
	if r := s.run(t); r.Ran[bench.Feasible] != 2 {
		t.Fatalf("first run: %+v", r)
	}
	if r := s.run(t); r.AlreadyDone != 2 || r.ToRun != 0 || r.Stale != 0 {
		t.Fatalf("run again as it is: %+v", r)
	}
	before := filepath.Join(s.dir, "before")
	if err := os.CopyFS(before, os.DirFS(s.results)); err != nil {
		t.Fatal(err)
	}
	write(t, s.dir, "mine.sh", "echo '"+one(2)+"'")
	if i := s.status(t, "mine"); i.Done != 0 || i.Left != 1 || i.Stale != 1 {
		t.Errorf("status after the edit: %+v", i)
	}
	if i := s.status(t, "fair"); i.Done != 1 || i.Left != 0 || i.Stale != 0 || i.Other != 0 {
		t.Errorf("status of another algorithm: %+v", i)
	}
	if e := schedgap(t, "report", s.results); e.code != 0 {
		t.Fatal(e.stderr)
	}
	if summary, err := os.ReadFile(filepath.Join(s.results, "report", "summary.md")); err != nil ||
		!strings.Contains(string(summary), "rows of mine are from before the command was edited") {
		t.Errorf("the report does not say that the row is old: %v\n%s", err, summary)
	}
	if r := s.run(t, "--dry-run"); r.Stale != 1 || r.AlreadyDone != 1 || r.ToRun != 1 {
		t.Errorf("dry run after the edit: %+v", r)
	}
	if r := s.run(t); r.Ran[bench.Feasible] != 1 || r.AlreadyDone != 1 {
		t.Errorf("run after the edit: %+v", r)
	}
	if r := s.row(t); r.Objective == nil || *r.Objective != 4 || r.CommandSHA256 == nil || r.BuildSHA256 == nil {
		t.Errorf("row after the edit: %+v", r)
	}
	if r := s.run(t); r.AlreadyDone != 2 {
		t.Errorf("run after that: %+v", r)
	}
	solution, err := store.Open(s.results).Solution(s.row(t).RunID, s.row(t).UnitID)
	if err != nil || !strings.Contains(string(solution), `"a":2`) && !strings.Contains(string(solution), `"a": 2`) {
		t.Errorf("the solution of the edited script is %s, %v", solution, err)
	}
	// compare pairs the edited script with its earlier self, and merge takes the newer row.
	e := schedgap(t, "compare", before, s.results, "--format", "json", "--fail-on", "none")
	var c struct {
		Matched  int      `json:"matched_units"`
		Warnings []string `json:"warnings"`
	}
	if err := json.Unmarshal([]byte(e.stdout), &c); err != nil || c.Matched != 2 ||
		!strings.Contains(strings.Join(c.Warnings, "\n"), "1 matched units ran different versions of their command") {
		t.Errorf("compare: %v, %+v, %s", err, c, e.stderr)
	}
	merged := ""
	for _, order := range [][2]string{{before, s.results}, {s.results, before}} {
		merged = filepath.Join(t.TempDir(), "merged")
		succeed(t, "merge", order[0], order[1], "-o", merged)
		if r := (&scripted{results: merged}).row(t); *r.Objective != 4 {
			t.Errorf("merged row: %+v", r)
		}
	}
	// A script that fails leaves nothing of the solution before, neither here nor where the row is merged into.
	write(t, s.dir, "mine.sh", "exit 1")
	s.run(t)
	succeed(t, "merge", s.results, "-o", merged)
	for _, dir := range []string{s.results, merged} {
		if solution, err := store.Open(dir).Solution(s.row(t).RunID, s.row(t).UnitID); err != nil || solution != nil {
			t.Errorf("%s: a failed script has the solution %s, %v", dir, solution, err)
		}
	}
}

// TestWhatCountsAsEdited: what a command is made of, by way of its argument, program, links and watched files, and what it is
// not.
func TestWhatCountsAsEdited(t *testing.T) {
	if !alone(t) {
		return
	}
	s := newScripted(t, "[./mine, conf, data]", "watch: ['lib/*.sh'], ")
	for _, folder := range []string{"lib", "data"} {
		if err := os.Mkdir(filepath.Join(s.dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s.dir, "lib/helper.sh", "echo '"+one(4)+"'")
	write(t, s.dir, "conf", "1")
	write(t, s.dir, "v1", "#!/bin/sh\n. lib/helper.sh\n")
	write(t, s.dir, "v2", "#!/bin/sh\n. ./lib/helper.sh\n")
	for _, program := range []string{"v1", "v2"} {
		if err := os.Chmod(filepath.Join(s.dir, program), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to string) {
		t.Helper()
		_ = os.Remove(filepath.Join(s.dir, "mine")) // the first time there is none
		if err := os.Symlink(to, filepath.Join(s.dir, "mine")); err != nil {
			t.Fatal(err)
		}
	}
	link("v1")
	s.run(t)
	for _, c := range []struct {
		what  string
		edit  func()
		stale int
	}{
		{"nothing", func() {}, 0},
		{"the watched file", func() { write(t, s.dir, "lib/helper.sh", "echo  '"+one(4)+"'") }, 1},
		{"a new watched file", func() { write(t, s.dir, "lib/more.sh", "") }, 1},
		{"a file beside", func() { write(t, s.dir, "lib/notes", "x") }, 0},
		{"an argument's file", func() { write(t, s.dir, "conf", "2") }, 1},
		{"a file in an argument's folder", func() { write(t, s.dir, "data/x", "2") }, 0},
		{"the link to the program", func() { link("v2") }, 1},
		{"the program", func() { write(t, s.dir, "v2", "#!/bin/sh\nexec sh ./lib/helper.sh\n") }, 1},
		{"the times only", func() {
			if err := os.Chtimes(filepath.Join(s.dir, "conf"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		}, 0},
	} {
		c.edit()
		if r := s.run(t); r.Stale != c.stale || r.AlreadyDone != 2-c.stale || r.Rows[bench.Feasible] != 2 {
			t.Errorf("after an edit of %s: %+v", c.what, r)
		}
	}
	// The same files elsewhere, by another way to the suite, are the same command.
	moved := filepath.Join(t.TempDir(), "moved [1]")
	if err := os.Rename(s.dir, moved); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Dir(moved))
	s.suite, s.results = "moved [1]/mine.yaml", "moved [1]/results"
	if r := s.run(t); r.AlreadyDone != 2 {
		t.Errorf("after moving everything: %+v", r)
	}
	if e := schedgap(t, "run", write(t, moved, "typo.yaml",
		"{name: mine, problem: flex, instances: [{files: one.json}], algorithms: [fair], watch: ['lib/*.py']}")); e.code != exitUsage ||
		e.stdout != "" || !strings.Contains(e.stderr, `watch[0]: no file matches`) {
		t.Errorf("watching nothing: %+v", e)
	}
}

// TestEditedDuringRun: a row of a script that was edited while it ran counts for nothing, whatever it says.
func TestEditedDuringRun(t *testing.T) {
	t.Parallel()
	s := newScripted(t, "[sh, mine.sh]", "")
	script := "echo >began; while ! [ -e go ]; do sleep 0.02; done; echo '" + one(4) + "'; exit\n"
	write(t, s.dir, "mine.sh", script)
	cmd, stdout, stderr := program(t, "run", s.suite, "-o", s.results)
	await.File(t, filepath.Join(s.dir, "began"))
	write(t, s.dir, "mine.sh", script+"# the end\n")
	write(t, s.dir, "go", "")
	if code := exitCode(cmd); code != 0 || !strings.Contains(stderr.String(),
		"the files of the command mine changed during the run") {
		t.Errorf("exit code %d, %s %s", code, stdout, stderr)
	}
	if r := s.row(t); r.CommandSHA256 != nil {
		t.Errorf("the row has %s", *r.CommandSHA256)
	}
	if i := s.status(t, "mine"); i.Left != 1 || i.Stale != 1 {
		t.Errorf("status: %+v", i)
	}
	if r := s.run(t); r.Stale != 1 || r.Ran[bench.Feasible] != 1 {
		t.Errorf("the next run: %+v", r)
	}
	if r := s.run(t); r.AlreadyDone != 2 {
		t.Errorf("the run after that: %+v", r)
	}
}

// TestRowsOfOlderVersions: older versions wrote rows without the digests. Commands are run again, built-in algorithms when asked
// for.
func TestRowsOfOlderVersions(t *testing.T) {
	t.Parallel()
	s := newScripted(t, "[sh, -c, 'cat reply']", "")
	write(t, s.dir, "reply", one(4))
	s.run(t)
	d := store.Open(s.results)
	rows, _, err := d.Records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w, err := d.NewRuns("old")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		r.CommandSHA256, r.BuildSHA256 = nil, nil
		if err := w.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if i := s.status(t, "fair"); i.Done != 1 || i.Other != 1 || i.Left != 0 {
		t.Errorf("status of an algorithm: %+v", i)
	}
	succeed(t, "report", s.results)
	summary, err := os.ReadFile(filepath.Join(s.results, "report", "summary.md"))
	if err != nil || !strings.Contains(string(summary), "rows of fair were made by another build of schedgap") {
		t.Errorf("the report: %v\n%s", err, summary)
	}
	if r := s.run(t); r.Stale != 1 || r.AlreadyDone != 1 || r.Ran[bench.Feasible] != 1 {
		t.Errorf("run: %+v", r)
	}
	for _, c := range []struct {
		globs string
		ran   int
	}{{"f*", 1}, {"mine,fair", 2}} {
		if r := s.run(t, "--rerun", c.globs); r.Ran[bench.Feasible] != c.ran || r.AlreadyDone != 2-c.ran {
			t.Errorf("--rerun %s: %+v", c.globs, r)
		}
	}
	if i := s.status(t, "fair"); i.Done != 1 || i.Other != 0 {
		t.Errorf("status after --rerun: %+v", i)
	}
	if e := schedgap(t, "run", s.suite, "-o", s.results, "--rerun", "fare"); e.code != exitUsage || e.stdout != "" ||
		!strings.Contains(e.stderr, `"fare"`) {
		t.Errorf("--rerun of nothing: %+v", e)
	}
}

// TestReplacedDuringRun: a run goes on with the program that it began with when another takes its place.
func TestReplacedDuringRun(t *testing.T) {
	if !alone(t) { // no other test starts a process while a program is written, which could not run then
		return
	}
	if _, err := os.Stat("/proc/self/exe"); err != nil {
		t.Skip("only Linux names the program that runs")
	}
	s := newScripted(t, "[sh, -c, 'echo >began; while ! [ -e go ]; do sleep 0.02; done; cat reply']", "")
	// The command's process starts before the replacement, that of the algorithm after it.
	text, err := os.ReadFile(s.suite)
	if err != nil {
		t.Fatal(err)
	}
	entry := strings.TrimSuffix(string(text)[strings.Index(string(text), "{name: mine, command"):], "]}")
	write(t, s.dir, "mine.yaml", strings.Replace(strings.Replace(string(text), ", "+entry, "", 1), "[fair", "["+entry+", fair", 1))
	write(t, s.dir, "reply", one(4))
	binary := filepath.Join(s.dir, "schedgap")
	if err := copyFile(os.Args[0], binary); err != nil {
		t.Fatal(err)
	}
	stderr := &printed{}
	cmd := exec.Command(binary, "run", s.suite, "-o", s.results, "--workers", "1")
	cmd.Env, cmd.Stderr = append(os.Environ(), asProgram+"=1"), stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	await.File(t, filepath.Join(s.dir, "began"))
	other := write(t, s.dir, "other", "#!/bin/sh\necho other >&2\n")
	if err := os.Chmod(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, binary); err != nil {
		t.Fatal(err)
	}
	write(t, s.dir, "go", "")
	if code := exitCode(cmd); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if r := s.run(t); r.Rows[bench.Feasible] != 2 || r.AlreadyDone != 2 {
		t.Errorf("rows: %+v", r)
	}
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, fs.FileMode(0o755))
}
