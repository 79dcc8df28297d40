package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench/score/worst"
)

// What worst prints is true: solve says the same of the instance that it wrote.
func TestWorst(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "found")
	var a worst.Answer
	if err := json.Unmarshal([]byte(succeed(t, "worst", "flex", "-a", "fair", "--jobs", "4", "--evaluations", "800", "-o", dir)),
		&a); err != nil {
		t.Fatal(err)
	}
	if a.Ratio == nil || *a.Ratio < 1.5 || a.Instance != filepath.Join(dir, "instance.json") || a.Evaluations != 800 {
		t.Errorf("%+v", a)
	}
	heuristic, opt := solve(t, 0, a.Instance, "-a", "fair"), solve(t, 0, a.Instance, "-a", "opt")
	if *heuristic.Objective != *a.Objective || math.Abs(*heuristic.Objective / *opt.Objective - *a.Ratio) > 1e-12 {
		t.Errorf("solve has %v and %v for %+v", *heuristic.Objective, *opt.Objective, a)
	}
	for _, name := range []string{worst.ReportFile, worst.WhyFile, worst.DrawingFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	for _, solution := range []string{worst.ActualFile, worst.OptimalFile} {
		succeed(t, "check", a.Instance, filepath.Join(dir, solution))
	}
	// The same search draws the same picture, whatever the number of workers.
	drawing := func(dir string) string {
		data, err := os.ReadFile(filepath.Join(dir, worst.DrawingFile))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	again := filepath.Join(t.TempDir(), "again")
	succeed(t, "worst", "flex", "-a", "fair", "--jobs", "4", "--evaluations", "800", "--workers", "1", "-o", again)
	if drawing(dir) != drawing(again) {
		t.Error("the drawings of the same search differ")
	}
	// A search goes on from what one has found.
	more := filepath.Join(t.TempDir(), "more")
	succeed(t, "worst", "flex", "-a", "fair", "--evaluations", "100", "--from", a.Instance, "-o", more)
}

// A command is searched like an algorithm; its failures everywhere are one sentence, and nothing is written.
func TestWorstCommand(t *testing.T) {
	t.Parallel()
	script := write(t, t.TempDir(), "one.sh", `read -r line; id=$(printf %s "$line" | sed 's/.*"id":"\([^"]*\)","work":\([^,]*\),.*/\1/')
work=$(printf %s "$line" | sed 's/.*"id":"\([^"]*\)","work":\([^,]*\),.*/\2/')
echo '{"problem":"flex","instance":"worst-flex-command","algorithm":"slow","intervals":[{"start":0,"end":'$work',"slots":{"'$id'":1}}]}'
`)
	dir := filepath.Join(t.TempDir(), "found")
	var a worst.Answer
	out := succeed(t, "worst", "flex", "--jobs", "1", "--evaluations", "40", "--within", "min=0..1", "-o", dir, "--", "sh", script)
	if err := json.Unmarshal([]byte(out), &a); err != nil || a.Ratio == nil || *a.Ratio <= 1 {
		t.Errorf("%v: %s", err, out)
	}
	if a.Algorithm != "one" || !strings.Contains(read(t, filepath.Join(dir, worst.WhyFile)), "Why one is bad") {
		t.Errorf("the command's name is not its script's: %s", out)
	}
	nowhere := filepath.Join(t.TempDir(), "nothing")
	e := schedgap(t, "worst", "flex", "--evaluations", "40", "-o", nowhere, "--", "sh", "-c", "echo broken >&2; exit 3")
	if e.code != 1 || e.stdout != "" || !strings.Contains(e.stderr, "failed on every instance") {
		t.Errorf("%+v", e)
	}
	if _, err := os.Stat(nowhere); err == nil {
		t.Error("a folder was written though nothing was found")
	}
}

// Bad input ends with exit code 2 and one sentence, nothing found with 1, and neither writes.
func TestWorstRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args string
		code int
		has  string
	}{
		{"flex -a nosuch", 2, "unknown algorithm"},
		{"flex -a shed+", 2, "is an algorithm of pocd"},
		{"nosuch -a fair", 2, "unknown problem"},
		{"flex", 2, "the algorithm is missing"},
		{"flex -a fair -- true", 2, "exclude each other"},
		{"flex -a lb", 2, "is a bound"},
		{"flex -a edd", 2, "deadline"},
		{"flex -a fair --reference nosuch", 2, "--reference"},
		{"flex -a fair --budget 1s", 2, "exclude each other"},
		{"flex -a fair --evaluations 1 --within slack=2..3", 2, "no instance was found within"},
		{"flex -a fair --within slack=3..2", 2, "has no values"},
		{"flex -a fair -p nosuch=1", 2, "nosuch"},
		{"flex -a fair -p metric=nosuch", 2, "metric"},
		{"flex -a fair --like " + t.TempDir() + "/nosuch", 2, "nosuch"},
		{"flex -a fair --from nosuch.json", 2, "nosuch.json"},
		{"flex -- /nosuch/command", 2, "cannot be run"},
		{"flex -a opt", 1, "nothing worse than optimal"},
	} {
		dir := filepath.Join(t.TempDir(), "found")
		args := strings.Fields(c.args)
		args = append([]string{"worst", args[0], "--evaluations", "60", "-o", dir}, args[1:]...)
		e := schedgap(t, args...)
		if e.code != c.code || e.stdout != "" || !strings.Contains(e.stderr, c.has) || strings.Count(e.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %s%s; want exit %d, %q", c.args, e.code, e.stdout, e.stderr, c.code, c.has)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: a folder was written", c.args)
		}
	}
}
