package command

import (
	"compress/gzip"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"schedgap/exact/milp"
	"schedgap/models/fail"
)

// The model of three jobs of redundancy, by periods, has the optimum 3.105. The integer preprocessing of cbc 2.10.8 fixes a column
// that is 0 in it, and finds 3.155.
func TestPreprocessingOfCBC(t *testing.T) {
	s := installed(t, Known()[0])
	packed, err := os.Open(filepath.Join("testdata", "fixed-by-preprocessing.mps.gz"))
	fail.On(t, err)
	defer packed.Close()
	z, err := gzip.NewReader(packed)
	fail.On(t, err)
	text, err := io.ReadAll(z)
	fail.On(t, err)
	m, err := milp.ReadMPS("model.mps", text)
	fail.On(t, err)
	r, err := s.Solve(t.Context(), m, milp.Options{Threads: 1, TimeLimit: time.Minute})
	if err != nil || r.Status != milp.Optimal || math.Abs(r.Objective-3.105) > 1e-6 {
		t.Errorf("%+v, %v: the optimum is 3.105", r, err)
	}
}

// A model that is infeasible breaks cbc's presolve, and its writing of a solution where nothing is preprocessed.
func TestInfeasibleByCBC(t *testing.T) {
	s := installed(t, Known()[0])
	m := &milp.Model{Name: "parity", Cols: []milp.Col{
		{Name: "x", Lo: -2, Hi: 2, Cost: -1, Integer: true}, {Name: "y", Lo: -3, Hi: 1, Cost: 5, Integer: true},
	}}
	m.AddRow("even", 4, 4, milp.Term{Col: 0, Coef: -2}, milp.Term{Col: 1, Coef: -4})
	m.AddRow("odd", 1, 1, milp.Term{Col: 0, Coef: -3}, milp.Term{Col: 1, Coef: 5})
	r, err := s.Solve(t.Context(), m, milp.Options{Threads: 1, TimeLimit: time.Minute})
	if err != nil || r.Status != milp.Infeasible {
		t.Errorf("%+v, %v", r, err)
	}
}

// An executable that breaks is run again, by other arguments and in the time that is left; one that fails otherwise is not.
func TestRetry(t *testing.T) {
	for name, c := range map[string]struct {
		first, last string
		limit       time.Duration
		most        float64 // seconds left for the last run
		want        string
	}{
		"aborts":           {"kill -ABRT $$", "", 5 * time.Second, 5, ""},
		"breaks":           {"kill -SEGV $$", "", 5 * time.Second, 5, ""},
		"is killed":        {"kill -KILL $$", "", 5 * time.Second, 0, "killed"},
		"fails":            {"exit 3", "", 5 * time.Second, 0, "exit status 3"},
		"takes half of it": {"sleep 0.15; kill -ABRT $$", "", 5 * time.Second, 4.7, ""},
		"has no limit":     {"kill -ABRT $$", "sleep 1.1", 0, 1e6, ""}, // which is longer than a solver may take to stop
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			script := `#!/bin/sh
if [ "$3" != third ]; then echo "x 1" >"$2"; ` + c.first + `; fi
echo "$4" >` + filepath.Join(dir, "left") + `
` + c.last + `
echo "Optimal solution found"; echo "x 2" >"$2"
`
			path := filepath.Join(dir, "solver")
			fail.On(t, os.WriteFile(path, []byte(script), 0o700))
			s, err := New(Config{
				Name: "script", Path: path, Format: FormatSol,
				Args: []string{"{model}", "{solution}", "first"}, Retry: [][]string{
					{"{model}", "{solution}", "second"}, {"{model}", "{solution}", "third", "{time_limit}"},
				},
			})
			fail.On(t, err)
			r, err := s.Solve(context.Background(), one(), milp.Options{TimeLimit: c.limit})
			if c.want != "" {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				return
			}
			if err != nil || r.Status != milp.Optimal || r.Objective != 2 {
				t.Errorf("%+v, %v", r, err)
			}
			left, err := os.ReadFile(filepath.Join(dir, "left"))
			seconds, bad := strconv.ParseFloat(strings.TrimSpace(string(left)), 64)
			if err != nil || bad != nil || seconds > c.most || seconds < 1 {
				t.Errorf("%q seconds are left, at most %v; %v", left, c.most, err)
			}
		})
	}
}
