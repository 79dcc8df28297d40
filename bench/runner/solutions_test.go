package runner_test

import (
	"strings"
	"testing"

	"schedgap/bench/merge"
	"schedgap/bench/store"
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
		data, err := store.Open(merged).Solution(r.UnitID)
		if err != nil {
			t.Fatal(err)
		}
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
