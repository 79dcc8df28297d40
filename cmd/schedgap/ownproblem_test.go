package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ownProblem is a new folder with the problem called demo.
func ownProblem(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "demo")
	succeed(t, "problem", "new", "demo", "--lang", "python", "-o", dir)
	return dir
}

// TestOwnProblem: every command works with a problem in a folder, by --problem and by a suite, and rows are stale after an edit.
func TestOwnProblem(t *testing.T) {
	t.Parallel()
	folder, dir := ownProblem(t), t.TempDir()
	suite := write(t, dir, "mine.yaml", "name: mine\nproblem: "+folder+"\ninstances: [{generate: {n: 2, params: {jobs: 3}}}]\n"+
		"algorithms: [opt, shortest, greedy, {name: ext, command: [python3, "+folder+"/greedy.py]}]\n")
	at := func(name string) string { return filepath.Join(dir, name) }
	if listed := succeed(t, "list", "algorithms", "--problem", folder); !strings.Contains(listed, "insertion") {
		t.Error(listed)
	}
	succeed(t, "generate", "--problem", folder, "-p", "jobs=3", "--seed", "7", "-o", at("instances"))
	instance := at("instances/demo-000.json")
	if solved := succeed(t, "solve", "--problem", folder, instance, "-a", "greedy", "-o", at("s.json"), "-q"); !strings.Contains(solved, `"kind"`) &&
		!strings.Contains(solved, `"status":"feasible"`) {
		t.Error(solved)
	}
	if checked := succeed(t, "check", "--problem", folder, instance, at("s.json")); !strings.Contains(checked, `"feasible":true`) {
		t.Error(checked)
	}
	if model := succeed(t, "export", "--problem", folder, instance, "--model", "model", "--format", "mps"); !strings.Contains(model, "ENDATA") {
		t.Error(model)
	}
	succeed(t, "run", suite, "-o", at("results"), "-q")
	if again := succeed(t, "run", suite, "-o", at("results"), "-q"); !strings.Contains(again, `"already_done":8,"stale":0`) {
		t.Error(again)
	}
	stored, err := filepath.Glob(at("results/instances/*.json"))
	if err != nil || len(stored) == 0 {
		t.Fatal(stored, err)
	}
	succeed(t, "solve", stored[0], "-a", "greedy", "-q") // as the report says, from the results' folder
	if listed := succeed(t, "list", "suites", "--problem", folder); !strings.Contains(listed, "demo-small") {
		t.Error(listed)
	}
	if e := schedgap(t, "run", "quick", "--problem", folder, "-o", at("quick"), "--dry-run", "-q"); e.code != 0 || !strings.Contains(e.stdout, `"units":20`) {
		t.Errorf("quick is not that of the folder: %s%s", e.stdout, e.stderr)
	}
	succeed(t, "merge", at("results"), "-o", at("merged"), "-q")
	succeed(t, "report", at("merged"), "-q")
	if e := schedgap(t, "compare", at("results"), at("merged"), "-q"); e.code != 0 {
		t.Errorf("compare: %s", e.stderr)
	}
	for what, args := range map[string][]string{
		"proof files": {"verify", instance, at("s.json")}, "simulators": {"simulate", "-a", "x", "--generate", "a=1", "-o", at("sim")},
		"instances of traces": {"trace", "derive", dir, "-o", at("derived")},
	} {
		if e := schedgap(t, append(args, "--problem", folder)...); e.code != 2 || !strings.Contains(e.stderr, what+" need a problem that is written in Go") {
			t.Errorf("%v: %d %s", args, e.code, e.stderr)
		}
	}
	if e := schedgap(t, "check", instance, at("s.json")); e.code != 2 {
		t.Errorf("without --problem: %s", e.stdout)
	}
	file, err := os.OpenFile(filepath.Join(folder, "common.py"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString("# edited\n")
	file.Close()
	if err != nil {
		t.Fatal(err)
	}
	if stale := succeed(t, "run", suite, "-o", at("results"), "--dry-run", "-q"); !strings.Contains(stale, `"stale":8`) {
		t.Error(stale)
	}
}

// TestMovedProblem: results name the place of their problem's folder. Where it is moved, status works, and report does with --problem.
func TestMovedProblem(t *testing.T) {
	t.Parallel()
	folder, dir := onesWith(t, "", ""), t.TempDir()
	results, moved := filepath.Join(dir, "results"), filepath.Join(dir, "moved [1] ü")
	suite := write(t, dir, "s.yaml", "name: s\nproblem: "+folder+"\ninstances: [{generate: {n: 1}}]\nalgorithms: [opt, one]\n")
	succeed(t, "run", suite, "-o", results, "-q")
	if err := os.Rename(folder, moved); err != nil {
		t.Fatal(err)
	}
	if listed := succeed(t, "status", results); !strings.Contains(listed, "optimal 1") {
		t.Error(listed)
	}
	if e := schedgap(t, "report", results); e.code != 2 || !strings.Contains(e.stderr, "name it by --problem") {
		t.Errorf("%d: %s", e.code, e.stderr)
	}
	succeed(t, "report", results, "--problem", moved, "-q")
}

// TestOwnExamples: the published values of the example folders are the checker's, and the MILP proves the optimum of the smaller one.
func TestOwnExamples(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"gpu-types": `"objective":1.08,`, "dag-unequal": `"objective":80,`} {
		folder := "../../scripts/examples/" + name
		if checked := succeed(t, "check", "--problem", folder, folder+"/examples/instance.json", folder+"/examples/solution.json"); !strings.Contains(checked, want) {
			t.Errorf("%s: %s", name, checked)
		}
	}
	folder := "../../scripts/examples/gpu-types"
	e := schedgap(t, "solve", "--problem", folder, folder+"/examples/instance.json", "-a", "opt", "-q")
	if e.code == 0 && !strings.Contains(e.stdout, `"objective":1.09090909090`) { // 12/11, which the paper calls about 10 %
		t.Error(e.stdout)
	}
}

// TestNotebooks runs the cells of the notebooks on the problems in one interpreter each, with a suite of one small instance.
func TestNotebooks(t *testing.T) {
	t.Parallel()
	module, err := filepath.Abs("../../scripts/python")
	if err != nil {
		t.Fatal(err)
	}
	self := command(t)
	for name, suite := range map[string]string{
		"flex": "jobs: 3", "pocd": "jobs: 2", "cloning": "jobs: 1", "redundancy": "jobs: 3", "speculation": "stragglers: 3", "own-problem": "jobs: 2",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notebook, err := filepath.Abs("../../scripts/notebooks/" + name + ".ipynb")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(notebook); err != nil { // so that the test is run again when it changes
				t.Fatal(err)
			}
			dir, problem := t.TempDir(), name
			if name == "own-problem" {
				problem = "./setups"
			}
			write(t, dir, "tiny.yaml", "name: tiny\nproblem: "+problem+"\ninstances: [{generate: {n: 1, params: {"+suite+"}}}]\nalgorithms: [opt]\n")
			cmd := exec.Command("python3", "-c", `import json, sys
cells = json.load(open(sys.argv[1], encoding="utf-8"))["cells"]
exec(compile("\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "code"), sys.argv[1], "exec"))`, notebook)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "PYTHONPATH="+module, "PYTHONDONTWRITEBYTECODE=1", "SCHEDGAP="+self, "SUITE=tiny.yaml")
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "opt            optimal on 1 of 1\n") {
				t.Errorf("%s: %v: %s", name, err, out)
			}
		})
	}
}

// TestServedTwice: functions of the same text that are served at the same time have commands of their own, and the first command is used
// again afterwards, also where an interpreter was killed.
func TestServedTwice(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("python3", "-c", `import os, schedgap, subprocess
def made(n):
    def f(instance): return {"n": n}
    return f
def says(command): return subprocess.run(command, input=b'{"problem": "p", "name": "i"}', capture_output=True, check=True).stdout
with schedgap.served(made(1)) as (one, _):
    with schedgap.served(made(2)) as (two, _):
        assert b'"n": 1' in says(one) and b'"n": 2' in says(two), (says(one), says(two))
    assert b'"n": 1' in says(one)
if not os.fork():
    left = schedgap.served(made(3)).__enter__()
    os._exit(0)
os.wait()
with schedgap.served(made(4)) as (four, _):
    assert four == one and b'"n": 4' in says(four), (four, one)
`)
	cmd.Env = append(os.Environ(), "PYTHONPATH=../../scripts/python", "PYTHONDONTWRITEBYTECODE=1", "TMPDIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// TestPythonPackage: the module can be installed without a network, and a function is an algorithm.
func TestPythonPackage(t *testing.T) {
	t.Parallel()
	site, self := t.TempDir(), command(t)
	build := exec.Command("python3", "-c", `import sys, zipfile
sys.path.insert(0, sys.argv[1])
import wheel_of_one
zipfile.ZipFile(sys.argv[2] + "/" + wheel_of_one.build_wheel(sys.argv[2])).extractall(sys.argv[2])`, "../../scripts/python", site)
	build.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	folder, results := onesWith(t, "", ""), filepath.Join(t.TempDir(), "results")
	quick := write(t, t.TempDir(), "s.yaml", "name: s\nproblem: speculation\ninstances: [{generate: {n: 1, params: {stragglers: 3}}}]\nalgorithms: [opt]\n")
	cmd := exec.Command("python3", "-c", `import schedgap
def nothing(instance): raise KeyError("no idea")
def other(instance): raise schedgap.NotApplicable("not for me")
said = schedgap.solve("`+shared+`full-minima.json", nothing)
assert said["status"] == "error", said
try: schedgap.solve("`+shared+`full-minima.json", other)
except RuntimeError as error: assert "not for me" in str(error), error
else: assert False
small = "`+quick+`"
try: schedgap.bench(nothing, problem="speculation", suite=small, output="`+t.TempDir()+`")
except RuntimeError as error: assert "nothing can be compared" in str(error) and "KeyError: 'no idea'" in str(error), error
else: assert False
own = {"folder": "`+folder+`"}
[instance] = schedgap.generate(**own)
said = schedgap.solve(instance, "opt", **own)
assert said["status"] == "optimal", said
assert schedgap.check(instance, said["solution"], **own)["feasible"]
suite = "`+write(t, t.TempDir(), "own.yaml", "name: own\nproblem: "+folder+"\ninstances: [{generate: {n: 1}}]\nalgorithms: [opt, one]\n")+`"
assert schedgap.run(suite, output="`+results+`", **own)["rows"] == {"feasible": 1, "optimal": 1}
assert len(schedgap.results("`+results+`")) == 2`)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+site, "SCHEDGAP="+self)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
