package main

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// TestYourTrace runs the commands of docs/using.md#a-trace-of-your-own on the file that it shows.
func TestYourTrace(t *testing.T) {
	if !alone(t) {
		return
	}
	_, text, _ := strings.Cut(repository(t).read(t, "docs/using.md"), "\n## A trace of your own\n")
	text, _, _ = strings.Cut(text, "\n## ")
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
		if b.language == "text" {
			write(t, dir, "graphs.csv", b.text)
		}
		if line, _, _ := strings.Cut(b.text, "\n"); strings.HasPrefix(line, "printf ") {
			if out, err := exec.CommandContext(t.Context(), "sh", "-c", line).CombinedOutput(); err != nil {
				t.Errorf("%s: %v %s", line, err, out)
			}
		}
		for _, line := range b.commandLines() {
			ran++
			if out := succeed(t, strings.Fields(line)[1:]...); out == "" {
				t.Errorf("%s prints nothing", line)
			}
		}
	}
	if ran != 10 {
		t.Errorf("%d commands", ran)
	}
	if out := succeed(t, "trace", "info", "--format", "csv", "jobs.csv"); !strings.Contains(out,
		"4 jobs with 50 tasks, of which 4 with 50 lie whole") {
		t.Errorf("trace info on the file prints\n%s", out)
	}
	for file, want := range map[string][]string{
		"report/summary.md": {"| fifo-min |"}, "simulated-report/summary.md": {"mean flowtime over bound | fifo |"},
	} {
		for _, text := range want {
			if !strings.Contains(read(t, file), text) {
				t.Errorf("%s does not say %q", file, text)
			}
		}
	}
	out := succeed(t, "trace", "derive", "cloning", "graphs.csv", "-p", "tasks=8", "-p", "spread=100", "-p", "max_copies=1", "-o", "dag")
	var in struct {
		Jobs []struct{ Phases []struct{ Parents []string } }
	}
	if err := json.Unmarshal([]byte(read(t, strings.TrimSpace(out))), &in); err != nil {
		t.Fatal(err)
	}
	if len(in.Jobs) != 2 || len(in.Jobs[0].Phases) != 3 || len(in.Jobs[0].Phases[2].Parents) != 2 {
		t.Errorf("the graphs become %+v", in)
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

// TestYourTraceGivesFewer: where a trace gives fewer instances than a suite asks for, the run and every report of the folder say so.
func TestYourTraceGivesFewer(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Chdir(t.TempDir())
	write(t, ".", "jobs.csv", "arrival,tasks,duration\n0,5,9\n1,6,9\n2,5,8\n3,7,5\n")
	write(t, ".", "s.yaml", "name: mine\nproblem: flex\ninstances:\n  - trace: {dir: jobs.csv, format: csv, n: 20, params: {jobs: 4}}\n"+
		"algorithms: [opt, fair]\nlimits: {time: 20s}\n")
	if e := schedgap(t, "run", "s.yaml", "-o", "r"); e.code != 0 || !strings.Contains(e.stderr, "of 20 instances") {
		t.Fatalf("exit %d, %s", e.code, e.stderr)
	}
	succeed(t, "report", "r")
	if text := read(t, "r/report/summary.md"); !strings.Contains(text, "## Warnings") || !strings.Contains(text, "of 20 instances") {
		t.Errorf("the report does not say it:\n%s", text)
	}
}
