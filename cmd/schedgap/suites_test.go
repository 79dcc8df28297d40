package main

import (
	"encoding/json"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/plan/suite"
)

// TestListSuites: every built-in suite says what it is for, and those of a paper's figure which.
func TestListSuites(t *testing.T) {
	t.Parallel()
	var items []struct {
		Name    string   `json:"name"`
		Purpose *string  `json:"purpose"`
		Figure  *string  `json:"figure"`
		Typical *float64 `json:"typical_seconds"`
	}
	if err := json.Unmarshal([]byte(succeed(t, "list", "suites", "--json")), &items); err != nil {
		t.Fatal(err)
	}
	for _, i := range items {
		if i.Purpose == nil || (strings.HasPrefix(i.Name, "paper-") && i.Figure == nil) || (i.Typical != nil && *i.Typical <= 0) {
			t.Errorf("%+v", i)
		}
	}
	text := succeed(t, "list", "suites", "flex")
	for _, says := range []string{"TYPICAL", "2m", "Figure 5(a), Wolf et al. 2010", "the base case while the slack varies"} {
		if !strings.Contains(text, says) {
			t.Errorf("it does not say %q:\n%s", says, text)
		}
	}
}

// TestSuiteShow: a suite is shown with its purpose, its units and its defaults, as YAML that run takes.
func TestSuiteShow(t *testing.T) {
	t.Parallel()
	text := succeed(t, "suite", "show", "flex/quick")
	for _, says := range []string{
		"# 180 units on 20 instances\n", "name: quick\n", "purpose: a look at flex", "typical: 2s\n",
		"threads: 1\n", "pin_cpus: false\n",
	} {
		if !strings.Contains(text, says) {
			t.Errorf("it does not say %q:\n%s", says, text)
		}
	}
	dir := t.TempDir()
	if again := succeed(t, "suite", "show", write(t, dir, "again.yaml", text)); again != text {
		t.Errorf("shown again it is\n%s\nnot\n%s", again, text)
	}
	for file, says := range map[string]string{
		write(t, dir, "a.yaml", strings.Replace(text, "purpose:", "porpoise:", 1)):         "porpoise: unknown field",
		write(t, dir, "b.yaml", strings.Replace(text, "typical: 2s", "typical: soon", 1)):  "typical: ",
		write(t, dir, "c.yaml", strings.Replace(text, "typical: 2s", "typical: -5s", 1)):   "must be positive",
		write(t, dir, "d.yaml", strings.Replace(text, "typical: 2s", `figure: "a\nb"`, 1)): "must be one line",
		"nothing": "known: ",
	} {
		if e := schedgap(t, "suite", "show", file); e.code != exitUsage || e.stdout != "" || !strings.Contains(e.stderr, says) {
			t.Errorf("%s: exit %d, stderr %q, want %q", file, e.code, e.stderr, says)
		}
	}
}

// TestMILPSuites: the suites of milp-PROBLEM have every model of the problem by HiGHS and lp_solve, on ten instances of each of at
// least two sizes, and a second method that proves.
func TestMILPSuites(t *testing.T) {
	if !alone(t) {
		return
	}
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SCHEDGAP_TRACES", "")
	for _, p := range registry.Problems {
		suites, err := suite.Load("milp-"+p.Name, registry)
		if err != nil {
			t.Fatal(err)
		}
		var units []bench.Unit
		skipped := 0
		for _, s := range suites {
			for _, source := range s.Instances {
				if source.Generate == nil {
					continue
				}
				if source.Generate.N != 10 {
					t.Errorf("%s: %d instances of a size", s.Name, source.Generate.N)
				}
				source.Generate.N = 1 // all would take seconds
			}
			plan, err := s.Resolve(t.Context(), registry)
			if err != nil {
				t.Fatal(err)
			}
			units, skipped = append(units, plan.Units...), skipped+len(plan.Skipped)
		}
		methods, second, heuristic := map[string]int{}, false, false
		for _, u := range units {
			if u.Skip == "" {
				methods[u.Request.Model+" by "+u.Request.Solver]++
			}
			second = second || u.Request.Model == "" && u.Request.Solver != ""
			heuristic = heuristic || u.Request.Algorithm != "opt" && u.Request.Solver == ""
		}
		for _, model := range p.Models {
			for _, solver := range []string{"highs", "lpsolve"} {
				if n := methods[model+" by "+solver]; n < 2 {
					t.Errorf("milp-%s: %d sizes are solved by %s with the model %s", p.Name, n, solver, model)
				}
			}
		}
		if !second || !heuristic || skipped == 0 {
			t.Errorf("milp-%s: second method %v, heuristics %v, %d traces skipped", p.Name, second, heuristic, skipped)
		}
	}
}
