package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench/plan/suite"
	"schedgap/bench/run/store"
	"schedgap/reports/words"
)

// TestCommit: the column commit names the suite's own repository, whatever a git hook's variables name, and says so if the commit does
// not have what was run.
func TestCommit(t *testing.T) {
	if !alone(t) {
		return
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	dir := filepath.Join(t.TempDir(), "my [data] ä")
	other := t.TempDir()
	in := func(dir string, args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v, %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, repository := range []string{dir, other} {
		in(repository, "init", "-q")
		write(t, repository, "s.yaml", small("{n: 1, seed: 1, params: {jobs: 3}}", "opt, {name: mine, command: [sh, mine.sh]}"))
		write(t, repository, "later.yaml", small("{n: 1, seed: 1, params: {jobs: 3}}", "opt, {name: later, command: [sh, later.sh]}"))
		write(t, repository, "mine.sh", "exit 77\n")
		write(t, repository, "note", filepath.Base(repository))
		in(repository, "add", "-A")
		in(repository, "commit", "-q", "-m", "one")
	}
	head := in(dir, "rev-parse", "HEAD")
	for _, c := range []struct {
		name   string
		change func()
		suite  string
		want   string
	}{
		{"clean", func() {}, "s.yaml", head},
		{"results lie in the repository", func() { write(t, dir, "rows.parquet", "") }, "s.yaml", head},
		{"the suite is edited", func() { write(t, dir, "s.yaml", "#\n"+read(t, filepath.Join(dir, "s.yaml"))) }, "s.yaml", head + dirty},
		{"the edited suite is staged", func() {
			write(t, dir, "s.yaml", "#\n"+read(t, filepath.Join(dir, "s.yaml")))
			in(dir, "add", "s.yaml")
		}, "s.yaml", head + dirty},
		{"another file is gone", func() { os.Remove(filepath.Join(dir, "note")) }, "s.yaml", head + dirty},
		{"the suite was never added", func() {
			write(t, dir, "new.yaml", read(t, filepath.Join(dir, "s.yaml")))
		}, "new.yaml", head + dirty},
		{"a command was never added", func() { write(t, dir, "later.sh", "exit 77\n") }, "later.yaml", head + dirty},
	} {
		t.Run(c.name, func(t *testing.T) {
			in(dir, "reset", "-q", "--hard", head)
			in(dir, "clean", "-qfdx")
			c.change()
			for name, value := range map[string]string{
				"GIT_DIR": filepath.Join(other, ".git"), "GIT_WORK_TREE": other, "GIT_INDEX_FILE": filepath.Join(other, ".git", "index"),
			} {
				t.Setenv(name, value)
			}
			results := filepath.Join(t.TempDir(), "results")
			succeed(t, "run", filepath.Join(dir, c.suite), "-o", results, "--quiet")
			rows, err := store.All(store.Open(results).Records(t.Context()))
			if err != nil || len(rows) == 0 {
				t.Fatalf("%d rows, %v", len(rows), err)
			}
			for _, r := range rows {
				if got := words.Text(r.Commit); got != c.want {
					t.Errorf("commit %q, want %q", got, c.want)
				}
			}
		})
	}
}

// TestCommitUnanswered: a git that answers every question but one says nothing of the commit, and nothing of edits.
func TestCommitUnanswered(t *testing.T) {
	real, err := exec.LookPath("git")
	if err != nil {
		t.Skip("needs git")
	}
	dir := t.TempDir()
	file := write(t, dir, "s.yaml", "")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "one"}} {
		if out, err := exec.Command(real, append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v, %s", args, err, out)
		}
	}
	fake := t.TempDir()
	t.Setenv("PATH", fake+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, question := range []string{"nothing", "HEAD", "--show-toplevel", "status", "ls-files"} {
		asScript(t, fake, "git", "#!/bin/sh\ncase \" $* \" in *\" "+question+" \"*) exit 1;; esac\nexec '"+real+"' \"$@\"\n")
		if got := commitOf(t.Context(), file, &suite.Plan{}, false); (len(got) == 40) != (question == "nothing") || got != "" && len(got) != 40 {
			t.Errorf("without an answer to %s: %q", question, got)
		}
	}
}
