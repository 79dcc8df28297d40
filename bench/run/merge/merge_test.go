package merge

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/simrun"
	"schedgap/bench/run/store"
	"schedgap/bench/toyproblem"
	"schedgap/models"
	"schedgap/models/fail"
)

// id is a unit's for short.
func id(u string) string { return strings.Repeat("0", 32-len(u)) + u }

// results makes a results folder with a row for each unit, all started at an hour, and a plan that holds the units.
func results(t *testing.T, in *bench.Instance, hour int, units ...string) string {
	t.Helper()
	path := t.TempDir()
	dir := store.Open(path)
	w, err := dir.NewRuns("0000")
	fail.On(t, err)
	for i, u := range units {
		units[i] = id(u)
		err = errors.Join(err, w.Append(bench.Record{
			UnitID: id(u), Instance: in.Name, InstanceSHA256: in.SHA256, Algorithm: "first", Status: "feasible",
			StartedAt: time.Date(2030, 1, 1, hour, 0, 0, 0, time.UTC),
		}))
	}
	plan := `{"first":["` + strings.Join(units, `","`) + `"]}`
	err = errors.Join(err, w.Close(), dir.PutInstance(in.SHA256, in.JSON),
		store.WriteFile(filepath.Join(path, "plan.json"), []byte(plan)),
		store.WriteFile(filepath.Join(path, "suite.yaml"), []byte("name: s\n")))
	fail.On(t, err)
	return path
}

// TestRun: two folders with the units 1, 2 and 2, 3 come to three rows, of which unit 2's is the later; plans and suites are
// put together; a second merge adds nothing.
func TestRun(t *testing.T) {
	a := results(t, toyproblem.Instance(t, "x", 1, 2), 9, "1", "2")
	b := results(t, toyproblem.Instance(t, "y", 3, 4), 8, "2", "3")
	out := filepath.Join(t.TempDir(), "out")
	for _, want := range []Summary{{Rows: 3, Instances: 2}, {}} {
		s, err := Run(t.Context(), []string{a, b}, out)
		fail.On(t, err)
		if *s != want {
			t.Errorf("added %+v, want %+v", *s, want)
		}
	}
	if _, err := Run(t.Context(), []string{t.TempDir()}, out); err == nil || !strings.Contains(err.Error(), "holds no results") {
		t.Errorf("of an empty folder: %v", err)
	}
	rows, bad, err := store.Open(out).Records(t.Context())
	if err != nil || len(bad) > 0 || len(rows) != 3 {
		t.Fatalf("%d rows: %v %v", len(rows), bad, err)
	}
	for _, r := range rows {
		if want := map[string]int{id("1"): 9, id("2"): 9, id("3"): 8}[r.UnitID]; r.StartedAt.UTC().Hour() != want {
			t.Errorf("unit %s is of %v, want hour %d", r.UnitID, r.StartedAt, want)
		}
		if _, err := os.Stat(store.Open(out).InstancePath(r.InstanceSHA256)); err != nil {
			t.Error(err)
		}
	}
	for file, want := range map[string]string{
		"plan.json": `{"suites":[{"problem":"","suite":"","yaml":"name: s\n","units":[{"algorithm":"first","unit_ids":["` + id("1") + `","` +
			id("2") + `","` + id("3") + `"]}]}]}`,
		"suite.yaml": "name: s\n",
	} {
		if data, err := os.ReadFile(filepath.Join(out, file)); err != nil || string(data) != want {
			t.Errorf("%s is %s, want %s: %v", file, data, want, err)
		}
	}
}

// TestInterrupted: the row of an interrupted unit never takes the place of another, whenever it was started.
func TestInterrupted(t *testing.T) {
	in := toyproblem.Instance(t, "x", 1, 2)
	good, later := results(t, in, 8, "1"), results(t, in, 9, "1")
	rows, err := store.All(store.Open(later).Records(t.Context()))
	fail.On(t, err)
	rows[0].Status = string(bench.Interrupted)
	w, err := store.Open(later).NewRuns("0000")
	fail.On(t, errors.Join(err, w.Append(rows...), w.Close(), os.Remove(filepath.Join(later, "runs", "0000-000000.parquet"))))
	for _, from := range [][]string{{good, later}, {later, good}} {
		out := filepath.Join(t.TempDir(), "out")
		if _, err := Run(t.Context(), from, out); err != nil {
			t.Fatal(err)
		}
		rows, err := store.All(store.Open(out).WithUnplannedRows().Records(t.Context()))
		if err != nil || len(rows) != 1 || rows[0].Status == string(bench.Interrupted) {
			t.Errorf("%+v, %v", rows, err)
		}
	}
}

// TestKept: the proof, the solution and the progress of a row come with it, those of an older run of the unit do not; a proof that
// is not the one that the row names is an error, one that is not there is none.
func TestKept(t *testing.T) {
	in, proof := toyproblem.Instance(t, "x", 1, 2), []byte("proof")
	kept := func(mine *string) string {
		path := t.TempDir()
		dir := store.Open(path)
		rows, err := dir.NewRuns("0000")
		solutions, err1 := dir.NewSolutions("0000")
		progress, err2 := dir.NewProgress("0000")
		fail.On(t, errors.Join(err, err1, err2))
		for _, u := range []string{"1", "2"} {
			r := bench.Record{
				UnitID: id(u), RunID: "new", Instance: in.Name, InstanceSHA256: in.SHA256, Algorithm: "first", Status: "feasible", StartedAt: time.Now(),
			}
			if u == "1" {
				r.ProofSHA256 = mine
				err = errors.Join(err, solutions.Append(store.Solution{UnitID: id(u), RunID: "new", Text: []byte("{}")}))
			}
			err = errors.Join(
				err, rows.Append(r), progress.Append(bench.ProgressRecord{UnitID: id(u), RunID: "old"}, bench.ProgressRecord{UnitID: id(u), RunID: "new"}),
				dir.PutProof(id(u), proof),
			)
		}
		err = errors.Join(err, solutions.Close(), progress.Close(), rows.Close(), dir.PutInstance(in.SHA256, in.JSON))
		fail.On(t, err)
		return path
	}
	from, out := kept(new(models.Digest(proof))), filepath.Join(t.TempDir(), "out")
	if _, err := Run(t.Context(), []string{from}, out); err != nil {
		t.Fatal(err)
	}
	dir := store.Open(out)
	var progress []string
	_, err := dir.EachProgress(t.Context(), func(rows []bench.ProgressRecord) {
		for _, r := range rows {
			progress = append(progress, r.RunID+r.UnitID[31:])
		}
	})
	slices.Sort(progress)
	if err != nil || !slices.Equal(progress, []string{"new1", "new2"}) {
		t.Errorf("progress %v: %v", progress, err)
	}
	for u, want := range map[string]string{"1": "{}proof", "2": ""} {
		text, err := dir.Solution("new", id(u))
		data, err1 := dir.Proof(id(u))
		if got := string(text) + string(data); got != want || errors.Join(err, err1) != nil {
			t.Errorf("unit %s has %q, want %q: %v", u, got, want, errors.Join(err, err1))
		}
	}
	if _, err := Run(t.Context(), []string{kept(new(models.Digest([]byte("other"))))}, filepath.Join(t.TempDir(), "out")); err == nil ||
		!strings.Contains(err.Error(), "damaged") {
		t.Errorf("another proof: %v", err)
	}
	fail.On(t, os.Remove(store.Open(from).ProofPath(id("1"))))
	if _, err := Run(t.Context(), []string{from}, filepath.Join(t.TempDir(), "out")); err != nil {
		t.Errorf("without the proof: %v", err)
	}
	fail.On(t, os.Mkdir(store.Open(from).ProofPath(id("1")), 0o777))
	if _, err := Run(t.Context(), []string{from}, filepath.Join(t.TempDir(), "out")); err == nil {
		t.Error("a proof that cannot be read is left out")
	}
}

// TestOneOfEach: a folder with a row of a unit and one of a simulation, and without a plan, holds results; a merge that adds no row
// of a unit writes none.
func TestOneOfEach(t *testing.T) {
	from, out := results(t, toyproblem.Instance(t, "x", 1, 2), 9, "1"), filepath.Join(t.TempDir(), "out")
	_, err := simrun.Store(t.Context(), store.Open(from), []bench.SimRecord{{RunID: "0123456789abcdef0123456789abcdef", Problem: "toy"}})
	fail.On(t, errors.Join(err, os.Remove(filepath.Join(from, "plan.json"))))
	for _, want := range []Summary{{Rows: 1, SimRows: 1, Instances: 1}, {}} {
		if s, err := Run(t.Context(), []string{from}, out); err != nil || *s != want {
			t.Errorf("added %+v, want %+v: %v", s, want, err)
		}
	}
	files, err := filepath.Glob(filepath.Join(out, "*", "*.parquet"))
	if err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestDamaged: a folder with a file that cannot be read, or with an instance that is not what its name says, is not merged.
func TestDamaged(t *testing.T) {
	in := toyproblem.Instance(t, "x", 1, 2)
	torn := results(t, in, 9, "1")
	fail.On(t, os.WriteFile(filepath.Join(torn, "runs", "0001-000009.parquet"), []byte("PAR1"), 0o644))
	forged := results(t, in, 9, "1")
	fail.On(t, os.WriteFile(store.Open(forged).InstancePath(in.SHA256), []byte("{}"), 0o644))
	for path, want := range map[string]string{torn: "0001-000009.parquet", forged: in.SHA256 + ".json"} {
		out := filepath.Join(t.TempDir(), "out")
		_, err := Run(t.Context(), []string{path}, out)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not name %s", err, want)
		}
		if rows, _, err := store.Open(out).Records(t.Context()); len(rows) > 0 || err != nil {
			t.Errorf("%d rows were merged: %v", len(rows), err)
		}
	}
}

// TestForged: what a row or a file of a foreign folder says leads neither out of the output nor out of that folder.
func TestForged(t *testing.T) {
	in := toyproblem.Instance(t, "x", 1, 2)
	secret := filepath.Join(t.TempDir(), "secret")
	write := func(path, text string) {
		t.Helper()
		fail.On(t, store.WriteFile(path, []byte(text)))
	}
	write(secret, "mine")
	for name, c := range map[string]struct {
		forge bench.Record
		want  string
	}{
		"unit":     {bench.Record{UnitID: "../../settings", InstanceSHA256: in.SHA256}, `a row of unit "../../settings"`},
		"instance": {bench.Record{UnitID: id("1"), InstanceSHA256: "../../x"}, `on instance "../../x"`},
	} {
		home := t.TempDir()
		from, out := filepath.Join(home, "from"), filepath.Join(home, "b", "c", "out")
		write(filepath.Join(home, "settings.json"), "forged")
		write(filepath.Join(home, "b", "c", "settings.json"), "mine")
		dir := store.Open(from)
		w, err := dir.NewRuns("0000")
		if err == nil {
			c.forge.StartedAt = time.Now()
			err = errors.Join(w.Append(c.forge), w.Close(), dir.PutInstance(in.SHA256, in.JSON))
		}
		fail.On(t, err)
		if _, err := Run(t.Context(), []string{from}, out); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if data, err := os.ReadFile(filepath.Join(home, "b", "c", "settings.json")); err != nil || string(data) != "mine" {
			t.Errorf("%s: a file outside is now %q: %v", name, data, err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the output was begun", name)
		}
	}
	from, out := results(t, in, 9, "1"), filepath.Join(t.TempDir(), "out")
	link := filepath.Join(from, "solutions", id("1")+".json")
	fail.On(t, errors.Join(os.MkdirAll(filepath.Dir(link), 0o777), os.Symlink(secret, link)))
	if _, err := Run(t.Context(), []string{from}, out); err == nil {
		t.Error("a link out of the folder was followed")
	}
}
