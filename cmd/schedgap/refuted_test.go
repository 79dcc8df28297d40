package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"schedgap/bench"
	template "schedgap/scripts"
)

const refutation = "highs 1.10.0 on model position claims 9, so that nothing is better than 8.9"

// refuted are results, the same with one optimum that is a refuted claim, and its unit.
func refuted(t *testing.T) (base, head, planted string) {
	t.Helper()
	base, head = results(t, func(r *bench.Record) {
		if r.Algorithm != "opt" || planted != "" {
			return
		}
		planted = r.UnitID
		claim, by, solver, version, model, why := *r.Objective*1.5, *r.Objective, "highs", "1.10.0", "position", refutation
		r.Status, r.Bound, r.Claimed, r.RefutedBy, r.Error = string(bench.Refuted), nil, &claim, &by, &why
		r.Solver, r.SolverVersion, r.Model, r.Gap = &solver, &version, &model, nil
	})
	return base, head, planted
}

// TestRefutedEverywhere: a solver's claim that was refuted is loud in every output, and counts as proven in none.
func TestRefutedEverywhere(t *testing.T) {
	t.Parallel()
	base, head, planted := refuted(t)
	merged := filepath.Join(t.TempDir(), "merged")
	succeed(t, "merge", head, "-o", merged)
	for _, dir := range []string{head, merged} {
		if s := succeed(t, "status", dir); !strings.Contains(s, "optimal 5, refuted 1") {
			t.Errorf("status: %s", s)
		}
		e := schedgap(t, "report", dir)
		if e.code != exitFailed || !strings.Contains(e.stderr, refutation) || !strings.Contains(e.stderr, planted) {
			t.Errorf("report: exit %d: %s", e.code, e.stderr)
		}
		report := func(name string) string { return read(t, filepath.Join(dir, "report", name)) }
		for name, says := range map[string][]string{
			"index.html":               {"Results contradict each other", refutation, "is compared as before"},
			"summary.md":               {refutation},
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
		if c := summary.Contradictions; len(c) != 1 || c[0].Refuted != refutation {
			t.Errorf("summary.json: %+v", c)
		}
	}
	e := schedgap(t, "compare", base, head)
	for _, text := range []string{"optimal → refuted", refutation, "1 contradictions", "1 failed"} {
		if e.code != exitFailed || !strings.Contains(strings.Join(strings.Fields(e.stdout), " "), text) {
			t.Errorf("compare: exit %d, without %q: %s", e.code, text, e.stdout)
		}
	}
}

// TestRefutedFailsGates: a refuted claim fails scripts/gate, scripts/nightly and what the templates of CI compare by, and says why.
func TestRefutedFailsGates(t *testing.T) {
	t.Parallel()
	base, head, _ := refuted(t)
	dir := t.TempDir()
	program := func(name, results string) string { // its runs have those results
		path := write(t, dir, name, "#!/bin/sh\n[ \"$1\" = run ] || exec '"+command(t)+"' \"$@\"\n"+
			"while [ \"$1\" != -o ]; do shift; done\nmkdir -p \"$2\"; cp -R '"+results+"/.' \"$2\"\n")
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	before, after := program("before", base), program("after", head)
	suite, scripts := filepath.Join(filepath.Dir(base), "suite.yaml"), filepath.Join("..", "..", "scripts")
	for _, c := range []struct {
		script string
		args   []string
		env    string
	}{
		{"gate", []string{before, after, suite}, ""},
		{"nightly", []string{filepath.Join(dir, "night")}, after},
		{"nightly", []string{filepath.Join(dir, "compared"), base}, after},
	} {
		cmd := exec.CommandContext(t.Context(), filepath.Join(scripts, c.script), c.args...)
		cmd.Env = append(os.Environ(), "SCHEDGAP="+c.env, "SCHEDGAP_SUITES="+suite, "SCHEDGAP_TRACES=",
			"SCHEDGAP_NIGHTS="+filepath.Join(dir, "nights"))
		output, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.Contains(string(output), refutation) {
			t.Errorf("%s %q: exit %d: %s", c.script, c.args, code, output)
		}
	}
	for _, name := range []string{template.GitHub, template.GitLab} {
		text := read(t, filepath.Join(scripts, "template", name))
		gates := regexp.MustCompile(`compare base results --fail-on (\S+)`).FindStringSubmatch(text)
		if gates == nil {
			t.Fatalf("%s compares nothing", name)
		}
		e := schedgap(t, "compare", base, head, "--fail-on", gates[1], "--format", "markdown")
		if e.code != exitFailed || !strings.Contains(e.stdout, refutation) {
			t.Errorf("%s: exit %d: %s", name, e.code, e.stdout)
		}
	}
}

// TestRefutedInPython: the module for Python has the row with its status and counts it as no optimum.
func TestRefutedInPython(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	_, head, planted := refuted(t)
	if e := schedgap(t, "report", head); e.code != exitFailed { // it says that a claim was refuted
		t.Fatalf("%+v", e)
	}
	program := command(t)
	cmd := exec.CommandContext(t.Context(), python, "-c", `import sys
for reader in ("duckdb", "polars", "pyarrow"):
    sys.modules[reader] = None
import schedgap
rows = schedgap.ratios(sys.argv[1])
print(sorted({(r["unit_id"], r["status"], r["optimal"], r["exact"]) for r in rows if r["status"] == "refuted"}),
    sum(r["algorithm"] == "opt" and r["optimal"] is True and r["exact"] is True for r in rows))`, head)
	cmd.Env = append(os.Environ(), "PYTHONPATH="+filepath.Join("..", "..", "scripts", "python"), "PYTHONDONTWRITEBYTECODE=1",
		"SCHEDGAP="+program)
	var says strings.Builder
	cmd.Stderr = &says
	out, err := cmd.Output()
	want := "[('" + planted + "', 'refuted', False, False)] 5\n"
	if err != nil || string(out) != want || !strings.Contains(says.String(), planted+": a solver's claim was refuted") {
		t.Errorf("%v: %s, want %s: %s", err, out, want, &says)
	}
}
