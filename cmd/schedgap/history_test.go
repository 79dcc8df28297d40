package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/store"
	"schedgap/reports/history"
)

// TestHistory: folders are added once, a planted change is found at once and is a regression if it is asked for, and the last run
// decides; bad usage writes nothing.
func TestHistory(t *testing.T) {
	t.Chdir(t.TempDir())
	later := func(days int) func(r *bench.Record) {
		return func(r *bench.Record) {
			r.StartedAt = r.StartedAt.Add(time.Duration(days) * 24 * time.Hour)
			r.RunID += fmt.Sprint("-", days)
			if r.Algorithm == "fair" && days == 2 {
				*r.Objective *= 1.5
			}
		}
	}
	base, head := results(t, later(2))
	fine := filepath.Join(t.TempDir(), "fine")
	copyRuns(t, base, fine, later(1))
	all := []string{"ratio=1%", "correctness"}

	for _, args := range [][]string{
		{"history"},
		{"history", "none"},
		{"history", base, t.TempDir()},
		{"history", base, "--fail-on", "speed=1%"},
		{"history", base, "--recent", "0"},
		{"history", base, "-o", filepath.Join(base, "suite.yaml", "x")},
	} {
		e := schedgap(t, args...)
		if _, err := os.Stat("history"); e.code != 2 || e.stdout != "" || e.stderr == "" || err == nil {
			t.Errorf("%q: code %d, %q, %q", args, e.code, e.stdout, e.stderr)
		}
	}

	fail := strings.Join(all, ",")
	beside := filepath.Join(filepath.Dir(base), "history") // by default, where the next night's results find it
	succeed(t, "history", base, fine, "--fail-on", fail, "--quiet")
	var r struct {
		Added []added `json:"added"`
		Page  string  `json:"page"`
		history.Report
	}
	e := schedgap(t, "history", base, head, "--json", "--fail-on", fail, "--quiet")
	if err := json.Unmarshal([]byte(e.stdout), &r); err != nil || e.code != 1 || e.stderr != "" {
		t.Fatalf("code %d, %q: %v", e.code, e.stderr, err)
	}
	if len(r.Added) != 2 || r.Added[0].Added != 0 || r.Added[1].Added != r.Added[0].Units || *r.Added[0].Left != 0 ||
		r.Added[1].Left != nil {
		t.Errorf("added %+v", r.Added)
	}
	if len(r.Runs) != 3 || len(r.Findings) != 1 || r.Findings[0].Algorithm != "fair" || !r.Findings[0].Exact ||
		r.Findings[0].Changed != 6 {
		t.Errorf("%d runs, findings %+v", len(r.Runs), r.Findings)
	}
	if _, err := os.Stat(r.Page); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		code int
		args []string
	}{
		{0, nil},
		{1, []string{"--fail-on", fail}},
		{0, []string{"--fail-on", "ratio=60%,correctness"}},
		{0, []string{"--fail-on", "none"}},
	} {
		e := schedgap(t, append([]string{"history", "-o", beside}, c.args...)...)
		if e.code != c.code || !strings.HasPrefix(e.stdout,
			map[int]string{1: "regression: "}[c.code]+"flex fair: ratio stepped from ") ||
			!strings.HasSuffix(e.stdout, "series over 3 runs\n"+filepath.Join(beside, "index.html")+"\n") {
			t.Errorf("%q: code %d, %q, %q", c.args, e.code, e.stdout, e.stderr)
		}
	}

	// A run of which six units of the plan have no row yet says so, and the history what the last run lacks.
	partial := filepath.Join(t.TempDir(), "partial")
	copyRuns(t, base, partial, func(r *bench.Record) {
		if later(3)(r); r.Algorithm == "spt" {
			r.UnitID = strings.Repeat("0", 30) + r.Instance[len(r.Instance)-2:]
		}
	})
	plan, err := os.ReadFile(filepath.Join(base, "plan.json"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, partial, "plan.json", string(plan))
	e = schedgap(t, "history", partial, "-o", beside, "--json", "--fail-on", "missing")
	if err := json.Unmarshal([]byte(e.stdout), &r); err != nil || e.code != 1 || !strings.Contains(e.stderr, "left=6") {
		t.Fatalf("code %d, %q: %v", e.code, e.stderr, err)
	}
	if *r.Added[0].Left != 6 || r.Runs[3].Missing != 6 || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "lacks 6 units") {
		t.Errorf("added %+v, the last run %+v, warnings %q", r.Added[0], r.Runs[3], r.Warnings)
	}
}

// copyRuns copies the rows of a results folder with what change has made of them.
func copyRuns(t *testing.T, from, to string, change func(r *bench.Record)) {
	t.Helper()
	rows, bad, err := store.Open(from).Records(t.Context())
	if err != nil || len(bad) > 0 {
		t.Fatal(err, bad)
	}
	w, err := store.Open(to).NewRuns("0000")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		change(&r)
		if err := w.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// historyOf reads what history wrote to a folder.
func historyOf(t *testing.T, dir string) (r history.Report) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "history.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	return r
}
