package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"schedgap/models/trials"
	template "schedgap/scripts"
)

// steps are the lines for the shell of a workflow that run the program; base is fetched, and the program installed, by others.
func steps(t *testing.T, file string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var workflow struct {
		Jobs map[string]struct {
			Steps []struct{ Run string }
		}
		Schedgap struct{ Script []string }
	}
	if err := yaml.Unmarshal(text, &workflow); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if script := workflow.Schedgap.Script; len(script) > 2 { // GitLab runs its lines in one shell
		return []string{strings.Join(script, "\n")}
	}
	for _, job := range workflow.Jobs {
		for _, s := range job.Steps {
			if strings.Contains(s.Run, "schedgap ") && !strings.Contains(s.Run, "gh run") && !strings.Contains(s.Run, "make -C") {
				list = append(list, s.Run)
			}
		}
	}
	if len(list) < 3 {
		t.Fatalf("%s: has the steps %q", file, list)
	}
	return list
}

// TestTemplate: what algorithm new writes for a repository of one's own measures the algorithm and gates it: results that are as
// good or better pass, a loss of two percent and a failure do not.
func TestTemplate(t *testing.T) {
	t.Parallel()
	program := command(t)
	for service, workflow := range map[string]string{"github": template.GitHub, "gitlab": template.GitLab} {
		t.Run(service, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "repository")
			e := schedgap(t, "algorithm", "new", "flex", "--lang", "python", "--ci", service, "-o", dir)
			const run = "schedgap run suite.yaml -o results"
			if e.code != 0 || !strings.Contains(e.stderr, run+" ") {
				t.Fatalf("exit %d, %s", e.code, e.stderr)
			}
			if text, err := os.ReadFile(filepath.Join(dir, workflow)); err != nil || !strings.Contains(string(text), run+" ") {
				t.Errorf("%s does not run %q: %v", workflow, run, err)
			}
			text, err := os.ReadFile(filepath.Join(dir, "mine.py"))
			if err != nil {
				t.Fatal(err)
			}
			suite, err := os.ReadFile(filepath.Join(dir, "suite.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, "suite.yaml", strings.Replace(string(suite), "n: 20", "n: 6", 1))
			said := filepath.Join(t.TempDir(), "summary.md")
			// passes runs the workflow on a version of the algorithm, whose results become the base of the next if all is well.
			passes := func(what, old, changed string) bool {
				t.Helper()
				if !strings.Contains(string(text), old) {
					t.Fatalf("mine.py has no %q", old)
				}
				write(t, dir, "mine.py", strings.Replace(string(text), old, changed, 1))
				if err := os.RemoveAll(filepath.Join(dir, "results")); err != nil {
					t.Fatal(err)
				}
				for _, step := range steps(t, filepath.Join(dir, workflow)) {
					cmd := exec.Command("bash", "-e", "-c", step)
					cmd.Dir = dir
					cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"), "GITHUB_STEP_SUMMARY="+said,
						"CI_COMMIT_BRANCH=main", "CI_DEFAULT_BRANCH=main")
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Logf("%s: %s: %v\n%s", what, step, err, out)
						return false
					}
				}
				if err := os.RemoveAll(filepath.Join(dir, "base")); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command("cp", "-R", filepath.Join(dir, "results"), filepath.Join(dir, "base")).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				return true
			}
			const end, late = `return {"intervals": intervals}`, `d = 0.02 * now
    return {"intervals": [{**i, "start": i["start"] + d, "end": i["end"] + d} for i in intervals]}`
			const worse = `key=urgency`
			for _, c := range []struct {
				what, old, changed string
				want               bool
			}{
				{"with longest first", worse, `key=lambda name: -urgency(name)`, true},
				{"improved", worse, worse, true},
				{"two percent late", end, late, false},
				{"as before", end, end, true},
				{"failing", end, "raise ValueError", false},
			} {
				if service == "gitlab" && !trials.Whole() && (c.what == "improved" || c.what == "as before") {
					continue // as with GitHub: the steps differ, and not what they compare
				}
				if got := passes(c.what, c.old, c.changed); got != c.want {
					t.Errorf("%s: the gate says %v", c.what, got)
				}
			}
			if service == "gitlab" { // of the failing one, as GitHub's steps write them
				for _, name := range []string{"summary.md", "compare.md"} {
					if text := read(t, filepath.Join(dir, "results", "report", name)); !strings.Contains(text, "mine") {
						t.Errorf("%s: %s", name, text)
					}
				}
			}
			if service == "github" {
				if report, err := os.ReadFile(said); err != nil || !strings.Contains(string(report), "| mine |") {
					t.Errorf("the summary: %v\n%s", err, report)
				}
			}
		})
	}
	file := filepath.Join(t.TempDir(), "repository")
	refused(t, "--ci: needs -o DIR", "algorithm", "new", "flex", "--lang", "python", "--ci", "github")
	refused(t, "--ci: is for --lang python", "algorithm", "new", "flex", "--lang", "c++", "--ci", "github", "-o", file)
}

// TestTemplateBesideAlgorithm: a folder with an algorithm as algorithm new wrote it gets the files for CI; another algorithm of that
// name is neither replaced nor left beside a half-written repository.
func TestTemplateBesideAlgorithm(t *testing.T) {
	t.Chdir(t.TempDir())
	repository := []string{"algorithm", "new", "flex", "--lang", "python", "--ci", "github", "-o", "."}
	succeed(t, "algorithm", "new", "flex", "--lang", "python", "-o", "mine.py")
	text := read(t, "mine.py")
	write(t, ".", "mine.py", "precious")
	refused(t, "mine.py: exists with other contents, and is not replaced; let -o name a new folder", repository...)
	if _, err := os.Stat("suite.yaml"); err == nil || read(t, "mine.py") != "precious" {
		t.Errorf("something was written: %v", err)
	}
	write(t, ".", "mine.py", text)
	succeed(t, repository...)
	if read(t, "mine.py") != text || read(t, template.GitHub) == "" || !strings.Contains(read(t, "suite.yaml"), "mine.py") {
		t.Error("the repository is incomplete")
	}
}

// TestContainerfile: the image's recipe is valid, and its stages call scripts that are here and run.
func TestContainerfile(t *testing.T) {
	t.Parallel()
	const folder = "../../scripts/container"
	text, err := os.ReadFile(folder + "/Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{"scripts/setup", "scripts/install", "scripts/container/runtime"} {
		if info, err := os.Stat("../../" + script); err != nil || info.Mode()&0o111 == 0 || !strings.Contains(string(text), script) {
			t.Errorf("%s: %v", script, err)
		}
	}
	if !strings.Contains(string(text), "\nUSER 1000") {
		t.Error("it runs as root")
	}
	if out, err := exec.Command("../../scripts/npm-ci", folder).CombinedOutput(); err != nil {
		t.Skipf("THE CONTAINERFILE IS NOT CHECKED: %v\n%s", err, out)
	}
	if out, err := exec.Command(folder+"/node_modules/.bin/dockerfile-utils", "lint", folder+"/Containerfile").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
