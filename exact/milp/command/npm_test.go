package command

import (
	"errors"
	"os/exec"
	"path/filepath"
	"testing"

	"schedgap/exact/milp"
	"schedgap/models/fail"
)

// HiGHS of the npm package, as scripts/solvers/highs.json describes it, is a solver like the others. Each solve starts node, so that
// three are enough.
func TestHighsOfNpm(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "scripts", "solvers")
	out, err := exec.CommandContext(t.Context(), "../../../scripts/npm-ci", folder).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit) && exit.ExitCode() == 3:
		t.Skipf("HiGHS of npm is not tried: %s", out)
	case err != nil:
		t.Fatalf("npm cannot install HiGHS: %v: %s", err, out)
	}
	path, err := filepath.Abs(filepath.Join(folder, "highs.mjs"))
	fail.On(t, err)
	s := installed(t, Config{
		Name: "highs-1.15", Path: path, Args: []string{"{model}", "{solution}", "{time_limit}", "{seed}"}, Format: FormatSol,
		VersionArgs: []string{"--version"}, Tolerance: &milp.Tolerance{Rows: 1e-9, Integers: 1e-6},
	})
	if s.Version() != "1.15.3" {
		t.Errorf("version %s", s.Version())
	}
	for _, c := range []struct {
		least  float64 // of 3x + 4y ≥ least, x and y whole and up to 2
		status milp.Status
		value  float64 // of 2x + 3y
	}{{5, milp.Optimal, 4}, {11, milp.Optimal, 8}, {15, milp.Infeasible, 0}} {
		m := &milp.Model{Name: "two"}
		x := m.AddCol(milp.Col{Name: "x", Hi: 2, Cost: 2, Integer: true})
		y := m.AddCol(milp.Col{Name: "y", Hi: 2, Cost: 3, Integer: true})
		m.AddRow("r", c.least, milp.Inf, milp.Term{Col: x, Coef: 3}, milp.Term{Col: y, Coef: 4})
		r, err := s.Solve(t.Context(), m, milp.Options{Seed: 3})
		if err != nil || r.Status != c.status || r.Objective != c.value {
			t.Errorf("at least %v: %+v, %v; want %s %v", c.least, r, err, c.status, c.value)
		}
	}
}
