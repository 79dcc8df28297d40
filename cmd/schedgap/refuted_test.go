package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
)

// TestRefutedEverywhere: a solver's claim that was refuted is loud in every output, and counts as proven in none.
func TestRefutedEverywhere(t *testing.T) {
	const sentence = "highs 1.10.0 on model position claims 9, so that nothing is better than 8.9"
	planted := ""
	base, head := results(t, func(r *bench.Record) {
		if r.Algorithm != "opt" || planted != "" {
			return
		}
		planted = r.UnitID
		claim, by, solver, version, model, why := *r.Objective*1.5, *r.Objective, "highs", "1.10.0", "position", sentence
		r.Status, r.Bound, r.Claimed, r.RefutedBy, r.Error = string(bench.Refuted), nil, &claim, &by, &why
		r.Solver, r.SolverVersion, r.Model, r.Gap = &solver, &version, &model, nil
	})
	merged := filepath.Join(t.TempDir(), "merged")
	succeed(t, "merge", head, "-o", merged)
	for _, dir := range []string{head, merged} {
		if s := succeed(t, "status", dir); !strings.Contains(s, "optimal 5, refuted 1") {
			t.Errorf("status: %s", s)
		}
		e := schedgap(t, "report", dir)
		if e.code != exitFailed || !strings.Contains(e.stderr, sentence) || !strings.Contains(e.stderr, planted) {
			t.Errorf("report: exit %d: %s", e.code, e.stderr)
		}
		report := func(name string) string { return read(t, filepath.Join(dir, "report", name)) }
		for name, says := range map[string][]string{
			"index.html":               {"Results contradict each other", sentence, "is compared as before"},
			"summary.md":               {sentence},
			"tables/flex-failures.tex": {"refuted"}, "tables/flex-outcomes.tex": {"refuted"},
		} {
			for _, text := range says {
				if !strings.Contains(report(name), text) {
					t.Errorf("%s does not say %q:\n%.3000s", name, text, report(name))
				}
			}
		}
		if page := report("index.html"); strings.Contains(page, "have no ratios") {
			t.Error("the page says that the instance has no ratios")
		}
		var summary struct {
			Contradictions []struct{ Refuted string }
			Problems       []struct {
				Algorithms []struct {
					Algorithm, Solver string
					Statuses          map[string]int
				}
			}
		}
		if err := json.Unmarshal([]byte(report("summary.json")), &summary); err != nil {
			t.Fatal(err)
		}
		if c := summary.Contradictions; len(c) != 1 || c[0].Refuted != sentence {
			t.Errorf("summary.json: %+v", c)
		}
	}
	e := schedgap(t, "compare", base, head)
	for _, text := range []string{"optimal → refuted", sentence, "1 contradictions", "1 failed"} {
		if e.code != exitFailed || !strings.Contains(strings.Join(strings.Fields(e.stdout), " "), text) {
			t.Errorf("compare: exit %d, without %q: %s", e.code, text, e.stdout)
		}
	}
}
