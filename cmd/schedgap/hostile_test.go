package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/run/store"
)

// A pipe that nobody writes to and a device that never ends are refused at once wherever a file is read.
func TestEndlessInputs(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	instance := shared + "full-minima.json"
	suite := write(t, dir, "suite.yaml", "name: s\nproblem: flex\nalgorithms: [fair]\ninstances: [{files: pipe}]\n")
	yaml := filepath.Join(dir, "pipe.yaml")
	trace := filepath.Join(dir, "trace", "task_events")
	if err := os.MkdirAll(trace, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{yaml, filepath.Join(trace, "part-00000-of-00001.csv.gz")} {
		if err := unix.Mkfifo(p, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{pipe, "/dev/zero"} {
		for _, args := range [][]string{
			{"check", file, instance},
			{"check", instance, file},
			{"solve", file, "-a", "fair"},
			{"export", file, "--model", "position", "--format", "lp"},
			{"simulate", "flex", "-a", "fair", "--workload", file, "-o", filepath.Join(dir, "sim")},
			{"compare", file, file},
			{"run", yaml},
			{"run", suite},
			{"trace", "info", filepath.Join(dir, "trace")},
		} {
			e := schedgap(t, args...)
			if e.code != 2 || e.stdout != "" || !strings.Contains(e.stderr, "only regular files are read") {
				t.Errorf("%v: exit %d: %s%s", args, e.code, e.stdout, e.stderr)
			}
		}
		t.Setenv("SCHEDGAP_SOLVERS", file)
		if e := schedgap(t, "list", "solvers"); e.code != 2 || !strings.Contains(e.stderr, "only regular files are read") {
			t.Errorf("solver list %s: exit %d: %s", file, e.code, e.stderr)
		}
		t.Setenv("SCHEDGAP_SOLVERS", "")
	}
}

// hostile is what a name might be that is made to take over a terminal, a page or a LaTeX run.
const hostile = "a\x1b[2J\n\\input{/etc/passwd}\n\u202eb\r<script>"

// Names that do not print are refused where they come in, and shown as escapes where a foreign row has them.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	quoted, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"name: s\nproblem: flex\nalgorithms: [{name: " + string(quoted) + ", command: [cat]}]\ninstances: [{generate: {n: 1}}]\n",
		"name: ../../x\nproblem: flex\nalgorithms: [fair]\ninstances: [{generate: {n: 1}}]\n",
		"name: /x\nproblem: flex\nalgorithms: [fair]\ninstances: [{generate: {n: 1}}]\n",
		"name: .x\nproblem: flex\nalgorithms: [fair]\ninstances: [{generate: {n: 1}}]\n",
	} {
		file := write(t, dir, "suite.yaml", text)
		if e := schedgap(t, "run", file, "--dry-run"); e.code != 2 || strings.Count(e.stderr, "\n") != 1 ||
			strings.ContainsAny(e.stderr, "\x1b\u202e\r") {
			t.Errorf("%s: exit %d: %q", text, e.code, e.stderr)
		}
	}

	in := succeed(t, "generate", "flex", "-p", "jobs=3", "-o", filepath.Join(dir, "instances"))
	data, err := os.ReadFile(strings.TrimSpace(in))
	if err != nil {
		t.Fatal(err)
	}
	suite := write(t, dir, "good.yaml", "name: s\nproblem: flex\nalgorithms: [fair, opt]\ninstances: [{files: instances/*.json}]\n")
	results := filepath.Join(dir, "results")
	succeed(t, "run", suite, "-o", results)
	// Every text of a row, and the plan, in a foreign folder.
	rows, _, err := store.Open(results).Records(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w, err := store.Open(results).NewRuns("0000")
	if err != nil {
		t.Fatal(err)
	}
	forged, text := rows[0], hostile
	forged.UnitID, forged.Algorithm, forged.Instance, forged.Suite, forged.Error = strings.Repeat("ab",
		16), hostile, hostile, hostile, &text
	forged.Status, forged.Objective, forged.Bound, forged.Gap, forged.Feasible = string(bench.Crash), nil, nil, nil, nil
	if err := w.Append(forged); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, results, "plan.json", `{`+string(quoted)+`:["x"]}`)
	shown := func(where, text string) {
		t.Helper()
		if strings.HasSuffix(where, ".html") {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		if strings.ContainsAny(text, "\x1b\u202e\r") || strings.Contains(text, "\n\\input") ||
			strings.Contains(text, "\n\\textbackslash{}input") {
			i := max(strings.IndexAny(text, "\x1b\u202e\r"), strings.Index(text, "\n\\input"), strings.Index(text, "\n\\textback"))
			t.Errorf("%s shows a hostile name as it is: %q", where, text[max(0, i-60):min(len(text), i+60)])
		}
	}
	shown("status", succeed(t, "status", results))
	e := schedgap(t, "compare", results, results)
	shown("compare", e.stdout+e.stderr)
	succeed(t, "report", results)
	err = filepath.WalkDir(filepath.Join(results, "report"), func(path string, _ os.DirEntry, err error) error {
		if ext := filepath.Ext(path); ext == ".md" || ext == ".tex" || ext == ".html" {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			shown(path, string(text))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}

	// An instance that was edited since is reported.
	stored := store.Open(results).InstancePath(rows[0].InstanceSHA256)
	if err := os.WriteFile(stored, append(data, ' '), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"report", results}, {"compare", results, results}} {
		if e := schedgap(t, args...); !strings.Contains(e.stdout+e.stderr, "damaged, its contents do not match its name") {
			t.Errorf("%v says nothing of a damaged instance: exit %d: %s", args, e.code, e.stderr)
		}
	}
}
