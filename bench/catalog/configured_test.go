package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
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
		`{"solvers": [{"name": "highs", "args": ["{model}", "{solution}"], "format": "sol"}]}`:         `solvers[0]: the name "highs" is taken`,
		`{"solvers": [{"name": "x", "args": ["{model}"], "format": "sol"}]}`:                           `solvers[0]: its arguments need {model} and {solution}`,
		`{"solvers": [{"name": "x", "args": ["{model}", "{solution}"], "format": "mps"}]}`:             `solvers[0].format: "mps" must be cbc, glpk or sol`,
		`{"solvers": [{"name": "x", "args": ["{model}", "{solution}"], "format": "sol", "color": 1}]}`: `solvers[0].color: unknown field (value 1)`,
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
