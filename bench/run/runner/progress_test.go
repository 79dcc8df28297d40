package runner_test

import (
	"fmt"
	"testing"

	"schedgap/bench"
	"schedgap/bench/run/merge"
	"schedgap/bench/run/store"
)

// progress reads a folder's rows of progress by algorithm and run, as far as they belong to a unit's row.
func progress(t *testing.T, dir string) (found map[string][]string, stale int) {
	t.Helper()
	rows, runs := map[string]bench.Record{}, map[string]bool{}
	for _, r := range records(t, dir) {
		rows[r.UnitID], runs[r.RunID] = r, true
	}
	found = map[string][]string{}
	bad, err := store.Open(dir).EachProgress(t.Context(), func(events []bench.ProgressRecord) {
		for _, e := range events {
			r := rows[e.UnitID]
			if r.RunID != e.RunID {
				stale++
				continue
			}
			if e.WallSeconds < 0 || e.WallSeconds > *r.WallSeconds || e.CPUSeconds == nil && r.Kind != "external" {
				t.Errorf("%s: %+v of %+v", r.Algorithm, e, r)
			}
			name := fmt.Sprint(r.Algorithm, " on ", r.Instance)
			if e.Objective != nil {
				found[name] = append(found[name], fmt.Sprint(e.Seq, " ", e.Kind, " ", *e.Objective == *r.Objective))
			} else {
				found[name] = append(found[name], fmt.Sprint(e.Seq, " ", e.Kind, " ", *e.Bound))
			}
		}
	})
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	return found, stale
}

// What algorithms told of is stored: of one that is stopped and of one that has to be killed. A unit that is run again
// has new progress in the place of the old, and a merge takes along what belongs to its rows.
func TestProgress(t *testing.T) {
	dir, merged := t.TempDir(), t.TempDir()
	plan := mustResolve(t, `
name: s
problem: toy
instances: [{generate: {n: 1, seed: 1}}]
algorithms: [first, quits, hangs]
limits: {time: 1s}
`)
	mustRun(t, plan, options(dir))
	check := func(dir string, wantStale bool) {
		t.Helper()
		got, stale := progress(t, dir)
		in := records(t, dir)[0].Instance
		if fmt.Sprint(got["quits on "+in]) != "[0 incumbent true 1 bound 0.5]" || len(got["hangs on "+in]) < 2 || len(got) != 2 ||
			stale > 0 != wantStale {
			t.Errorf("%q, %d stale", got, stale)
		}
	}
	check(dir, false)
	again := options(dir)
	again.RerunTimeouts = true
	mustRun(t, plan, again)
	check(dir, true)
	if _, err := merge.Run(t.Context(), []string{dir}, merged); err != nil {
		t.Fatal(err)
	}
	check(merged, false)
}
