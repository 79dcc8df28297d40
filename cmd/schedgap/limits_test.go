package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the machine or a limit of the process is to blame for is a failure, exit code 1, and no bad input.
func TestExhausted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	results := filepath.Join(dir, "results")
	succeed(t, "run", "quick", "-q", "-i", "*-000", "-a", "fair", "-o", results)
	program := func(limit string, args ...string) (int, string) {
		t.Helper()
		c := exec.Command("bash", append([]string{"-c", `ulimit ` + limit + ` && exec "$0" "$@"`, os.Args[0]}, args...)...)
		c.Env = append(os.Environ(), asProgram+"=1")
		out, _ := c.CombinedOutput() // the exit code says it
		return c.ProcessState.ExitCode(), string(out)
	}
	for limit, commands := range map[string][][]string{
		"-f 0": {
			{"generate", "flex", "-o", dir},
			{"report", results, "-o", filepath.Join(dir, "report")},
			{"simulate", "flex", "-a", "fair", "--generate", "jobs=5", "-o", filepath.Join(dir, "sim")},
			{"trace", "synthesize", "--hours", "0.1", "-o", filepath.Join(dir, "trace")},
			{"run", "quick", "-q", "-i", "*-001", "-a", "fair", "-o", filepath.Join(dir, "run")},
		},
		"-n 11": {{"run", "quick", "-q", "-i", "*-001", "-a", "fair", "-o", filepath.Join(dir, "run")}},
	} {
		for _, args := range commands {
			code, out := program(limit, args...)
			if code != exitFailed || !strings.Contains(out, fmt.Sprintf("raise ulimit %s", limit[:2])) {
				t.Errorf("ulimit %s, %v: exit %d: %s", limit, args, code, out)
			}
		}
	}
}
