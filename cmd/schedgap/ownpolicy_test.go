package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnPolicy: the example policies run in every simulator, and where one does what a policy of ours does, it measures the
// same.
func TestOwnPolicy(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs python3")
	}
	for problem, c := range map[string]struct{ spec, twin string }{
		"flex":        {"jobs=4,map_tasks=400,reduce_tasks=40", ""},
		"pocd":        {"jobs=20", ""},
		"cloning":     {"jobs=10", "capacity"},
		"redundancy":  {"horizon=300", "fair"},
		"speculation": {"jobs=1", "none"},
	} {
		t.Run(problem, func(t *testing.T) {
			t.Parallel()
			args := []string{
				"simulate", problem, "-a", strings.Trim("mine,"+c.twin, ","), "--policy", "mine=python3 " + examples + "policies.py",
				"--generate", c.spec, "-o", t.TempDir(), "-q",
			}
			var s simulated
			if err := json.Unmarshal([]byte(succeed(t, args...)), &s); err != nil {
				t.Fatal(err)
			}
			means := map[string]map[string]float64{}
			for _, m := range s.Means {
				if means[m.Policy] == nil {
					means[m.Policy] = map[string]float64{}
				}
				means[m.Policy][m.Metric] = m.Mean
			}
			if len(means["mine"]) == 0 {
				t.Errorf("no metrics: %+v", s)
			}
			for metric, want := range means[c.twin] {
				if got := means["mine"][metric]; math.Abs(got-want) > 1e-9*math.Abs(want) && !strings.Contains(metric, "decision") {
					t.Errorf("%s is %v, of %s %v", metric, got, c.twin, want)
				}
			}
		})
	}
}

// TestOwnPolicyFails: what a policy does wrong ends the simulation with a sentence that names it.
func TestOwnPolicyFails(t *testing.T) {
	for policy, says := range map[string]string{
		"mine=sh -c 'exit 3'":          "policy mine, repetition 0: no answer (exit status 3)",
		"mine=sh -c 'read x; echo hi'": "policy mine, repetition 0: the answer",
		`mine=sh -c 'read x; echo "{\"served\":0,\"first\":1,\"others\":1,\"share\":1}"'`: "the answer: served: 0 must be between 1 and",
		"mine":      "must be NAME=COMMAND",
		"fair=cat":  `unknown policy "mine"`,
		"other=cat": `unknown policy "mine"`,
	} {
		dir := filepath.Join(t.TempDir(), "out")
		e := schedgap(t, "simulate", "redundancy", "-a", "mine,fair", "--policy", policy, "--generate", "horizon=20", "-o", dir, "-q")
		if e.code != exitUsage || e.stdout != "" || !strings.Contains(e.stderr, says) {
			t.Errorf("%s: exit %d, %q, want %q", policy, e.code, e.stderr, says)
		}
	}
}

// TestEditedPolicy: repetitions of a policy that was edited are stored beside those of before, and those of one that was not are
// not stored twice.
func TestEditedPolicy(t *testing.T) {
	dir := t.TempDir()
	script := write(t, dir, "mine.sh", "")
	args := []string{
		"simulate", "redundancy", "-a", "mine", "--policy", "mine=sh " + script, "--generate", "horizon=20", "-o",
		filepath.Join(dir, "out"), "-q",
	}
	for _, c := range []struct {
		share float64
		added bool
	}{{1, true}, {1, false}, {0.5, true}} {
		write(t, dir, "mine.sh", fmt.Sprintf("while read x; do echo '{\"served\":1,\"first\":1,\"others\":1,\"share\":%g}'; done",
			c.share))
		var s simulated
		if err := json.Unmarshal([]byte(succeed(t, args...)), &s); err != nil {
			t.Fatal(err)
		}
		if (s.Rows > 0) != c.added {
			t.Errorf("with share %g, %d rows are added", c.share, s.Rows)
		}
	}
}
