package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/exact/milp"
)

// A list of commands adds solvers, one that is not installed among them; a mistake in it is one sentence that names the
// file, the path and the value.
func TestConfiguredSolvers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "solvers.json")
	t.Setenv(SolversVariable, file)
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"solvers": [{"name": "mine", "path": "/none/mine", "args": ["{model}", "{solution}"], "format": "sol", "exit_codes": [0, 1]}]}`)
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	last := r.Solvers[len(r.Solvers)-1]
	if last.Name != "mine" || last.Available || !strings.HasPrefix(last.Reason, "solver is not available: ") {
		t.Errorf("listed as %+v", last)
	}
	opt, _, err := r.Problems[0].Find("opt")
	if err != nil || !strings.Contains(strings.Join(opt.Solvers, " "), "mine") {
		t.Errorf("opt has the solvers %v (%v)", opt.Solvers, err)
	}
	for text, want := range map[string]string{
		`{"solvers": [{"name": "highs", "args": ["{model}", "{solution}"], "format": "sol"}]}`:                                         `solvers[0]: the name "highs" is taken`,
		`{"solvers": [{"name": "x", "args": ["{model}"], "format": "sol"}]}`:                                                           `solvers[0]: its arguments need {model} and {solution}`,
		`{"solvers": [{"name": "x", "args": ["{model}", "{solution}"], "format": "mps"}]}`:                                             `solvers[0].format: "mps" must be cbc, glpk or sol`,
		`{"solvers": [{"name": "x", "args": ["{model}", "{solution}"], "format": "sol", "color": 1}]}`:                                 `solvers[0].color: unknown field (value 1)`,
		`{"solvers": [{"name": "x", "args": ["{model}", "{solution}"], "format": "sol", "tolerance": {"rows": 0, "integers": 1e-6}}]}`: `solvers[0].tolerance.rows: 0 must be greater than 0 and at most 0.01`,
		`{"solvers": [{"name": "x", "args": ["{model}", "{solution}"], "format": "sol", "tolerance": {"rows": 1e-9}}]}`:                `solvers[0].tolerance.integers: required field is missing`,
		`{"solvers": 3}`: `solvers: must be an array, not 3`,
		`{"solvers": []`: `ends too early`,
	} {
		write(text)
		if _, err := New(); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), file) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A solver whose point breaks the model has failed, and not the program: the run is invalid, and says which row the point misses.
func TestWrongPointOfASolver(t *testing.T) {
	file := filepath.Join(t.TempDir(), "solvers.json")
	t.Setenv(SolversVariable, file)
	text := `{"solvers": [{"name": "mine", "path": "/bin/sh", "format": "sol",
"args": ["-c", "echo Optimal solution found; echo C_a 1 >\"$1\"", "sh", "{solution}", "{model}"]}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Problem("flex")
	if err != nil {
		t.Fatal(err)
	}
	in := sharedInstances(t, p)[0]
	res := solve(p, in, bench.Request{Algorithm: "opt", Solver: "mine", Seed: 1, Threads: 1})
	if res.Status != bench.Invalid || !strings.Contains(res.Error, "refusing the point of") || !strings.Contains(res.Error, "it misses row") {
		t.Errorf("%s: %s", res.Status, res.Error)
	}
}

// A path with a slash begins in the list's folder, wherever the program and the solves run, and an entry may declare its tolerances.
func TestPathOfASolver(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\necho 'Model is infeasible'\n"
	if err := os.WriteFile(filepath.Join(dir, "mine.sh"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "solvers.json")
	text := `{"solvers": [{"name": "mine", "path": "./mine.sh", "format": "sol", "args": ["{solution}", "{model}"],
"tolerance": {"rows": 1e-8, "integers": 1e-7}}]}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(here, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(SolversVariable, relative)
	all, err := solvers()
	if err != nil {
		t.Fatal(err)
	}
	mine := all[len(all)-1]
	if want := (milp.Tolerance{Rows: 1e-8, Integers: 1e-7}); milp.ToleranceOf(mine) != want {
		t.Errorf("it forgives %+v, declared %+v", milp.ToleranceOf(mine), want)
	}
	m := &milp.Model{Cols: []milp.Col{{Name: "x", Hi: 1, Integer: true}, {Name: "y", Hi: 1, Integer: true}}}
	m.AddRow("r", 3, 4, milp.Term{Coef: 1}, milp.Term{Col: 1, Coef: 1})
	if r, err := mine.Solve(t.Context(), m, milp.Options{}); err != nil || r.Status != milp.Infeasible {
		t.Errorf("%+v, %v", r, err)
	}
}
