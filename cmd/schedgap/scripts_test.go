package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	template "schedgap/scripts"
)

// awkward is a folder's name with what shells trip over: a space, a bracket, a letter that is not ASCII, a line break.
const awkward = "my [data] ä\n*"

// asScript makes a program of a text in a folder.
func asScript(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := write(t, dir, name, text)
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// shell runs a script of the folder scripts, or `bash -e -c TEXT`, in dir and returns its exit code and all of its output.
func shell(t *testing.T, dir string, env []string, command ...string) (code int, output string) {
	t.Helper()
	if script := filepath.Join("..", "..", "scripts", command[0]); command[0] != "bash" {
		path, err := filepath.Abs(script)
		if err != nil {
			t.Fatal(err)
		}
		command[0] = path
	}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// fakeProgram answers the commands that scripts/nightly calls, as a program without regressions would.
const fakeProgram = `#!/bin/bash
command=$1
while [ $# -gt 0 ]; do [ "$1" != -o ] || out=$2; shift; done
case $command in
  run | merge) mkdir -p "$out/runs" "$out/instances"; touch "$out/runs/r" "$out/suite.yaml" "$out/plan.json" "$out/instances/i"
    echo "$out" >> "$SCHEDGAP_CALLS" ;;
  report | trace) mkdir -p "$out" ;;
esac
`

// TestNightlyDeletesOnlyNights: of the folders beside the nights, scripts/nightly deletes the oldest nights beyond thirty and nothing
// else, wherever OUT is. A folder whose name is nearly a night's is no night.
func TestNightlyDeletesOnlyNights(t *testing.T) {
	t.Parallel()
	program := asScript(t, t.TempDir(), "schedgap", fakeProgram)
	for name, out := range map[string]string{
		"plain": "out", "awkward": awkward + "/out", "a dash": "-n/out", "slashes": "my data/out//", "a dash, no folder": "-out",
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			nights := filepath.Join(top, filepath.Dir(strings.TrimRight(out, "/")), "nights")
			var kept []string
			put := func(path string) {
				if err := os.MkdirAll(path, 0o755); err != nil {
					t.Fatal(err)
				}
				write(t, path, "precious", "")
			}
			keep := func(path string) { put(path); kept = append(kept, path) }
			for i := range 35 {
				path := filepath.Join(nights, fmt.Sprintf("20260101T0000%02d.000Z", i+10))
				if i < 6 { // with tonight's, 30 stay
					put(path)
				} else {
					keep(path)
				}
			}
			for _, name := range []string{
				"20250101T000000.000Z.bak", "20250101T000000.000Z-old", "my-20250101T000000.000Z", "20250101T000000Z", "2025010xT000000.000Z",
				"20250101 000000.000Z", "0Z", "Z", "instances", "my 20250101T000000.000Z", "20250101T000000.000Z\nZ",
			} {
				keep(filepath.Join(nights, name))
			}
			for _, name := range []string{"my", "my [data]", "data]", "n", "*"} { // that words of a path would name
				keep(filepath.Join(top, name))
			}
			elsewhere := filepath.Join(top, "elsewhere")
			keep(elsewhere)
			if err := os.Symlink(elsewhere, filepath.Join(nights, "20240101T000000.000Z")); err != nil {
				t.Fatal(err)
			}
			calls := filepath.Join(t.TempDir(), "calls")
			env := []string{"SCHEDGAP=" + program, "SCHEDGAP_SUITES=a b", "SCHEDGAP_CALLS=" + calls, "SCHEDGAP_NIGHTS="}
			code, output := shell(t, top, env, "nightly", out)
			if code != 0 || !strings.Contains(output, "no base: nothing compared") {
				t.Fatalf("exit %d: %s", code, output)
			}
			for _, path := range kept {
				if _, err := os.Stat(filepath.Join(path, "precious")); err != nil {
					t.Error(err)
				}
			}
			entries, err := os.ReadDir(nights)
			if err != nil {
				t.Fatal(err)
			}
			night := regexp.MustCompile(`^\d{8}T\d{6}\.\d{3}Z$`)
			n := 0
			for _, e := range entries {
				if night.MatchString(e.Name()) && e.IsDir() {
					n++
				}
			}
			if n != 30 {
				t.Errorf("%d nights are left", n)
			}
		})
	}
}

// TestNightlyArguments: --help, suites whose path has a space, and a base that is not there, before anything is run.
func TestNightlyArguments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := asScript(t, dir, "schedgap", fakeProgram)
	folder := filepath.Join(dir, "my [suites] ä")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	one, two := write(t, folder, "a b.yaml", ""), write(t, folder, "c.yaml", "")
	for suites, want := range map[string][]string{
		"quick small": {"quick", "small"}, one: {"a b"}, one + "\n" + two: {"a b", "c"}, "quick\n" + two + "\n": {"quick", "c"},
	} {
		out, calls := t.TempDir(), filepath.Join(t.TempDir(), "calls")
		code, output := shell(t, dir, []string{
			"SCHEDGAP=" + program, "SCHEDGAP_SUITES=" + suites, "SCHEDGAP_CALLS=" + calls, "SCHEDGAP_NIGHTS=" + filepath.Join(out, "nights"),
		}, "nightly", filepath.Join(out, "out"))
		var got []string
		for line := range strings.SplitSeq(strings.TrimSpace(read(t, calls)), "\n") {
			if filepath.Base(filepath.Dir(line)) == "suites" {
				got = append(got, filepath.Base(line))
			}
		}
		if code != 0 || !slices.Equal(got, want) {
			t.Errorf("%q: exit %d, ran %q, want %q: %s", suites, code, got, want, output)
		}
	}
	for _, script := range []string{"nightly", "gate", "slurm/submit"} {
		for _, flag := range []string{"--help", "-h"} {
			code, output := shell(t, dir, []string{"SCHEDGAP=none"}, script, flag)
			if code != 0 || !strings.Contains(output, "scripts/"+script+" ") {
				t.Errorf("%s %s: exit %d, %s", script, flag, code, output)
			}
		}
	}
	for _, base := range []string{"none", folder} {
		calls := filepath.Join(t.TempDir(), "calls")
		code, output := shell(t, dir, []string{"SCHEDGAP=" + program, "SCHEDGAP_CALLS=" + calls}, "nightly", "out", base)
		says := "no base: nothing compared: " + base + " holds no results"
		if _, err := os.Stat(calls); code != 2 || err == nil || !strings.Contains(output, says) {
			t.Errorf("exit %d, %v: %s", code, err, output)
		}
	}
}

// TestGateWithoutBase: a base that is missing, or cannot run the suite, is not a regression, and is said.
func TestGateWithoutBase(t *testing.T) {
	dir := filepath.Join(t.TempDir(), awkward)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	fine := asScript(t, dir, "fine program", "#!/bin/sh\nexit 0\n")
	unable := asScript(t, dir, "unable", "#!/bin/sh\nexit 2\n")
	for _, c := range []struct {
		base, head, says string
		code             int
	}{
		{fine, fine, "", 0},
		{filepath.Join(dir, "none"), fine, "gate: no base: nothing compared: ", 2},
		{dir, fine, "gate: no base: nothing compared: ", 2},
		{unable, fine, "gate: no base: nothing compared: ", 2},
		{fine, unable, "unable ends with 2 on s.yaml", 2},
		{fine, filepath.Join(dir, "none"), "is not a program", 2},
	} {
		code, output := shell(t, dir, []string{"SCHEDGAP_GATE=-out"}, "gate", c.base, c.head, "s.yaml")
		if code != c.code || !strings.Contains(output, c.says) {
			t.Errorf("%q, %q: exit %d: %s", c.base, c.head, code, output)
		}
	}
}

// TestSubmit: what submit gives to Slurm names the folder that was asked for, whatever its name, and what it prints is JSON.
func TestSubmit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := asScript(t, dir, "schedgap", "#!/bin/sh\n")
	asScript(t, dir, "sbatch", "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$CALLS\"\necho '4711;cluster'\n")
	for _, name := range []string{"plain", `a "quoted" name`, "%j of 100 %", "%%", "my [data] ä", "it's", "-n", "$HOME `x`", "a;b&c"} {
		calls := filepath.Join(t.TempDir(), "calls")
		env := []string{"SCHEDGAP=" + program, "CALLS=" + calls, "PATH=" + dir + ":" + os.Getenv("PATH")}
		command := exec.CommandContext(t.Context(), "../../scripts/slurm/submit", "quick", "-o", filepath.Join(dir, name), "-n", "2")
		command.Env = append(os.Environ(), env...)
		out, err := command.Output()
		var says struct {
			Array, Merge int
			Directory    string
		}
		want, _ := filepath.EvalSymlinks(filepath.Join(dir, name))
		if bad := json.Unmarshal(out, &says); err != nil || bad != nil || says.Array != 4711 || says.Merge != 4711 || says.Directory != want {
			t.Errorf("%q: %v, %v, %s", name, err, bad, out)
			continue
		}
		args := strings.Split(read(t, calls), "\n")
		logs := strings.ReplaceAll(want, "%", "%%") + "/logs/" // as Slurm reads names
		for _, arg := range []string{"--output=" + logs + "%A-%a.log", "--output=" + logs + "%j-merge.log", want} {
			if !slices.Contains(args, arg) {
				t.Errorf("%q: sbatch does not get %q, but %q", name, arg, args)
			}
		}
		if code, output := shell(t, dir, env, "slurm/submit", "quick", "-o", name, "-n", "2"); code != 0 { // from its folder
			t.Errorf("%q: %s", name, output)
		}
	}
	for _, name := range []string{`back\slash`, "two\nlines", "ends\n", "a\ttab"} {
		env := []string{"SCHEDGAP=" + program, "PATH=" + dir + ":" + os.Getenv("PATH")}
		code, output := shell(t, dir, env, "slurm/submit", "quick", "-o", name, "-n", "2")
		if code != 2 || !strings.HasPrefix(output, "submit: -o: ") || strings.Count(output, "\n") != 1 {
			t.Errorf("%q: exit %d: %s", name, code, output)
		}
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%q is made", name)
		}
	}
}

// TestTemplateBase: where no base can be fetched, since its artifact has expired, the step says so and the run goes on. It takes the
// next older base that it can fetch, and never one of a pull request.
func TestTemplateBase(t *testing.T) {
	if !alone(t) { // no other test starts a process while a program is written, which could not run then
		return
	}
	text := read(t, "../../scripts/template/"+template.GitHub)
	var workflow struct {
		On struct {
			Schedule []struct{ Cron string }
		}
		Jobs struct {
			Gap struct{ Steps []struct{ Run, Uses string } }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &workflow); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "actions/cache@") || len(workflow.On.Schedule) != 1 {
		t.Error("the workflow has no cache, or no schedule")
	}
	var fetch, compare string
	for _, s := range workflow.Jobs.Gap.Steps {
		switch {
		case strings.Contains(s.Run, "gh run download"):
			fetch = s.Run
		case strings.Contains(s.Run, "schedgap compare"):
			compare = s.Run
		}
	}
	const nothing = "no base: nothing compared"
	for name, c := range map[string]struct{ gh, base string }{
		"expired":         {`[ "$2" = list ] && echo 4711 || { echo "no valid artifacts found to download" >&2; exit 1; }`, ""},
		"first run":       {`[ "$2" = list ]`, ""},
		"no workflow yet": {`echo "could not find any workflows named schedgap.yml" >&2; exit 1`, ""},
		"other artifact":  {`[ "$2" = list ] && echo 1 || mkdir -p base`, ""},
		"half of it":      {`[ "$2" = list ] && echo 1 || { mkdir -p base/runs; exit 1; }`, ""},
		"a good one":      {`[ "$2" = list ] && echo 1 2 || { mkdir -p base/runs; echo "$3" > base/run; }`, "1"},
		"the second":      {`[ "$2" = list ] && echo 1 2 || { [ "$3" = 2 ] && mkdir -p base/runs && echo "$3" > base/run; }`, "2"},
		"the night": {`case "$*" in *schedule*) echo 5 ;; *list*) echo 1 ;;
			*" 5 "*) mkdir -p base/runs; echo 5 > base/run ;; *) exit 1 ;; esac`, "5"},
		"of a pull request": {`case "$*" in *"--event push"* | *"--event schedule"*) ;; *list*) echo 6 ;;
			*) mkdir -p base/runs; echo "$3" > base/run ;; esac`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), awkward)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			tools := t.TempDir()
			asScript(t, tools, "gh", "#!/bin/bash\n"+c.gh+"\n")
			asScript(t, tools, "schedgap", "#!/bin/bash\necho compared\n")
			said := filepath.Join(tools, "summary")
			env := []string{"PATH=" + tools + ":" + os.Getenv("PATH"), "BRANCH=main", "GITHUB_STEP_SUMMARY=" + said}
			code, output := shell(t, dir, env, "bash", "-e", "-c", fetch)
			base, err := os.ReadFile(filepath.Join(dir, "base", "run"))
			if code != 0 || strings.TrimSpace(string(base)) != c.base || strings.Contains(output, nothing) != (c.base == "") {
				t.Errorf("exit %d, base %q (%v), %s", code, base, err, output)
			}
			code, output = shell(t, dir, env, "bash", "-e", "-c", compare)
			if want := map[bool]string{true: nothing + "\n", false: "compared\n"}[c.base == ""]; code != 0 || read(t, said) != want {
				t.Errorf("exit %d: %s%s", code, output, read(t, said))
			}
		})
	}
}

// TestTemplateGitLab: every pipeline sees the base, only those of the default branch write it, and a job without one says so.
func TestTemplateGitLab(t *testing.T) {
	type rule struct {
		If        string
		Variables map[string]string
	}
	var file struct {
		Workflow  struct{ Rules []rule }
		Variables map[string]string
		Schedgap  struct {
			Cache struct {
				Policy    string
				Unprotect bool
			}
			Script []string
		}
	}
	if err := yaml.Unmarshal([]byte(read(t, "../../scripts/template/"+template.GitLab)), &file); err != nil {
		t.Fatal(err)
	}
	if !file.Schedgap.Cache.Unprotect {
		t.Error("branches that are not protected have a cache of their own")
	}
	name := strings.TrimPrefix(file.Schedgap.Cache.Policy, "$")
	if file.Variables[name] != "pull" {
		t.Errorf("outside the default branch the policy is %q", file.Variables[name])
	}
	for _, r := range file.Workflow.Rules {
		if policy, is := r.Variables[name]; is != (r.If == "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH") || is && policy != "pull-push" {
			t.Errorf("with %s the policy is %q", r.If, policy)
		}
	}
	dir := t.TempDir()
	tools := t.TempDir()
	asScript(t, tools, "schedgap", "#!/bin/bash\nmkdir -p results/report\n")
	env := []string{"PATH=" + tools + ":" + os.Getenv("PATH"), "CI_COMMIT_BRANCH=", "CI_DEFAULT_BRANCH=main"}
	code, output := shell(t, dir, env, "bash", "-e", "-c", strings.Join(file.Schedgap.Script, "\n"))
	if _, err := os.Stat(filepath.Join(dir, "base")); code != 0 || err == nil || !strings.Contains(output, "no base: nothing compared") {
		t.Errorf("exit %d, %v: %s", code, err, output)
	}
}

// recipes are the commands of the Makefile as a shell gets them, with a word in place of make's own variables.
func recipes(text string) string {
	var b strings.Builder
	variable := regexp.MustCompile(`\$\([A-Za-z_]+\)`)
	for line := range strings.Lines(text) {
		if line, is := strings.CutPrefix(line, "\t"); is {
			line = variable.ReplaceAllString(strings.TrimLeft(line, "@-+"), "word")
			b.WriteString(strings.ReplaceAll(line, "$$", "$"))
		}
	}
	return b.String()
}

// TestShellcheck: shellcheck finds nothing in the scripts, the recipes of the Makefile, the workflows, the templates for CI, and
// the commands of docs/ci.md. An expansion without quotes once deleted a folder.
func TestShellcheck(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("shellcheck"); err != nil {
		t.Skip("SHELL SCRIPTS ARE NOT CHECKED: there is no shellcheck; scripts/setup --lint installs it")
	}
	dir := t.TempDir()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, folder := range []string{"scripts", ".ci"} {
		walkTree(t, filepath.Join(root, folder), func(path string, e fs.DirEntry) {
			if e.Type().IsRegular() && regexp.MustCompile(`^#!.*sh\n`).MatchString(read(t, path)) {
				files = append(files, path)
			}
		})
	}
	add := func(name, text string) {
		files = append(files, asScript(t, dir, strings.ReplaceAll(strings.Trim(name, "."), "/", "-")+".sh", "#!/bin/bash\n"+text))
	}
	add("Makefile", "set -euo pipefail\n"+recipes(read(t, filepath.Join(root, "Makefile"))))
	workflows := []string{".github/workflows/mutation.yml", ".github/workflows/nightly.yml", ".github/workflows/test.yml"}
	for _, name := range append(workflows, "scripts/template/"+template.GitHub, "scripts/template/"+template.GitLab) {
		var workflow struct {
			Jobs map[string]struct {
				Steps []struct{ Run string }
			}
			Schedgap struct{ Script []string }
		}
		if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root, name))), &workflow); err != nil {
			t.Fatal(err)
		}
		text := strings.Join(workflow.Schedgap.Script, "\n")
		for _, job := range slices.Sorted(maps.Keys(workflow.Jobs)) {
			for _, s := range workflow.Jobs[job].Steps {
				text += "(\n" + s.Run + "\n:)\n"
			}
		}
		add(name, text)
	}
	for i, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(read(t, filepath.Join(root, "docs/ci.md")), -1) {
		add(fmt.Sprint("docs-ci-", i), block[1])
	}
	if len(files) < 20 {
		t.Errorf("only %d files: %q", len(files), files)
	}
	// SC2015: A && B || C, where B is a test or a print.
	out, err := exec.Command("shellcheck", append([]string{"-e", "SC2015", "-f", "gcc"}, files...)...).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestBuildProgress: the progress of HiGHS's build moves while its two largest units, half of the work, are compiled.
func TestBuildProgress(t *testing.T) {
	text := read(t, "../../scripts/setup")
	_, text, _ = strings.Cut(text, "\n  compiled() {\n")
	body, _, found := strings.Cut(text, "\n  }\n")
	if !found {
		t.Fatal("scripts/setup has no function compiled")
	}
	build := t.TempDir()
	units, objects := filepath.Join(build, "out/src/units"), filepath.Join(build, "out/src/CMakeFiles/highs.dir/units")
	if err := errors.Join(os.MkdirAll(units, 0o755), os.MkdirAll(objects, 0o755)); err != nil {
		t.Fatal(err)
	}
	progress := func(want string) {
		t.Helper()
		code, output := shell(t, build, []string{"build=" + build}, "bash", "-e", "-c", "compiled() {\n"+body+"\n}\ncompiled")
		if strings.TrimSpace(output) != want || code != 0 {
			t.Errorf("exit %d, %q, want %q", code, output, want)
		}
	}
	log := ""
	reads := func(name string, files int) {
		for i := range files {
			log += fmt.Sprintf("%s.cpp:%d:9: note: '#pragma message: reads mip/%d.cpp'\n", name, 2*i+1, i) +
				fmt.Sprintf("    1 | #pragma message \"reads mip/%d.cpp\"\n", i)
		}
		write(t, build, "log", log)
	}
	for name, files := range map[string]int{"mip": 10, "lp": 5} {
		line := "#pragma message \"reads a.cpp\"\n#include \"/src/a.cpp\"\n"
		write(t, units, name+".cpp", strings.Repeat(line, files))
	}
	write(t, build, "log", "")
	progress("0%")
	reads("mip", 5)
	progress("11%")
	reads("lp", 5)
	progress("22%")
	write(t, objects, "lp.cpp.o", "object")
	progress("44%")
	reads("mip", 5)
	write(t, objects, "mip.cpp.o", "object")
	progress("100%")
}

// TestMutateNightly: within the turns every trusted package is mutated, each is one of the repository, and a survivor fails the night.
func TestMutateNightly(t *testing.T) {
	if !alone(t) { // no other test starts a process while a program is written, which could not run then
		return
	}
	dir := t.TempDir()
	asScript(t, dir, "git", "#!/bin/sh\ntrue\n") // nothing has changed
	fake := asScript(t, dir, "mutate", "#!/bin/sh\necho \"mutates $*\"\ntest \"$1\" != exact/lp\n")
	_, list, _ := strings.Cut(read(t, "../../scripts/mutate-nightly"), "trusted=(\n")
	list, _, _ = strings.Cut(list, ")")
	trusted := strings.Fields(list)
	seen := map[string]bool{}
	for day := range (len(trusted) + 1) / 2 {
		code, out := shell(t, ".", []string{"MUTATE=" + fake, "PATH=" + dir + ":" + os.Getenv("PATH")}, "mutate-nightly", strconv.Itoa(day))
		turns := regexp.MustCompile(`mutates (\S+)\n`).FindAllStringSubmatch(out, -1)
		if failed := strings.Contains(out, "mutates exact/lp\n"); len(turns) != 2 || (code == 1) != failed || (code == 0) == failed {
			t.Errorf("day %d: exit %d: %s", day, code, out)
		}
		for _, turn := range turns {
			seen[turn[1]] = true
			if files, _ := filepath.Glob("../../" + turn[1] + "/*.go"); len(files) == 0 {
				t.Errorf("%s has no Go", turn[1])
			}
		}
	}
	if len(seen) != len(trusted) || !seen["exact/lp"] || !seen["reports/stats"] || !seen["datasets/formats/swf"] {
		t.Errorf("%d packages have their turn: %v", len(seen), seen)
	}
}
