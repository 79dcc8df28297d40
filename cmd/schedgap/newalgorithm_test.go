package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/models/trials"
)

// TestSkeletons: for every problem and language, what algorithm new prints passes algorithm check as it is, and says of another
// problem's instances, tried with the first problem, that they are not its own. By day each is tried on one instance, the C++ of one
// problem runs, and all of it is compiled.
func TestSkeletons(t *testing.T) {
	t.Parallel()
	problems := []string{"flex", "pocd", "cloning", "redundancy", "speculation"}
	examples := map[string]string{"flex": "rotate", "pocd": "example", "cloning": "fig2", "redundancy": "example", "speculation": "example"}
	for i, problem := range problems {
		for _, language := range []string{"python", "c++"} {
			tool := map[string]string{"python": "python3", "c++": "g++"}[language]
			if _, err := exec.LookPath(tool); err != nil {
				t.Logf("SKIPPED: %s in %s: %v", problem, language, err)
				continue
			}
			file := filepath.Join(t.TempDir(), map[string]string{"python": "mine.py", "c++": "mine.cpp"}[language])
			text := succeed(t, "algorithm", "new", problem, "--lang", language)
			if strings.Contains(text, "FILE") || strings.Contains(text, "BODY") || strings.Contains(text, "HELPER") ||
				strings.Contains(text, "PROBLEM") || !strings.Contains(text, "algorithm check "+problem) {
				t.Errorf("something is not filled in:\n%s", text)
			}
			if e := schedgap(t, "algorithm", "new", problem, "--lang", language, "-o", file); e.code != 0 || e.stdout != "" ||
				!strings.Contains(e.stderr, "next: schedgap algorithm check "+problem+" -- ") {
				t.Fatalf("exit %d, stdout %q, stderr %q", e.code, e.stdout, e.stderr)
			}
			if again := write(t, t.TempDir(), "whole.py", text); language == "python" { // what stdout has needs no module beside it
				if out, err := exec.Command(tool, again).CombinedOutput(); !strings.Contains(string(out), "JSONDecodeError") {
					t.Errorf("without an instance: %v\n%s", err, out)
				}
			}
			command := []string{tool, file}
			if language == "c++" {
				command = []string{file + ".out"}
				only := []string{"-o", command[0]}
				if i > 0 && !trials.Whole() {
					only = []string{"-fsyntax-only"}
				}
				if out, err := exec.Command(tool, append(only, "-Wall", "-Wextra", "-Werror", file)...).CombinedOutput(); err != nil {
					t.Fatalf("it does not compile: %v\n%s", err, out)
				}
				if len(only) == 1 {
					continue
				}
			}
			t.Run(problem+" in "+language, func(t *testing.T) {
				t.Parallel()
				check := []string{"algorithm", "check", problem}
				if !trials.Whole() {
					check = append(check, "--instance", examples[problem])
				}
				if e := schedgap(t, append(append(check, "--"), command...)...); e.code != 0 {
					t.Errorf("exit %d\n%s%s", e.code, e.stdout, e.stderr)
				}
				if i > 0 { // the lines that refuse other problems are the same in all
					return
				}
				other := problems[1]
				if e := schedgap(t, append([]string{"algorithm", "check", other, "--"}, command...)...); !strings.Contains(e.stderr,
					"applicable to none") {
					t.Errorf("on %s: exit %d\n%s%s", other, e.code, e.stdout, e.stderr)
				}
			})
		}
	}
}

// TestSkeletonReplacesNothing: a file that exists is not replaced by a skeleton, and wrong names are answered.
func TestSkeletonReplacesNothing(t *testing.T) {
	file := write(t, t.TempDir(), "mine.py", "precious")
	for says, args := range map[string][]string{
		"is not replaced":     {"algorithm", "new", "flex", "--lang", "python", "-o", file},
		`did you mean "flex"`: {"algorithm", "new", "flux", "--lang", "python"},
		"python, c++":         {"algorithm", "new", "flex", "--lang", "cobol"},
	} {
		if e := schedgap(t, args...); e.code != exitUsage || e.stdout != "" || !strings.Contains(e.stderr, says) {
			t.Errorf("%q: exit %d, stdout %q, stderr %q", args, e.code, e.stdout, e.stderr)
		}
	}
	if data, err := os.ReadFile(file); err != nil || string(data) != "precious" {
		t.Errorf("%q, %v", data, err)
	}
}
