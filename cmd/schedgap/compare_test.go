package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/run/store"
)

// small is a suite of a few seconds.
func small(generate, algorithms string) string {
	return "name: small\nproblem: flex\ninstances:\n  - generate: " + generate + "\nalgorithms: [" + algorithms +
		"]\nlimits: {time: 10s}\n"
}

// results runs a small suite, lets change have its way with a copy of the rows, and returns both folders.
func results(t *testing.T, change func(r *bench.Record)) (base, head string) {
	t.Helper()
	dir := t.TempDir()
	suite := write(t, dir, "suite.yaml", small("{n: 6, seed: 1, params: {jobs: 4}}", "opt, fair, spt"))
	base, head = filepath.Join(dir, "base"), filepath.Join(dir, "head")
	succeed(t, "run", suite, "-o", base, "--quiet")
	copyRuns(t, base, head, change)
	copyWhole(t, base, head)
	return base, head
}

// copyWhole copies what beside the rows makes a folder of results a base.
func copyWhole(t *testing.T, from, to string) {
	t.Helper()
	write(t, to, store.PlanFile, read(t, filepath.Join(from, store.PlanFile)))
	if err := os.CopyFS(filepath.Join(to, "instances"), os.DirFS(filepath.Join(from, "instances"))); err != nil {
		t.Fatal(err)
	}
}

// TestComparePartialBase: a base without its plan, or without an instance, is refused unless it is asked for.
func TestComparePartialBase(t *testing.T) {
	t.Parallel()
	base, head := results(t, func(*bench.Record) {})
	for _, args := range [][]string{{base, head}, {head, base}} {
		succeed(t, append([]string{"compare"}, args...)...)
	}
	instances, err := filepath.Glob(filepath.Join(base, "instances", "*"))
	if err != nil || len(instances) != 6 {
		t.Fatal(instances, err)
	}
	for _, c := range []struct{ file, says string }{
		{instances[3], "lacks the files of 1 of its 6 instances"},
		{filepath.Join(base, "instances"), "lacks the files of 6 of its 6 instances"},
		{filepath.Join(base, store.PlanFile), "has no plan.json"},
	} {
		if err := os.RemoveAll(c.file); err != nil {
			t.Fatal(err)
		}
		refused(t, base+": "+c.says+"; copy the whole results folder, or compare what is there with --partial-base", "compare", base, head)
		succeed(t, "compare", base, head, "--partial-base")
		succeed(t, "compare", head, base) // as head it is what it is
	}
	succeed(t, "compare", filepath.Join(base, "runs", "0000-000000.parquet"), head)
}

// TestCompareChanged: units whose limit, seed, instances, command or suite changed are named and not compared, the others are; results of
// another suite or problem are refused.
func TestCompareChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	suite := func(name, problem, instances, algorithms, limit string) string {
		return fmt.Sprintf("name: %s\nproblem: %s\ninstances: [{generate: {%s, params: {jobs: 3}}}]\nalgorithms: [%s]\nlimits: {time: %s}\n",
			name, problem, instances, algorithms, limit)
	}
	ran := func(folder, text string) {
		succeed(t, "run", write(t, dir, folder+".yaml", text), "-o", in(folder), "--quiet")
	}
	const seed = "n: 2, seed: 1"
	ran("base", suite("mine", "flex", seed, "fair, spt", "10s"))
	const compared = "No regression on 2 matched units"
	const nothing = "No regression: no unit is compared"
	for name, c := range map[string]struct {
		suite        string
		code         int
		begins, says string
	}{
		"same":  {suite("mine", "flex", seed, "fair, spt", "10s"), 0, "No regression on 4 matched units", ""},
		"limit": {suite("mine", "flex", seed, "fair, spt", "20s"), 0, nothing, "4 units have a new limit"},
		"seed":  {suite("mine", "flex", "n: 2, seed: 7", "fair, spt", "10s"), 0, nothing, "4 units have a new instance"},
		"two": {
			suite("mine", "flex", "n: 1, seed: 7", "fair, spt", "20s"), 0, nothing,
			"2 units have a new instance and limit",
		},
		"algorithm": {suite("mine", "flex", seed, "spt, flex", "10s"), 0, compared, "2 units have a new algorithm"},
		"more":      {suite("mine", "flex", seed, "spt, fair, flex", "10s"), 0, "No regression on 4", ""},
		"all else": {
			suite("mine", "flex", "n: 2, seed: 7", "flex", "20s"), 0, nothing,
			"2 units have a new instance, algorithm and limit",
		},
		"other suite, same instances": {suite("other", "flex", seed, "fair", "20s"), 0, nothing, "2 units have a new limit"},
		"other suite":                 {suite("other", "flex", "n: 2, seed: 7", "fair, spt", "10s"), 2, "", ""},
		"other problem":               {suite("mine", "redundancy", seed, "srpt", "10s"), 2, "", ""},
	} {
		folder := strings.ReplaceAll(name, " ", "-")
		ran(folder, c.suite)
		e := schedgap(t, "compare", in("base"), in(folder))
		says := strings.Join(strings.Fields(e.stdout), " ")
		named := c.says == "" || strings.Contains(says, c.says+": not compared; this run is their base if it is kept as one")
		if e.code != c.code || !strings.HasPrefix(says, c.begins) || !named {
			t.Errorf("%s: exit %d, %s%s", name, e.code, e.stdout, e.stderr)
		}
		if c.code == 2 {
			if !strings.Contains(e.stderr, "no unit in common") {
				t.Errorf("%s: %s", name, e.stderr)
			}
			continue
		}
		want := map[bool]int{true: 1}[c.says != ""]
		if e := schedgap(t, "compare", in("base"), in(folder), "--fail-on", "correctness,missing,changed"); e.code != want {
			t.Errorf("%s: with --fail-on changed exit %d, %s", name, e.code, e.stdout)
		}
		var r struct{ Changed []struct{ What string } }
		if err := json.Unmarshal([]byte(schedgap(t, "compare", in("base"), in(folder), "--format", "json").stdout), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Changed) > 0 != (c.says != "") || c.says != "" && !strings.HasSuffix(c.says, "a new "+r.Changed[0].What) {
			t.Errorf("%s: %+v", name, r.Changed)
		}
	}
	// What else is wrong is still a regression, and a unit that is missing is not taken for a changed one.
	copyRuns(t, in("limit"), in("worse"), func(r *bench.Record) {
		if r.Algorithm == "fair" {
			r.Status, r.Objective, r.Feasible = string(bench.Crash), nil, nil
		}
	})
	copyWhole(t, in("limit"), in("worse"))
	if e := schedgap(t, "compare", in("limit"), in("worse")); e.code != 1 {
		t.Errorf("exit %d, %s", e.code, e.stdout)
	}
	ran("missing", suite("mine", "flex", "n: 3, seed: 1", "fair, spt", "10s"))
	rows, err := store.All(store.Open(in("missing")).Records(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(in("missing/runs")); err != nil {
		t.Fatal(err)
	}
	w, err := store.Open(in("missing")).NewRuns("0000")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.Algorithm == "fair" || !strings.HasSuffix(r.Instance, "0") {
			if err := w.Append(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	e := schedgap(t, "compare", in("base"), in("missing"))
	if e.code != 1 || !strings.Contains(e.stdout, "missing: flex spt: head lacks 1 unit") || strings.Contains(e.stdout, "a new ") {
		t.Errorf("exit %d, %s%s", e.code, e.stdout, e.stderr)
	}
}

// TestCompare: a set against itself passes, against one with a planted regression fails, in every format, from folders and
// from files; stdout holds the result and stderr nothing.
func TestCompare(t *testing.T) {
	t.Parallel()
	worse := func(r *bench.Record) {
		if r.Algorithm == "fair" {
			*r.Objective *= 1.5
		}
	}
	base, head := results(t, worse)
	file := func(dir string) string { return filepath.Join(dir, "runs", "0000-000000.parquet") }
	for _, c := range []struct {
		name string
		code int
		args []string
	}{
		{"itself", 0, []string{base, base}},
		{"itself, as files", 0, []string{file(base), file(base), "--format", "json"}},
		{"a regression", 1, []string{base, head}},
		{"a regression as JSON", 1, []string{base, head, "--format", "json"}},
		{"a regression as Markdown", 1, []string{base, head, "--format", "markdown"}},
		{"a folder and a file", 1, []string{base, file(head)}},
		{"an improvement", 0, []string{head, base}},
		{"a gate for something else", 0, []string{base, head, "--fail-on", "correctness,time=50%"}},
		{"no gate", 0, []string{base, head, "--fail-on", "none"}},
		{"no such gate", 2, []string{base, head, "--fail-on", "speed=1%"}},
		{"no such folder", 2, []string{base, filepath.Join(base, "none")}},
		{"no results", 2, []string{base, t.TempDir()}},
		{"one folder", 2, []string{base}},
		{"no such format", 2, []string{base, head, "--format", "xml"}},
		{"a format of old", 2, []string{base, head, "--format", "junit"}},
		{"nights and two more", 2, []string{base, head, "--nights", base}},
		{"nights without any", 2, []string{"--nights", base}},
		{"plots of two", 2, []string{base, head, "-o", t.TempDir()}},
		{"nothing", 2, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := schedgap(t, append([]string{"compare"}, c.args...)...)
			if e.code != c.code || (c.code == 2) != (e.stdout == "") || (c.code == 2) != (e.stderr != "") {
				t.Fatalf("exit %d, want %d; stdout %q, stderr %q", e.code, c.code, e.stdout, e.stderr)
			}
			if strings.Contains(strings.Join(c.args, " "), "json") {
				var r struct {
					Regressions []struct{ Gate, Algorithm string }
				}
				if err := json.Unmarshal([]byte(e.stdout), &r); err != nil {
					t.Fatal(err)
				}
				if c.code == 1 && (len(r.Regressions) != 2 || r.Regressions[0].Gate != "ratio" || r.Regressions[1].Gate != "gap" ||
					r.Regressions[0].Algorithm != "fair") {
					t.Errorf("regressions %+v", r.Regressions)
				}
			}
		})
	}
}

// TestCompareSimulations: rows of simulations are not compared, and that is said; a set of nothing else has no results.
func TestCompareSimulations(t *testing.T) {
	t.Parallel()
	base, _ := results(t, func(*bench.Record) {})
	only := t.TempDir()
	for _, dir := range []string{base, only} {
		succeed(t, "simulate", "redundancy", "-a", "fair", "--generate", "horizon=20", "-o", dir)
	}
	rows, _, err := store.Open(only).Sim(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := schedgap(t, "compare", base, base)
	if says := fmt.Sprintf("%d simulation rows are not compared", len(rows)); e.code != 0 || !strings.Contains(e.stderr, says) {
		t.Errorf("exit %d, stderr %q, want %q", e.code, e.stderr, says)
	}
	e = schedgap(t, "compare", base, only)
	if e.code != 2 || e.stdout != "" || e.stderr != "schedgap: "+only+": holds only simulations, which are not compared\n" {
		t.Errorf("exit %d, stderr %q", e.code, e.stderr)
	}
}

// TestNightly: scripts/nightly, which the nightly workflow calls, runs, reports and compares; it ends with 1 after a planted
// regression, and all that is to be published is there even then.
func TestNightly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := command(t)
	other := write(t, dir, "other.yaml", strings.Replace(small("{n: 2, seed: 9, params: {jobs: 3}}", "spt"), "small", "other", 1))
	reseeded := write(t, dir, "reseeded.yaml", small("{n: 2, seed: 9, params: {jobs: 3}}", "spt"))
	plain, better := results(t, func(r *bench.Record) {
		if r.Algorithm == "fair" {
			*r.Objective *= 0.5
		}
	})
	same := filepath.Join(filepath.Dir(plain), "suite.yaml")
	traced := write(t, dir, "mine-trace.yaml", `{name: mine-trace, problem: flex, algorithms: [fair], instances: [
		{trace: {format: google2011, dir: $SCHEDGAP_TRACES/google2011, n: 2}}, {trace: {format: alibaba, dir: $SCHEDGAP_TRACES/alibaba, n: 2}}]}`)
	// In place of the real one, which takes its time: it fails where the notebook would.
	jupyter := write(t, dir, "jupyter", "#!/bin/sh\ntest -f \"$SCHEDGAP_RESULTS/report/ratios.parquet\" && ls "+
		"\"$SCHEDGAP_RESULTS\"/runs/*.parquet && grep -q cell_type \"$7\"\n")
	if err := os.Chmod(jupyter, 0o755); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		name, suites, base, says string
		code                     int
	}{
		{"first", same, "", "no base: nothing compared", 0},
		{"second", same, plain, "No regression", 0},
		{"worse", same, better, "Regression", 1},
		{"nothing in common", other, plain, "no unit in common", 2},
		{"other seed", reseeded, plain, "have a new instance: not compared", 0},
		{"a stand-in for one trace of two", traced, "", "alibaba does not exist", 0},
	} {
		out := filepath.Join(dir, c.name)
		args := []string{out}
		if c.base != "" {
			args = append(args, c.base)
		}
		cmd := exec.CommandContext(t.Context(), filepath.Join("..", "..", "scripts", "nightly"), args...)
		cmd.Env = append(os.Environ(), "SCHEDGAP="+program, "SCHEDGAP_SUITES="+c.suites, "SCHEDGAP_FAIL_ON=ratio=1%,correctness",
			"SCHEDGAP_NIGHTS="+filepath.Join(dir, "nights", filepath.Base(c.suites)), "SCHEDGAP_TRACES=", "PATH="+dir+":"+os.Getenv("PATH"))
		output, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%s: exit %d, want %d: %s", c.name, code, c.code, output)
		}
		if !strings.Contains(strings.Join(strings.Fields(string(output)), " "), c.says) {
			t.Errorf("%s: %s", c.name, output)
		}
		for _, file := range []string{"report/index.html", "report/nights.txt"} {
			if _, err := os.Stat(filepath.Join(out, file)); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		nights := strings.Join(strings.Fields(read(t, filepath.Join(out, "report", "nights.txt"))), " ")
		if strings.Contains(nights, fmt.Sprintf("%d nights", i+1)) != (i > 0 && i < 3) {
			t.Errorf("%s: %s", c.name, nights)
		}
	}
}

// TestGateScript: scripts/gate passes a program against itself and fails one that gives worse values, in the asked-for format.
func TestGateScript(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs python3")
	}
	dir := t.TempDir()
	program := func(name, line string) string {
		path := write(t, dir, name, "#!/bin/bash\n"+line+"\nexec '"+command(t)+"' \"$@\"\n")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	example, err := filepath.Abs(filepath.Join("..", "..", "scripts", "examples", "flex_spt.py"))
	if err != nil {
		t.Fatal(err)
	}
	suite := write(t, dir, "suite.yaml", small("{n: 3, seed: 1, params: {jobs: 4}}",
		"{name: mine, command: [sh, -c, 'test -z \"$SCHEDGAP_BROKEN\" && exec python3 "+example+"']}, fair"))
	base, broken := program("base", ""), program("broken", "export SCHEDGAP_BROKEN=1")
	for _, c := range []struct {
		head, format, says string
		code               int
	}{
		{base, "text", "No regression", 0},
		{broken, "markdown", "correctness: flex mine: 3 failed", 1},
		{filepath.Join(dir, "none"), "text", "is not a program", 2},
	} {
		cmd := exec.CommandContext(t.Context(), filepath.Join("..", "..", "scripts", "gate"), base, c.head, suite)
		cmd.Env = append(os.Environ(), "SCHEDGAP_FAIL_ON=correctness", "SCHEDGAP_FORMAT="+c.format)
		output, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(output), c.says) {
			t.Errorf("%s: exit %d, want %d: %s", c.head, code, c.code, output)
		}
	}
}

// copyRuns copies the rows of a results folder with what change has made of them.
func copyRuns(t *testing.T, from, to string, change func(r *bench.Record)) {
	t.Helper()
	rows, bad, err := store.Open(from).Records(t.Context())
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	w, err := store.Open(to).NewRuns("0000")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		change(&r)
		if err := w.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestNights: the step of an edited command is named with its night, its label and the commit of the user's repository, and is the
// command's.
func TestNights(t *testing.T) {
	if !alone(t) {
		return
	}
	for _, program := range []string{"git", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs " + program)
		}
	}
	spt := read(t, filepath.Join("..", "..", "scripts", "examples", "flex_spt.py"))
	t.Chdir(t.TempDir())
	git := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("git", append([]string{"-C", "repo", "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %q: %v, %s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	if err := os.Mkdir("repo", 0o755); err != nil {
		t.Fatal(err)
	}
	git("init", "-q")
	suite := write(t, "repo", "suite.yaml", small("{n: 3, seed: 1, params: {jobs: 4}}", "opt, {name: mine, command: [python3, mine.py]}"))
	var commits []string
	for i, night := range []string{"a", "b", "c"} {
		text := spt
		if i == 1 {
			text = "import sys\nsys.exit(3)\n"
		}
		write(t, "repo", "mine.py", text)
		git("add", "-A")
		git("commit", "-q", "--allow-empty", "-m", night)
		commits = append(commits, git("rev-parse", "HEAD"))
		succeed(t, "run", suite, "-o", filepath.Join("nights", night), "--label", "try "+night, "--quiet")
	}
	rows, err := store.All(store.Open("nights/b").Records(t.Context()))
	if err != nil || *rows[0].Label != "try b" || *rows[0].Commit != commits[1] {
		t.Fatalf("%+v, %v", rows, err)
	}
	// Not times: a millisecond of opt may be two on a loaded machine, and three instances are too few to tell.
	e := schedgap(t, "compare", "--nights", "nights", "-o", "plots", "--fail-on", "ratio=1%,gap=10%,correctness,missing")
	says := strings.Join(strings.Fields(e.stdout), " ")
	for _, want := range []string{
		"nights/c (try c, " + commits[2][:12] + "): flex mine: ", "nights/b (try b, " + commits[1][:12] + "): flex mine: ",
		"no result any more of 3 units; worse (the command's files changed: ", "a result of 3 units that had none",
	} {
		if !strings.Contains(says, want) {
			t.Errorf("no %q in: %s", want, e.stdout)
		}
	}
	if e.code != 0 || strings.Contains(says, "doing") || !strings.Contains(read(t, "plots/small.svg"), ">mine<") {
		t.Errorf("code %d, %s%s", e.code, e.stdout, e.stderr)
	}
	if e := schedgap(t, "run", suite, "-o", "given", "--commit", "0123abcd", "--quiet"); e.code != 0 {
		t.Fatal(e.stderr)
	}
	if rows, err := store.All(store.Open("given").Records(t.Context())); err != nil || *rows[0].Commit != "0123abcd" || rows[0].Label != nil {
		t.Errorf("%+v, %v", rows, err)
	}
}

// TestShardEnds: a shard that has nothing left to run ends well, whatever its rows say.
func TestShardEnds(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Chdir(t.TempDir())
	suite := write(t, ".", "suite.yaml", small("{n: 2, params: {jobs: 3}}", "{name: fails, command: [sh, -c, exit 3]}"))
	for _, c := range []struct {
		code int
		args []string
	}{{1, nil}, {0, []string{"--shard", "0/1"}}} {
		for range 2 {
			if e := schedgap(t, append([]string{"run", suite, "-o", fmt.Sprint("r", c.code), "--quiet"}, c.args...)...); e.code != c.code {
				t.Errorf("%q: code %d, %s", c.args, e.code, e.stderr)
			}
		}
	}
}
