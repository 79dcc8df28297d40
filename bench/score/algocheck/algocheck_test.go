package algocheck_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/worker"
	"schedgap/bench/score/algocheck"
	"schedgap/bench/toyproblem"
	"schedgap/models/fail"
)

// TestMain makes the test binary a worker when it is started as one.
func TestMain(m *testing.M) {
	serve := map[string]func(context.Context, *bench.Registry, *os.File, *os.File) error{
		"worker": func(ctx context.Context, r *bench.Registry, in, out *os.File) error {
			return worker.Serve(ctx, r, in, out)
		},
		"supervise": func(ctx context.Context, r *bench.Registry, in, out *os.File) error {
			return worker.Supervise(ctx, r, in, out)
		},
	}[os.Args[len(os.Args)-1]]
	if len(os.Args) != 2 || serve == nil {
		os.Exit(m.Run())
	}
	if err := serve(context.Background(), toyproblem.Registry(), os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// instance is one of a problem with two of the toy's algorithms: others hang, and are rivals no less.
func instance(t *testing.T, name string, values ...float64) *bench.Instance {
	t.Helper()
	in := toyproblem.Instance(t, name, values...)
	p := *in.Problem
	p.Algorithms = slices.DeleteFunc(slices.Clone(p.Algorithms), func(a bench.Algorithm) bool { return a.Name != "good" && a.Name != "first" })
	in.Problem = &p
	return in
}

// answer is a shell command that prints a solution of the instance three.
func answer(fields string) string {
	return fmt.Sprintf(`echo '{"problem":"toy","instance":"three","algorithm":"mine",%s}'`, fields)
}

// TestRun tries commands on 5, 1, 2, of whose even places 2 is the least, at index 2: each mistake is a sentence, and what is right has
// none.
func TestRun(t *testing.T) {
	in := instance(t, "three", 5, 1, 2)
	mark := filepath.Join(t.TempDir(), "mark")
	for _, c := range []struct {
		name, script, status, wrong, notes string
		objective                          float64 // 0: none
	}{
		{"optimal", answer(`"pick":2`), "feasible", "", "", 2},
		{"feasible", answer(`"pick":0`), "feasible", "", "", 5},
		{
			"other each time", "if [ -e " + mark + " ]; then " + answer(`"pick":0`) + "; else touch " + mark + "; " + answer(`"pick":2`) + "; fi",
			"feasible", "", "the command gives another solution", 2,
		},
		{"not allowed", answer(`"pick":1`), "invalid", "even at pick", "", 1},
		{"boasts", answer(`"pick":0,"objective":4`), "invalid", "it claims the objective 4, but the checker finds 5", "", 5},
		{"declines", "echo too small >&2; exit 77", "skipped", "", "not applicable: ", 0},
		{"says nothing", "true", "error", "solution", "", 0},
		{"fails", "echo oh no >&2; exit 3", "error", "oh no", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			limits := bench.Limits{Time: time.Minute}
			v := one(t, []*bench.Instance{in}, algocheck.Options{Command: []string{"sh", "-c", c.script}, Limits: limits, Exact: limits})[0]
			if v.Status != c.status || (v.Objective == nil) != (c.objective == 0) || v.Objective != nil && *v.Objective != c.objective {
				t.Errorf("%+v", v)
			}
			if v.OK != (c.wrong == "") || (len(v.Wrong) == 0) != v.OK || !strings.Contains(strings.Join(v.Wrong, "\n"), c.wrong) ||
				(len(v.Notes) == 0) != (c.notes == "") || !strings.Contains(strings.Join(v.Notes, "\n"), c.notes) {
				t.Errorf("wrong %q, notes %q", v.Wrong, v.Notes)
			}
			if c.objective > 0 && (v.Optimum == nil || *v.Optimum != 2 || *v.Bound != 2 || v.Rivals["first"] != 5) {
				t.Errorf("optimum and rivals: %+v", v)
			}
			if c.objective == 2 && *v.Gap != 0 || c.objective == 5 && *v.Gap != 0.6 {
				t.Errorf("gap %v", *v.Gap)
			}
		})
	}
}

// TestKilled: what is printed too late is no solution, and the sentence names the limit.
func TestKilled(t *testing.T) {
	o := algocheck.Options{Command: []string{"sleep", "1000"}, Limits: bench.Limits{Time: 100 * time.Millisecond}}
	v := one(t, []*bench.Instance{instance(t, "three", 5, 1, 2)}, o)[0]
	if v.OK || v.Status != "timeout" || len(v.Wrong) != 1 || !strings.Contains(v.Wrong[0], "killed at the time limit of 100ms") {
		t.Errorf("%+v", v)
	}
}

// TestFirst: with First nothing follows the first mistake.
func TestFirst(t *testing.T) {
	list := []*bench.Instance{instance(t, "three", 5, 1, 2), instance(t, "four", 5, 1, 2, 3)}
	for first, want := range map[bool]int{true: 1, false: 2} {
		o := algocheck.Options{Command: []string{"false"}, Limits: bench.Limits{Time: time.Minute}, First: first}
		if got := one(t, list, o); len(got) != want {
			t.Errorf("First %t: %d verdicts", first, len(got))
		}
	}
}

func one(t *testing.T, list []*bench.Instance, o algocheck.Options) (all []algocheck.Verdict) {
	t.Helper()
	fail.On(t, algocheck.Run(t.Context(), list, o, func(v algocheck.Verdict) { all = append(all, v) }))
	return all
}
