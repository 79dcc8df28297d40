package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/score/algocheck"
	"schedgap/models"
)

// examples holds the algorithms that docs/your-algorithm.md shows.
const examples = "../../scripts/examples/"

// TestExamples: the example in Python and, where a compiler and the JSON library are, the one in C++ are right on every small
// instance, and say that another problem is not theirs.
func TestExamples(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{"flex": {"python3", examples + "flex_spt.py"}}
	binary := filepath.Join(t.TempDir(), "pocd_least")
	if out, err := exec.Command("g++", "-o", binary, examples+"pocd_least.cpp").CombinedOutput(); err == nil {
		commands["pocd"] = []string{binary}
	} else {
		t.Logf("without the example in C++: %s", out)
	}
	for problem, command := range commands {
		if _, err := exec.LookPath(command[0]); err != nil {
			t.Logf("without the example for %s: %v", problem, err)
			continue
		}
		for _, p := range []string{"flex", "pocd"} {
			e := schedgap(t, append([]string{"check-algorithm", p, "--"}, command...)...)
			switch {
			case p == problem && e.code != 0:
				t.Errorf("%v on %s: exit %d\n%s%s", command, p, e.code, e.stdout, e.stderr)
			case p != problem && (e.code != exitFailed || !strings.Contains(e.stderr, "applicable to none")):
				t.Errorf("%v on %s: exit %d, %s", command, p, e.code, e.stderr)
			}
		}
	}
}

// TestCheckAlgorithmWrong: every kind of mistake is a row marked WRONG with a sentence that names the instance.
func TestCheckAlgorithmWrong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ script, says string }{
		"garbage": {"echo Hello", "rotate: the command's output: not valid JSON"},
		"infeasible": {
			`printf '{"problem":"flex","instance":"rotate","algorithm":"x","intervals":[]}'`,
			"rotate: the checker refused the solution: work",
		},
		"claims": {
			`printf '{"problem":"flex","instance":"rotate","algorithm":"x","objective":1,"intervals":[{"start":0,"end":4,` +
				`"slots":{"a":0.5,"b":0.5,"c":0.5}}]}'`, "rotate: it claims the objective 1, but the checker finds 4",
		},
		"dies":  {"kill -SEGV $$", "rotate: the command died (signal: segmentation fault"},
		"hangs": {"sleep 100", "rotate: the command was killed at the time limit of 3s"},
		"fails": {"echo oops >&2; exit 3", "stderr: oops"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := schedgap(t, "check-algorithm", "flex", "--time-limit", "3s", "--", "sh", "-c",
				`[ "$(grep -c '"rotate"')" = 1 ] || exit 77; `+c.script)
			if e.code != exitFailed || !strings.Contains(e.stdout, "WRONG") || !strings.Contains(e.stdout, c.says) ||
				!strings.Contains(e.stderr, "wrong on 1 of") {
				t.Errorf("exit %d\n%s%s\nwant %q", e.code, e.stdout, e.stderr, c.says)
			}
		})
	}
}

// TestCheckAlgorithmRandom: a command that answers differently each time gets a remark, but is not wrong.
func TestCheckAlgorithmRandom(t *testing.T) {
	t.Parallel()
	flag := filepath.Join(t.TempDir(), "second")
	script := `[ "$(grep -c '"one-job"')" = 1 ] || exit 77; rate=1; [ -e ` + flag + ` ] && rate=0.5; : > ` + flag + `
python3 -c 'import sys; r = float(sys.argv[1]); print("{\"problem\":\"flex\",\"instance\":\"one-job\",\"algorithm\":\"x\",` +
		`\"intervals\":[{\"start\":0,\"end\":%r,\"slots\":{\"only\":%r}}]}" % (1.5 / r, r))' $rate`
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs python3")
	}
	e := schedgap(t, "check-algorithm", "flex", "--", "sh", "-c", script)
	if e.code != 0 || !strings.Contains(e.stdout, "one-job: run again with the same SCHEDGAP_SEED") {
		t.Errorf("exit %d\n%s%s", e.code, e.stdout, e.stderr)
	}
}

// TestCheckAlgorithmUsage: what is missing is said, and nothing is run.
func TestCheckAlgorithmUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ran")
	for _, args := range [][]string{
		{},
		{"flex"},
		{"flex", "touch", file},
		{"--", "touch", file},
		{"flex", "--"},
		{"nonsense", "--", "touch", file},
		{"flex", "--", "no-such-command-anywhere"},
		{"flex", "--time-limit", "0s", "--", "touch", file},
	} {
		e := schedgap(t, append([]string{"check-algorithm"}, args...)...)
		if e.code != exitUsage || e.stdout != "" || strings.Count(e.stderr, "\n") != 1 {
			t.Errorf("%v: exit %d, stdout %q, stderr %q", args, e.code, e.stdout, e.stderr)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the command ran")
	}
}

// TestCheckAlgorithmOnce: one mistake on all instances is one sentence; --first stops at the first, --instance tries one, --keep
// leaves what can be tried by hand.
func TestCheckAlgorithmOnce(t *testing.T) {
	t.Parallel()
	e := schedgap(t, "check-algorithm", "flex", "--", "sh", "-c", "exit 3")
	if n := strings.Count(e.stdout, "exit status 3"); e.code != exitFailed || n != 1 ||
		!strings.Contains(e.stdout, " more: the command failed") {
		t.Errorf("exit %d, said %d times\n%s", e.code, n, e.stdout)
	}
	e = schedgap(t, "check-algorithm", "flex", "--first", "--", "sh", "-c", "exit 3")
	if e.code != exitFailed || strings.Count(e.stdout, "WRONG") != 1 || !strings.Contains(e.stderr, "wrong on 1 of 1 ") {
		t.Errorf("exit %d\n%s%s", e.code, e.stdout, e.stderr)
	}
	dir := t.TempDir()
	script := `cat >&2; printf '{"problem":"flex","instance":"rotate","algorithm":"x","intervals":[]}'`
	e = schedgap(t, "check-algorithm", "flex", "--instance", "rotate", "--keep", dir, "--", "sh", "-c", script)
	if e.code != exitFailed || !strings.Contains(e.stderr, "wrong on 1 of 1 ") {
		t.Errorf("exit %d\n%s%s", e.code, e.stdout, e.stderr)
	}
	e = schedgap(t, "check", filepath.Join(dir, "rotate.json"), filepath.Join(dir, "rotate.solution.json"))
	if e.code != exitFailed || !strings.Contains(e.stdout, `"constraint":"work"`) {
		t.Errorf("exit %d\n%s%s", e.code, e.stdout, e.stderr)
	}
	e = schedgap(t, "check-algorithm", "flex", "--instance", "nonsense", "--", "true")
	if e.code != exitUsage ||
		!strings.Contains(e.stderr, "rotate") {
		t.Errorf("exit %d, %s", e.code, e.stderr)
	}
}

// TestAugmentedStanding: a rival that is better than the optimum because it has more than the optimum has is shown with its true ratio
// and with what it has more.
func TestAugmentedStanding(t *testing.T) {
	in := &bench.Instance{Problem: &bench.Problem{Sense: models.Minimize}}
	s := standing{ratios: map[string]map[string]float64{}}
	s.add(in, &algocheck.Verdict{
		Instance: "i", OK: true, Optimum: new(10.0), Objective: new(11.0),
		Rivals: map[string]float64{"faster": 9}, Augmented: map[string]float64{"faster": 1.5},
	})
	const want = ". On the 1 with a positive optimum: 1.100 times the optimum on average (faster 0.900 with augmentation of up to 1.5), " +
		"at worst 1.100 (i)"
	if got := s.words(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
