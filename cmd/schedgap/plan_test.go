package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench/run/store"
)

// units counts the rows of each algorithm that readers of a results folder see.
func units(t *testing.T, dir string) string {
	t.Helper()
	rows, err := store.All(store.Open(dir).Records(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, r := range rows {
		counts[r.Algorithm]++
	}
	return strings.TrimPrefix(fmt.Sprint(counts), "map")
}

// TestPlan: a results folder is about all suites that were run into it, each as it was last asked for in full, whatever filters were
// on; other rows are left out and counted.
func TestPlan(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Chdir(t.TempDir())
	suite := func(name, generate, algorithms string) func() string {
		return func() string {
			return write(t, ".", name+".yaml", strings.Replace(small(generate, algorithms), "small", name, 1))
		}
	}
	one := "{n: 3, seed: 1, params: {jobs: 4}}"
	write(t, ".", "mine.sh", "exit 3\n")
	for _, c := range []struct {
		what string
		file func() string
		args []string
		want string
		out  int // units
	}{
		{"a suite", suite("a", one, "fair, spt, fifo"), []string{"@"}, "[fair:3 fifo:3 spt:3]", 0},
		{"of which a part runs again", nil, []string{"a.yaml", "-a", "fair", "-i", "*-000"}, "[fair:3 fifo:3 spt:3]", 0},
		{"or a shard", nil, []string{"a.yaml", "--shard", "0/9"}, "[fair:3 fifo:3 spt:3]", 0},
		{"an algorithm less", suite("a", one, "fair, spt"), []string{"@"}, "[fair:3 spt:3]", 3},
		{"another parameter", suite("a", strings.Replace(one, "4", "5", 1), "fair, spt"), []string{"@"}, "[fair:3 spt:3]", 9},
		{"as it was before", suite("a", one, "fair, spt, fifo"), []string{"@", "-a", "fair"}, "[fair:3 fifo:3 spt:3]", 6},
		{"another suite", suite("b", "{n: 2, seed: 7, params: {jobs: 3}}", "spt"), []string{"@"}, "[fair:3 fifo:3 spt:5]", 6},
		{"a mistyped command", nil, []string{"b.yaml", "--with", "mine=sh"}, "[fair:3 fifo:3 mine:2 spt:5]", 6},
		{"and as it was meant", nil, []string{"b.yaml", "--with", "mine=sh mine.sh"}, "[fair:3 fifo:3 mine:2 spt:5]", 8},
		{"another command", nil, []string{"b.yaml", "--with", "other=sh mine.sh"}, "[fair:3 fifo:3 mine:2 other:2 spt:5]", 8},
		{"without commands", nil, []string{"b.yaml"}, "[fair:3 fifo:3 mine:2 other:2 spt:5]", 8},
	} {
		if c.file != nil {
			c.args[0] = c.file()
		}
		e := schedgap(t, append([]string{"run", "-o", "r", "--quiet"}, c.args...)...)
		if e.code != 0 {
			t.Fatalf("%s: code %d, %s", c.what, e.code, e.stderr)
		}
		if got := units(t, "r"); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
		line := store.LeftOut(c.out, "r")
		if e := schedgap(t, "status", "r"); strings.Contains(e.stdout, "left out") != (c.out > 0) || !strings.HasSuffix(e.stdout, line+"\n") &&
			c.out > 0 {
			t.Errorf("%s: %s, want %q", c.what, e.stdout, line)
		}
	}
	var states []struct{ Done, Left, Left_out int }
	if err := json.Unmarshal([]byte(succeed(t, "status", "r", "--all", "--json")), &states); err != nil {
		t.Fatal(err)
	}
	sum := [3]int{}
	for _, s := range states {
		sum[0], sum[1], sum[2] = sum[0]+s.Done, sum[1]+s.Left, sum[2]+s.Left_out
	}
	if sum != [3]int{21, 0, 8} {
		t.Errorf("done, left, left out of all rows: %v", sum) // the two of the mistyped command are stale
	}
	for _, args := range [][]string{{"report", "r"}, {"compare", "r", "r"}} {
		if e := schedgap(t, args...); e.code > 1 || !strings.Contains(e.stdout+e.stderr, "8 rows of an earlier plan are left out") {
			t.Errorf("%q: code %d, %s%s", args, e.code, e.stdout, e.stderr)
		}
	}
	if data := read(t, "r/report/summary.md"); !strings.Contains(data, "15 units on 5 instances") || !strings.Contains(data, "8 rows of an earlier plan") {
		t.Errorf("the report: %s", data)
	}

	// The plans of folders are united, in the folder too in which they are merged; rows that they leave out stay so.
	succeed(t, "run", suite("c", one, "spt, edd")(), "-o", "s", "--quiet")
	succeed(t, "run", suite("c", one, "spt")(), "-o", "s", "--quiet")
	if e := schedgap(t, "merge", "r", "s", "-o", "m", "--quiet"); e.code != 0 {
		t.Fatal(e.stderr)
	}
	if got, want := units(t, "m"), "[fair:3 fifo:3 mine:2 other:2 spt:5]"; got != want {
		t.Errorf("merged: %s, want %s", got, want)
	}

	// Forgotten rows are gone, and a command that is forgotten is not asked for.
	for _, c := range []struct{ glob, want string }{
		{"mine,f*", "[other:2 spt:5]"}, {"*-000", "[other:1 spt:3]"},
	} {
		succeed(t, "run", "-o", "r", "--forget", c.glob)
		if got := units(t, "r"); got != c.want {
			t.Errorf("without %s: %s, want %s", c.glob, got, c.want)
		}
	}
	e := schedgap(t, "status", "r")
	for _, line := range []string{"fair       0     0       3", "other      1     1       1"} {
		if !strings.Contains(e.stdout, line) || strings.Contains(e.stdout, "mine") {
			t.Errorf("what is left after forgetting:\n%s", e.stdout)
		}
	}
	if e := schedgap(t, "run", "-o", "r", "--forget", "nothing"); e.code != 2 || e.stdout != "" {
		t.Errorf("nothing is forgotten: code %d, %s", e.code, e.stdout)
	}

	// Without a plan, or with one from before they were unions, all rows are shown; the next run keeps other suites.
	for _, plan := range []string{"", `{"spt": []}`} {
		if err := os.Remove("m/plan.json"); err != nil {
			t.Fatal(err)
		}
		if plan != "" {
			write(t, "m", "plan.json", plan)
		}
		if got := units(t, "m"); got != "[edd:3 fair:6 fifo:3 mine:4 other:2 spt:8]" {
			t.Errorf("plan %q: %s", plan, got)
		}
		succeed(t, "run", "c.yaml", "-o", "m", "--quiet")
		if got, want := units(t, "m"), "[fair:6 fifo:3 mine:4 other:2 spt:8]"; got != want {
			t.Errorf("plan %q and a run of c: %s, want %s", plan, got, want)
		}
	}
}

// TestMissing: units that the suites of both sides ask for must not be missing; those of which head's suite knows nothing may.
func TestMissing(t *testing.T) {
	if !alone(t) {
		return
	}
	t.Chdir(t.TempDir())
	suite := func(algorithms string) string {
		return write(t, ".", "s.yaml", small("{n: 3, params: {jobs: 4}}", algorithms))
	}
	succeed(t, "run", suite("fair, spt, fifo"), "-o", "base", "--quiet")
	succeed(t, "run", "s.yaml", "-a", "spt", "-o", "part", "--quiet")
	succeed(t, "run", suite("spt"), "-o", "smaller", "--quiet")
	for head, code := range map[string]int{"base": 0, "part": 1, "smaller": 0} {
		e := schedgap(t, "compare", "base", head)
		if e.code != code || strings.Contains(e.stdout, "missing: flex fair: head lacks 3 units of base") != (code == 1) {
			t.Errorf("%s: code %d, %s", head, e.code, e.stdout)
		}
	}
	if e := schedgap(t, "compare", "part", "base"); e.code != 0 {
		t.Errorf("base lacks units: code %d, %s", e.code, e.stdout)
	}
}

// TestPlanPartial: where a trace is not there, what was asked for of it before stays.
func TestPlanPartial(t *testing.T) {
	dir := store.Open(t.TempDir())
	asked := func(partial bool, ids ...string) store.Requested {
		a := store.Requested{Problem: "flex", Suite: "s", YAML: "name: s\n", Partial: partial}
		for _, id := range ids {
			a.Add("spt", id)
		}
		return a
	}
	for _, c := range []struct {
		asked store.Requested
		want  string
	}{{asked(false, "1", "2"), "map[spt:[1 2]]"}, {asked(true, "1"), "map[spt:[1 2]]"}, {asked(false, "2"), "map[spt:[2]]"}} {
		if err := dir.PutPlan(t.Context(), []store.Requested{c.asked}); err != nil {
			t.Fatal(err)
		}
		plan, err := dir.Plan()
		if got := fmt.Sprint(plan.ByAlgorithm()); err != nil || got != c.want {
			t.Errorf("%s, want %s: %v", got, c.want, err)
		}
	}
	if data, err := os.ReadFile(filepath.Join(dir.Path(), store.SuiteFile)); err != nil || string(data) != "name: s\n" {
		t.Errorf("suites %q, %v", data, err)
	}
	if (*store.Plan)(nil).Has("x") != true {
		t.Error("without a plan a unit is left out")
	}
}
