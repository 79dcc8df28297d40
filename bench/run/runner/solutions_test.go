package runner_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"schedgap/bench/run/merge"
	"schedgap/bench/run/runner"
	"schedgap/bench/run/store"
	"schedgap/models/fail"
)

// Accepted solutions of heuristics and exact methods are kept, no others; a merge takes them
// along.
func TestSolutions(t *testing.T) {
	dir, merged := t.TempDir(), t.TempDir()
	mustRun(t, mustResolve(t, `
name: s
problem: toy
instances: [{generate: {n: 2, seed: 1}}]
algorithms: [good, random, gap, {name: nth, params: {index: 900}}]
`), options(dir))
	if _, err := merge.Run(t.Context(), []string{dir}, merged); err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, r := range records(t, dir) {
		data, err := store.Open(merged).Solution(r.RunID, r.UnitID)
		fail.On(t, err)
		want := (r.Kind == "heuristic" || r.Kind == "exact") && r.Feasible != nil && *r.Feasible
		if got := data != nil; got != want {
			t.Errorf("%s (%s, %s): kept %t", r.Algorithm, r.Kind, r.Status, got)
		}
		if want {
			kept++
			if !strings.Contains(string(data), `"algorithm":"`+r.Algorithm+`"`) {
				t.Errorf("%s: %s", r.Algorithm, data)
			}
		}
	}
	if kept == 0 {
		t.Error("nothing is kept")
	}
}

// A row never speaks of a solution that is not there: whenever rows are on the disk, so are the solutions of their units. Rows are
// written as fast as they come here, solutions an hour later unless rows wait for them.
func TestSolutionsBeforeRows(t *testing.T) {
	o := options(t.TempDir())
	o.Workers, o.Flush = 1, time.Nanosecond
	seen := 0
	o.Progress = func(runner.Progress) {
		for _, r := range records(t, o.Dir) {
			seen++
			if data, err := store.Open(o.Dir).Solution(r.RunID, r.UnitID); err != nil || data == nil {
				t.Errorf("the row of %s is on the disk, its solution is not: %v", r.UnitID, err)
			}
		}
	}
	mustRun(t, mustResolve(t, `
name: s
problem: toy
instances: [{generate: {n: 4, seed: 1}}]
algorithms: [first, {name: nap, params: {ms: 30}}]
`), o)
	if seen == 0 {
		t.Error("no row was on the disk before the last unit had ended")
	}
}

// Beside the instances there are few files, however many units: shared file systems are slow at small ones.
func TestFewFiles(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	o.Flush = 0 // as it is for users
	mustRun(t, mustResolve(t, `{name: s, problem: toy, instances: [{generate: {n: 150, seed: 1}}], algorithms: [first, good]}`), o)
	beside, solutions := 0, 0
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && filepath.Base(filepath.Dir(path)) != "instances" {
			beside++
		}
		return err
	})
	if err != nil || beside > 12 {
		t.Errorf("%d files beside the instances, %v", beside, err)
	}
	for _, r := range records(t, dir) {
		if data, err := store.Open(dir).Solution(r.RunID, r.UnitID); err != nil {
			t.Fatal(err)
		} else if data != nil {
			solutions++
		}
	}
	if solutions != 300 {
		t.Errorf("%d solutions of 300 units", solutions)
	}
}
