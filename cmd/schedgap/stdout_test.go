package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDash: to the output -, instances are printed one a line; where that cannot be meant, - is refused. Nothing makes a file or
// a folder of that name.
func TestDash(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Chdir(t.TempDir())
	lines := strings.Split(strings.TrimSuffix(succeed(t, "generate", "flex", "-n", "3", "-o", "-"), "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines for 3 instances: %q", len(lines), lines)
	}
	file := strings.TrimSpace(succeed(t, "generate", "flex", "-o", "out"))
	same, err := os.ReadFile(file)
	if err != nil || strings.TrimSpace(string(same)) != lines[0] {
		t.Errorf("the first line is not the first instance: %q, %v", lines[0], err)
	}
	succeed(t, "solve", write(t, ".", "two.json", lines[1]), "-a", "spt")
	succeed(t, "trace", "synthesize", "-o", "trace", "--hours", "1")
	if derived := succeed(t, "trace", "derive", "flex", "trace", "-o", "-"); strings.Count(derived, "\n") != 1 || derived[0] != '{' {
		t.Errorf("derived: %q", derived)
	}
	for _, args := range [][]string{
		{"run", "quick", "-o", "-"},
		{"solve", file, "-a", "spt", "-o", "-"},
		{"export", file, "--model", "grid", "--format", "lp", "-o", "-"},
		{"simulate", "flex", "-a", "fair", "--generate", "jobs=2", "-o", "-"},
		{"merge", ".", "-o", "-"},
		{"trace", "synthesize", "-o", "-"},
	} {
		if e := schedgap(t, args...); e.code != exitUsage || e.stdout != "" || !strings.Contains(e.stderr, "./-") {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", args, e.code, e.stdout, e.stderr)
		}
	}
	if _, err := os.Lstat("-"); err == nil {
		t.Error("there is a file or folder named -")
	}
}

// TestReadmeLeavesNoTrace: what README's commands write is not seen by git.
func TestReadmeLeavesNoTrace(t *testing.T) {
	root := filepath.Join("..", "..")
	if err := exec.Command("git", "-C", root, "rev-parse").Run(); err != nil {
		t.Skip("this is no checkout")
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	outputs := regexp.MustCompile(`(?m)^    bin/schedgap .* -o (\S+)`).FindAllStringSubmatch(string(readme), -1)
	if len(outputs) < 4 {
		t.Fatalf("README has only %d commands with an output", len(outputs))
	}
	for _, o := range append(outputs, []string{"", "bin/schedgap"}, []string{"", "demo/report"}) {
		if err := exec.Command("git", "-C", root, "check-ignore", "-q", o[1]+"/x").Run(); err != nil {
			t.Errorf("git sees %s: %v", o[1], err)
		}
	}
}
