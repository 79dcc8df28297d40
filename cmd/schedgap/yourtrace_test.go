package main

import (
	"strings"
	"testing"
)

// TestYourTrace runs the commands of docs/your-trace.md on the file that it shows.
func TestYourTrace(t *testing.T) {
	text := repository(t).read(t, "docs/your-trace.md")
	dir := t.TempDir()
	t.Chdir(dir)
	ran := 0
	for _, b := range blocks(text) {
		if b.language == "csv" {
			write(t, dir, "jobs.csv", b.text)
			if n := strings.Count(b.text, "\n"); n != 5 {
				t.Errorf("the example has %d lines", n)
			}
		}
		for _, line := range b.commandLines() {
			if out := succeed(t, strings.Fields(line)[1:]...); out == "" {
				t.Errorf("%s prints nothing", line)
			}
			ran++
		}
	}
	if ran != 7 {
		t.Errorf("%d commands", ran)
	}
	if out := succeed(t, "trace", "info", "--format", "csv", "."); !strings.Contains(out,
		"4 jobs with 50 tasks, of which 4 with 50 lie whole") {
		t.Errorf("trace info on the folder prints\n%s", out)
	}
}

// TestYourTraceLeftOut: of a row that breaks a rule every command that reads the trace says in one sentence where it is, and goes
// on without it; derived instances say so too. Strict, the command ends with code 2 there.
func TestYourTraceLeftOut(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "jobs.csv", "arrival,tasks,duration\n0,5,9\n5,2,-3\n0,6,9\n0,5,8\n")
	for i, args := range [][]string{
		{"trace", "info", dir},
		{"trace", "derive", "flex", dir, "-o", dir + "/out"},
		{"simulate", "flex", "-a", "fair", "--trace", file, "-o", dir + "/out"},
	} {
		e := schedgap(t, args...)
		want := "duration is not a finite number ≥ 0 (first: jobs.csv:3)"
		if e.code != 0 || e.stdout == "" || strings.Count(e.stderr, want) != 1 || strings.Count(strings.TrimSpace(e.stderr), "\n") > 0 {
			t.Errorf("%v: exit %d, %q, %q", args, e.code, e.stdout, e.stderr)
		}
		if i == 1 {
			in := read(t, strings.TrimSpace(e.stdout))
			if !strings.Contains(in, `"reason":"duration is not a finite number ≥ 0"`) || !strings.Contains(in, `"first":"jobs.csv:3"`) {
				t.Errorf("the instance says nothing of it: %s", in)
			}
		}
		e = schedgap(t, append(args, "--strict")...)
		want = file + `: line 3: column duration: "-3" is not a finite number ≥ 0`
		if e.code != 2 || e.stdout != "" || strings.Count(e.stderr, want) != 1 {
			t.Errorf("%v, strict: exit %d, %q, %q", args, e.code, e.stdout, e.stderr)
		}
	}
}
