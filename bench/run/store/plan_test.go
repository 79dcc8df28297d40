package store_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/bench/toyproblem"
	"schedgap/models/fail"
)

// id is a unit's for short.
func id(u string) string { return strings.Repeat("0", 32-len(u)) + u }

// row is a row of a unit of a suite.
func row(suite, algorithm, unit string) bench.Record {
	r := record(id(unit), "i", algorithm)
	r.Problem, r.Suite = "toy", suite
	return r
}

// asked is what a suite asks of one algorithm.
func asked(suite, with, yaml, algorithm string, units ...string) store.Requested {
	a := store.Requested{Problem: "toy", Suite: suite, With: with, YAML: yaml}
	for _, u := range units {
		a.Add(algorithm, id(u))
	}
	return a
}

// plan reads the folder's plan, or the one derived from its rows, as text by suite.
func plan(t *testing.T, d *store.Dir) map[string]string {
	t.Helper()
	p, err := d.PlanOrDerived(t.Context())
	fail.On(t, err)
	got := map[string]string{}
	for _, a := range p.Suites {
		text := strings.ReplaceAll(a.YAML, "\n", " ")
		for _, u := range a.Units {
			text += " " + u.Algorithm + ":"
			for _, unit := range u.IDs {
				text += unit[31:]
			}
		}
		if _, twice := got[a.Suite+a.With]; twice {
			t.Errorf("%s comes twice", a.Suite)
		}
		got[a.Suite+a.With] = strings.Join(strings.Fields(text), " ")
	}
	return got
}

// A plan is the union of what was asked for, each suite in its latest form unless that is partial; without one, or with one of an
// old version, it is what has rows. Rows of other units are left out, with a note.
func TestPlan(t *testing.T) {
	d := store.Open(t.TempDir())
	if p, err := d.Plan(); p != nil || err != nil || !p.Has("x") || p.Notes() != nil {
		t.Errorf("%v, %v", p, err)
	}
	if err := d.SetUserAlgorithm("mine"); err != nil {
		t.Error(err)
	}
	if files, _ := os.ReadDir(d.Path()); len(files) > 0 {
		t.Errorf("a folder without a plan gets %v", files)
	}
	write(t, d, "0", row("s", "fair", "1"), row("s", "spt", "2"), row("s", "fair", "3"), row("t", "fair", "4"), row("t", "fair", "4"))
	expect := func(want map[string]string) {
		t.Helper()
		if diff := gocmp.Diff(want, plan(t, d)); diff != "" {
			t.Error(diff)
		}
	}
	put := func(asked ...store.Requested) {
		t.Helper()
		fail.On(t, d.PutPlan(t.Context(), asked))
	}
	expect(map[string]string{"s": "fair:13 spt:2", "t": "fair:4"})
	put(asked("s", "", "a\n", "fair", "1", "5", "1"))
	expect(map[string]string{"s": "a fair:15", "t": "fair:4"}) // of t no plan was made
	put(asked("s", "mine", "b\n", "mine", "6"))
	expect(map[string]string{"s": "a fair:15", "smine": "b mine:6", "t": "fair:4"})
	partial := asked("s", "", "c\n", "spt", "2")
	partial.Partial, partial.Notes = true, []string{"no trace", "no trace"}
	put(partial)
	expect(map[string]string{"s": "a --- c fair:15 spt:2", "smine": "b mine:6", "t": "fair:4"})
	put(partial)
	expect(map[string]string{"s": "a --- c fair:15 spt:2", "smine": "b mine:6", "t": "fair:4"})
	p, err := d.Plan()
	if err != nil || !p.Has(id("5")) || p.Has(id("3")) || !p.Has(id("1")) || !slices.Equal(p.Notes(), []string{"no trace"}) {
		t.Errorf("%+v, %v", p, err)
	}
	if diff := gocmp.Diff(map[string][]string{"fair": {id("1"), id("4"), id("5")}, "spt": {id("2")}, "mine": {id("6")}}, p.ByAlgorithm()); diff != "" {
		t.Error(diff)
	}
	if yaml, err := os.ReadFile(filepath.Join(d.Path(), store.SuiteFile)); err != nil || string(yaml) != "a\n---\nc\n---\nb\n" {
		t.Errorf("%q, %v", yaml, err)
	}
	rows, _ := read(t, d)
	if len(rows) != 3 || d.LeftOut() != "1 row of an earlier plan is left out: schedgap status "+d.Path()+" --all" {
		t.Errorf("%d rows, %s", len(rows), d.LeftOut())
	}
	if got := store.LeftOut(2, "x"); got != "2 rows of an earlier plan are left out: schedgap status x --all" || store.LeftOut(0, "x") != "" {
		t.Error(got)
	}
	if rows, _ := read(t, d.WithUnplannedRows()); len(rows) != 4 {
		t.Errorf("%d rows in all", len(rows))
	}
	put(asked("s", "", "", "fair", "1"))
	expect(map[string]string{"s": "fair:1", "smine": "b mine:6", "t": "fair:4"})
	if yaml, _ := os.ReadFile(filepath.Join(d.Path(), store.SuiteFile)); string(yaml) != "b\n" {
		t.Errorf("%q", yaml)
	}
	for range 2 {
		fail.On(t, d.SetUserAlgorithm("mine"))
		if p, err := d.Plan(); err != nil || p.UserAlgorithm != "mine" {
			t.Errorf("%+v, %v", p, err)
		}
	}
	old := func(text string) {
		t.Helper()
		fail.On(t, os.WriteFile(filepath.Join(d.Path(), store.PlanFile), []byte(text), 0o666))
	}
	old(`{"spt":["` + id("9") + `"],"fair":["` + id("1") + `"]}`)
	if p, err := d.Plan(); err != nil || !p.Has("any") {
		t.Errorf("%+v, %v", p, err)
	}
	if err := d.SetUserAlgorithm("other"); err != nil {
		t.Error(err)
	}
	expect(map[string]string{"s": "b fair:13 spt:29", "t": "fair:4"}) // the file with the first suite
	fail.On(t, errors.Join(os.Remove(filepath.Join(d.Path(), store.SuiteFile)), os.RemoveAll(filepath.Join(d.Path(), "runs"))))
	expect(map[string]string{"": "fair:1 spt:9"})
	put(asked("t", "", "", "fair", "4"))
	expect(map[string]string{"": "fair:1 spt:9", "t": "fair:4"})
	old(`{"suites":5}`)
	for name, err := range map[string]error{
		"read": func() error { _, err := d.Plan(); return err }(), "derived": func() error { _, err := d.PlanOrDerived(t.Context()); return err }(),
		"put": d.PutPlan(t.Context(), nil), "user": d.SetUserAlgorithm("x"),
	} {
		if err == nil {
			t.Errorf("%s: a plan that is none is accepted", name)
		}
	}
}

// A plan that is derived from rows keeps a suite of the same name of another problem. Where no folder can be locked, no plan is replaced.
func TestPlanOfTwoProblems(t *testing.T) {
	d := store.Open(t.TempDir())
	p, q := row("s", "fair", "1"), row("s", "fair", "2")
	p.Problem, q.Problem = "p", "q"
	write(t, d, "0", p, q)
	fail.On(t, d.PutPlan(t.Context(), []store.Requested{{Problem: "p", Suite: "s", YAML: "a"}}))
	made, err := d.Plan()
	if err != nil || len(made.Suites) != 2 || made.Suites[0].YAML != "a" || len(made.Suites[0].Units) > 0 || len(made.Suites[1].Units) != 1 {
		t.Errorf("%v, %+v", err, made)
	}
	file := filepath.Join(t.TempDir(), "file")
	fail.On(t, os.WriteFile(file, nil, 0o666))
	if store.Open(file).Replace(made) == nil {
		t.Error("a file has a plan now")
	}
}

// The row of the file with the largest number counts, whatever the names of shards make of the order of files.
func TestNewestOfThree(t *testing.T) {
	d := store.Open(t.TempDir())
	for k, shard := range []string{"a", "b", "a"} {
		r := row("s", "fair", "1")
		r.Seed = int64(k)
		write(t, d, shard, r)
		if rows, _ := read(t, d); len(rows) != 1 || rows[0].Seed != int64(k) {
			t.Errorf("after %d files: %+v", k+1, rows)
		}
	}
}

// What is forgotten are all rows of units of which one matches, their proofs and the commands that were added, and nothing else.
func TestForget(t *testing.T) {
	d := store.Open(t.TempDir())
	old := row("s", "mine", "1")
	old.Status = "crash"
	write(t, d, "0", old, row("s", "fair", "2"))
	write(t, d, "1", row("s", "mine", "1"))
	write(t, d, "2", row("s", "fair", "3"))
	suites := []store.Requested{asked("s", "", "", "fair", "2", "3"), asked("s", "mine", "", "mine", "1"), asked("s", "other", "", "other", "4")}
	err := errors.Join(d.PutPlan(t.Context(), suites), d.SetUserAlgorithm("mine"), d.PutProof(id("1"), []byte("x")), d.PutProof(id("2"), []byte("x")))
	fail.On(t, err)
	n, err := d.Forget(t.Context(), func(r *bench.Record) bool { return r.Status == "crash" }, map[string]bool{"mine": true})
	if err != nil || n != 1 {
		t.Fatal(n, err)
	}
	var units []string
	rows, _ := read(t, d.WithUnplannedRows())
	for _, r := range rows {
		units = append(units, r.UnitID[31:])
	}
	files, _ := filepath.Glob(filepath.Join(d.Path(), "runs", "*.parquet"))
	slices.Sort(units)
	if !slices.Equal(units, []string{"2", "3"}) || len(files) != 2 {
		t.Errorf("units %v in %v", units, files)
	}
	for u, want := range map[string]string{"1": "", "2": "x"} {
		if proof, err := d.Proof(id(u)); string(proof) != want || err != nil {
			t.Errorf("proof %q, want %q: %v", proof, want, err)
		}
	}
	if got := slices.Sorted(maps.Keys(plan(t, d))); !slices.Equal(got, []string{"s", "sother"}) {
		t.Errorf("suites %v", got)
	}
	if p, err := d.Plan(); err != nil || p.UserAlgorithm != "" {
		t.Errorf("%+v, %v", p, err)
	}
	if n, err := d.Forget(t.Context(), func(*bench.Record) bool { return false }, nil); n != 0 || err != nil {
		t.Error(n, err)
	}
	fail.On(t, os.WriteFile(filepath.Join(d.Path(), "runs", "0-000009.parquet"), []byte("PAR1"), 0o666))
	if _, err := d.Forget(t.Context(), func(*bench.Record) bool { return true }, nil); err == nil {
		t.Error("rows are forgotten beside a file that cannot be read")
	}
	fail.On(t, os.WriteFile(filepath.Join(d.Path(), store.PlanFile), []byte(`{"fair":[]}`), 0o666))
	if rows, _ := read(t, d.WithUnplannedRows()); len(rows) != 2 {
		t.Errorf("%d rows are left", len(rows))
	}
}

// Instances are made durable, one by one or together, are read only if they are what their names say, and a damaged one is
// replaced.
func TestKeptInstances(t *testing.T) {
	d := store.Open(t.TempDir())
	if err := d.Sync(); err != nil { // there is nothing to keep, and no folder
		t.Error(err)
	}
	for n := range 10 {
		in := toyproblem.Instance(t, fmt.Sprint("i", n), float64(n))
		fail.On(t, d.PutInstance(in.SHA256, in.JSON))
		if n == 1 || n == 9 {
			fail.On(t, d.Sync())
		}
	}
	in := toyproblem.Instance(t, "i1", 1)
	if got, err := d.Instance(in.SHA256); err != nil || string(got) != string(in.JSON) {
		t.Errorf("%s, %v", got, err)
	}
	fail.On(t, os.WriteFile(d.InstancePath(in.SHA256), []byte("{}"), 0o666))
	if _, err := d.Instance(in.SHA256); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("another instance: %v", err)
	}
	fail.On(t, d.PutInstance(in.SHA256, in.JSON))
	if _, err := d.Instance(in.SHA256); err != nil {
		t.Error(err)
	}
	fail.On(t, os.Remove(d.InstancePath(in.SHA256)))
	if d.Sync() == nil {
		t.Error("an instance that is gone is durable")
	}
	fail.On(t, os.RemoveAll(filepath.Join(d.Path(), "instances")))
	fail.On(t, os.WriteFile(filepath.Join(d.Path(), "instances"), nil, 0o666))
	if d.PutInstance(in.SHA256, in.JSON) == nil {
		t.Error("an instance is kept in a file")
	}
}

// What counts as failed, how many rows there are, and that one bad file is an error where all are wanted.
func TestDone(t *testing.T) {
	value := 1.0
	for _, c := range []struct {
		done   store.Done
		failed bool
	}{
		{store.Done{Status: "crash"}, true},
		{store.Done{Status: "optimal"}, false},
		{store.Done{Status: "timeout"}, true},
		{store.Done{Status: "timeout", Objective: &value}, false},
		{store.Done{Status: "timeout", Bound: &value}, false},
	} {
		if got := c.done.Failed(); got != c.failed {
			t.Errorf("%+v failed: %v", c.done, got)
		}
	}
	d := store.Open(t.TempDir())
	write(t, d, "0", row("s", "fair", "1"), row("s", "fair", "2"))
	fail.On(t, os.WriteFile(filepath.Join(d.Path(), "runs", "0-000009.parquet"), []byte("PAR1"), 0o666))
	fail.On(t, os.Mkdir(filepath.Join(d.Path(), "runs", "0-000010.parquet"), 0o777))
	if n := d.Rows(); n != 2 {
		t.Errorf("%d rows", n)
	}
	bad := []*store.FileError{{Path: "x", Err: errors.New("torn")}}
	if _, err := store.All(0, nil, nil); err != nil {
		t.Error(err)
	}
	if _, err := store.All(0, bad, nil); err == nil || err.Error() != "x: torn" {
		t.Error(err)
	}
	if _, err := store.All(0, bad, errors.ErrUnsupported); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}

// The first rows are written early, and later ones after twice the time each, up to the delay; what cannot be written stays an error.
func TestEarly(t *testing.T) {
	d := store.Open(t.TempDir())
	w, err := d.NewRuns("0")
	fail.On(t, err)
	w.Rows, w.Delay, w.Early = 100, time.Hour, time.Millisecond
	if err := w.Append(row("s", "fair", "1")); err != nil || w.Early != 2*time.Millisecond {
		t.Errorf("%v, then %v", err, w.Early)
	}
	for rows := 0; rows < 1; { // hangs if it is not early
		all, _ := read(t, d)
		rows = len(all)
	}
	w.Early = time.Hour // which is not before the delay
	if err := w.Append(row("s", "fair", "2")); err != nil || w.Early != time.Hour {
		t.Errorf("%v, then %v", err, w.Early)
	}
	w.First = func() error { return errors.ErrUnsupported }
	if err := w.Flush(); !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
	if err := w.Append(row("s", "fair", "3")); !errors.Is(err, errors.ErrUnsupported) || !errors.Is(w.Close(), errors.ErrUnsupported) {
		t.Error(err)
	}
	if rows, _ := read(t, d); len(rows) != 1 {
		t.Errorf("%d rows", len(rows))
	}
}
