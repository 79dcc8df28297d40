package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/exact/milp/linked/linkedtest"
	"schedgap/models"
)

type solved struct {
	Status                string
	Model, Solver         *string
	Objective, Bound, Gap *float64
	Feasible              *bool
	Waived                []string
	Solution              json.RawMessage
}

// solve runs solve and decodes what it prints.
func solve(t *testing.T, wantCode int, args ...string) solved {
	t.Helper()
	e := schedgap(t, append([]string{"solve"}, args...)...)
	if e.code != wantCode {
		t.Fatalf("solve %v: exit %d, want %d; stderr %q", args, e.code, wantCode, e.stderr)
	}
	var s solved
	if err := json.Unmarshal([]byte(e.stdout), &s); err != nil {
		t.Fatalf("solve %v prints %q: %v", args, e.stdout, err)
	}
	if (wantCode == 0) != (e.stderr == "") {
		t.Errorf("solve %v: exit %d with stderr %q", args, e.code, e.stderr)
	}
	return s
}

// TestSolveOptimal: an optimum has a bound equal to its objective and gap 0, and says how it was found. 1 + 3 = 4 by SPT.
func TestSolveOptimal(t *testing.T) {
	file := write(t, t.TempDir(), "two.json", flexFile(`"slots":1`, `{"id":"a","work":1},{"id":"b","work":2}`))
	s := solve(t, 0, file, "-a", "opt")
	if s.Status != "optimal" || *s.Objective != 4 || *s.Bound != 4 || *s.Gap != 0 || !*s.Feasible || s.Solver == nil ||
		s.Model != nil {
		t.Errorf("%+v", s)
	}
	linkedtest.Need(t, "highs")
	s = solve(t, 0, file, "-a", "opt", "--solver", "highs", "--model", "position")
	if s.Status != "optimal" || math.Abs(*s.Objective-4) > 4e-9 || *s.Solver != "highs" || *s.Model != "position" {
		t.Errorf("%+v", s)
	}
}

// TestSolveBound: a bound has no solution and says nothing about feasibility.
func TestSolveBound(t *testing.T) {
	s := solve(t, 0, shared+"one-slot.json", "-a", "lb")
	if s.Status != "feasible" || s.Bound == nil || *s.Bound > 10*(1+1e-9) || s.Objective != nil || s.Feasible != nil ||
		s.Gap != nil ||
		string(s.Solution) != "null" {
		t.Errorf("%+v", s)
	}
}

// TestSolveInfeasible: two jobs cannot hold a slot each out of one, so there is no moldable schedule, which is exit 1 with the
// object printed and no file written.
func TestSolveInfeasible(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "two.json", flexFile(`"slots":1`, `{"id":"a","work":1},{"id":"b","work":2}`))
	out := filepath.Join(dir, "out.json")
	s := solve(t, 1, file, "-a", "opt-moldable", "-o", out)
	if s.Status != "infeasible" || s.Objective != nil || s.Feasible != nil || string(s.Solution) != "null" {
		t.Errorf("%+v", s)
	}
	if _, err := os.Stat(out); !os.IsNotExist(err) {
		t.Errorf("a solution file was written: %v", err)
	}
}

// TestSolveLimits: at the time limit and at the memory limit the incumbent counts, and what is known of the optimum is printed.
func TestSolveLimits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	succeed(t, "generate", "flex", "-p", "jobs=60", "-p", "metric=tardiness", "-p", "weighted=true", "-o", dir)
	file := filepath.Join(dir, "flex-000.json")
	s := solve(t, 0, file, "-a", "opt", "--time-limit", "100ms")
	if s.Status != "timeout" || s.Objective == nil || s.Bound == nil || *s.Bound > *s.Objective || *s.Gap <= 0 || !*s.Feasible {
		t.Errorf("%+v", s)
	}
	linkedtest.Need(t, "highs")
	// The position model of 60 jobs takes hundreds of megabytes; a worker needs some twenty by itself.
	e := schedgap(t, "solve", file, "-a", "opt", "--solver", "highs", "--model", "position", "--memory-limit", "100MiB", "--quiet")
	if e.code != 0 || e.stderr != "" {
		t.Fatalf("exit %d, stderr %q", e.code, e.stderr)
	}
	if err := json.Unmarshal([]byte(e.stdout), &s); err != nil {
		t.Fatal(err)
	}
	if s.Status != "timeout" || s.Objective == nil || !*s.Feasible {
		t.Errorf("%+v", s)
	}
}

// TestExport: the model that export writes is the one that is solved; a second solver reads it from there in exact/milp/command.
func TestExport(t *testing.T) {
	for _, format := range []string{"mps", "lp"} {
		file := filepath.Join(t.TempDir(), "model."+format)
		args := []string{"export", shared + "one-slot.json", "--model", "position", "--format", format}
		text := succeed(t, args...)
		if out := succeed(t, append(args, "-o", file)...); out != "" {
			t.Errorf("-o leaves %q on stdout", out)
		}
		if data, err := os.ReadFile(file); err != nil || string(data) != text || len(text) < 100 {
			t.Errorf("-o writes %d bytes, stdout has %d: %v", len(data), len(text), err)
		}
	}
}

// TestBoundAtLimit: a bound that is there at the limit is what was found: success of an algorithm that gives bounds, and for others no
// solution.
func TestBoundAtLimit(t *testing.T) {
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	in, err := (&app{registry: registry}).readInstance(shared + "rotate.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind  models.Kind
		bound *float64
		code  int
		says  string
	}{
		{models.Bound, new(2.), 0, "only a bound was found"},
		{models.Exact, new(2.), exitFailed, "only a bound was found"},
		{models.Exact, nil, exitFailed, "nothing found"},
		{models.Bound, nil, exitFailed, "nothing found"},
	} {
		var stdout, stderr bytes.Buffer
		a := &app{stdout: &stdout, stderr: &stderr}
		a.log = a.logger(false)
		res := &bench.Result{Status: bench.Timeout, Kind: string(c.kind)}
		res.Bound = c.bound
		err := a.conclude(in, bench.Request{Algorithm: "x"}, res, "")
		code, says := 0, stderr.String()
		var e *exit
		if errors.As(err, &e) {
			code, says = e.code, e.message
		}
		if code != c.code || !strings.Contains(says, c.says) || !strings.Contains(stdout.String(), `"timeout"`) {
			t.Errorf("%s, %v: exit %d: %s%s", c.kind, c.bound, code, says, stdout.String())
		}
	}
}
