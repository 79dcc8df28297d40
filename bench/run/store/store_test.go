package store_test

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/bench/toyproblem"
	"schedgap/models"
	"schedgap/models/fail"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func p[T any](v T) *T { return &v }

// record is a row with a unit, and values, nulls and zeros of every type.
func record(unit, instance, algorithm string) bench.Record {
	return bench.Record{
		UnitID: unit, Instance: instance, Algorithm: algorithm, Status: "optimal", Seed: 1 << 60, Augmentation: 1.5,
		NJobs: p(int64(0)), Model: p("list"), Findings: models.Findings{Objective: p(0.1), Bound: p(0.0), Feasible: p(false)},
		StartedAt: time.Date(2026, 2, 28, 23, 59, 59, 123456000, time.UTC), Error: p("one\nline"),
	}
}

// write writes rows as one file of a shard.
func write(t *testing.T, d *store.Dir, shard string, rows ...bench.Record) {
	t.Helper()
	w, err := d.NewRuns(shard)
	fail.On(t, err)
	for _, r := range rows {
		fail.On(t, w.Append(r))
	}
	fail.On(t, w.Close())
}

func read(t *testing.T, d *store.Dir) ([]bench.Record, []*store.FileError) {
	t.Helper()
	rows, bad, err := d.Records(t.Context())
	fail.On(t, err)
	return rows, bad
}

// What is written is what is read: nulls stay nulls, zeros stay zeros, in the order of instance and algorithm.
func TestRoundTrip(t *testing.T) {
	d := store.Open(t.TempDir())
	a, b, c := record("u1", "i1", "b"), record("u2", "i1", "a"), record("u3", "i0", "z")
	c.Model, c.Objective, c.Feasible, c.NJobs = nil, nil, nil, nil
	write(t, d, "0", a, b)
	write(t, d, "1", c)
	rows, bad := read(t, d)
	if diff := gocmp.Diff([]bench.Record{c, b, a}, rows); diff != "" || len(bad) > 0 {
		t.Errorf("bad files %v, rows (-want +got):\n%s", bad, diff)
	}
	// Of neighbours, equal numbers are kept once, and −0 is not 0.
	numbers := []float64{0, math.Copysign(0, -1), 0, 1, 1, 2, 1}
	var all []bench.Record
	for k, v := range numbers {
		r := record(fmt.Sprint("m", k), "i2", fmt.Sprint(k))
		r.Objective = &v
		all = append(all, r)
	}
	write(t, d, "2", all...)
	rows, _ = read(t, d)
	for k, v := range numbers {
		if r := rows[3+k]; *r.Objective != v || math.Signbit(*r.Objective) != math.Signbit(v) {
			t.Errorf("%s has %v, want %v", r.UnitID, *r.Objective, v)
		}
	}
	sim := bench.SimRecord{RunID: "r", Workload: "w", Scope: "job", Job: p("j"), Metric: "response", Value: 2.5}
	w, err := d.NewSim("0")
	fail.On(t, err)
	fail.On(t, errors.Join(w.Append(sim), w.Close()))
	got, bad, err := d.Sim(t.Context())
	if diff := gocmp.Diff([]bench.SimRecord{sim}, got); diff != "" || err != nil || len(bad) > 0 {
		t.Errorf("%v, bad files %v, rows (-want +got):\n%s", err, bad, diff)
	}
}

// The file tells other tools its version, its order, its compression and that times are UTC.
func TestFooter(t *testing.T) {
	d := store.Open(t.TempDir())
	write(t, d, "0", record("u1", "i", "a"))
	data, err := os.ReadFile(filepath.Join(d.Path(), "runs", "0-000000.parquet"))
	fail.On(t, err)
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	fail.On(t, err)
	if v, _ := f.Lookup("schedgap.schema_version"); v != fmt.Sprint(bench.SchemaVersion) {
		t.Errorf("schema version %q", v)
	}
	group := f.Metadata().RowGroups[0]
	for i, want := range []string{"instance", "algorithm"} {
		if got := f.Schema().Columns()[group.SortingColumns[i].ColumnIdx][0]; got != want {
			t.Errorf("sorting column %d is %s, want %s", i, got, want)
		}
	}
	for i, c := range group.Columns {
		path := f.Schema().Columns()[i]
		if len(path) != 1 || strings.ToLower(path[0]) != path[0] {
			t.Errorf("column %v is not flat and in lower case", path)
		}
		if c.MetaData.Codec.String() != "ZSTD" {
			t.Errorf("column %v has the codec %v", path, c.MetaData.Codec)
		}
	}
	if got := f.Schema().String(); !strings.Contains(got, "started_at (TIMESTAMP(isAdjustedToUTC=true,unit=MICROS))") {
		t.Errorf("started_at is no UTC timestamp in\n%s", got)
	}
}

// A later run's row replaces an earlier one, whatever shards the two belong to.
func TestNewestWins(t *testing.T) {
	d := store.Open(t.TempDir())
	first, again := record("u", "i", "a"), record("u", "i", "a")
	first.Status, again.Status = "timeout", "optimal"
	write(t, d, "7", first, record("other", "i", "b"))
	write(t, d, "0", again)
	rows, _ := read(t, d)
	if len(rows) != 2 || rows[0].Status != "optimal" {
		t.Errorf("rows %+v", rows)
	}
	done, bad, err := d.DoneUnits(t.Context())
	want := map[string]store.Done{
		"u":     {UnitID: "u", Algorithm: "a", Status: "optimal", Objective: p(0.1), Bound: p(0.0)},
		"other": {UnitID: "other", Algorithm: "b", Status: "optimal", Objective: p(0.1), Bound: p(0.0)},
	}
	if diff := gocmp.Diff(want, done); diff != "" || err != nil || len(bad) > 0 {
		t.Errorf("%v, %v, done units (-want +got):\n%s", bad, err, diff)
	}
}

// A file that is damaged anywhere is named, and none of its rows is read.
func TestDamage(t *testing.T) {
	d := store.Open(t.TempDir())
	write(t, d, "0", record("u1", "i1", "a"), record("u2", "i2", "a"))
	path := filepath.Join(d.Path(), "runs", "0-000000.parquet")
	data, err := os.ReadFile(path)
	fail.On(t, err)
	check := func(what string, damaged []byte) {
		t.Helper()
		fail.On(t, os.WriteFile(path, damaged, 0o666))
		if rows, bad := read(t, d); len(rows) != 0 || len(bad) != 1 || bad[0].Path != path || bad[0].Version {
			t.Errorf("%s: bad files %v, rows %v", what, bad, rows)
		}
	}
	for _, n := range []int{0, 1, 4, 12, len(data) / 2, len(data) - 1} {
		check(fmt.Sprintf("cut to %d bytes", n), data[:n])
	}
	check("torn: the end is there, the middle is zero", append(make([]byte, len(data)/2), data[len(data)/2:]...))
	check("a mark without a digest", []byte("PAR1sha256:PAR1"))
	if _, bad := read(t, d); len(bad) != 1 || !strings.Contains(bad[0].Error(), "foreign or damaged") {
		t.Errorf("a mark without a digest: %v", bad)
	}
	for i := 0; i < len(data); i += 7 {
		damaged := bytes.Clone(data)
		damaged[i] ^= 0x10
		check(fmt.Sprintf("bit 4 of byte %d of %d flipped", i, len(data)), damaged)
	}
}

// A file of no rows has none, and is no bad file.
func TestNoRows(t *testing.T) {
	var file bytes.Buffer
	w := parquet.NewGenericWriter[bench.Record](&file, parquet.KeyValueMetadata(bench.SchemaKey, strconv.Itoa(bench.SchemaVersion)),
		parquet.KeyValueMetadata(store.SealKey, store.Unsealed))
	fail.On(t, errors.Join(w.Close(), store.Seal(file.Bytes())))
	d := store.Open(t.TempDir())
	fail.On(t, store.WriteFile(filepath.Join(d.Path(), "runs", "0-000000.parquet"), file.Bytes()))
	if rows, bad := read(t, d); len(rows) != 0 || len(bad) != 0 {
		t.Errorf("rows %v, bad files %v", rows, bad)
	}
}

// Files that are sound but not ours are named, with the reason.
func TestForeign(t *testing.T) {
	type other struct {
		UnitID string `parquet:"unit_id"`
	}
	for _, c := range []struct {
		file          string
		schema        string
		sealed        bool
		reason        string
		fromElsewhere bool
	}{
		{"0-000000.parquet", "1", false, "foreign", false},
		{"0-000000.parquet", "99", true, `"99", this program reads 1`, true},
		{"0-000000.parquet", "1", true, "no column run_id", false},
		{"copy of mine.parquet", "1", true, "not named", false},
	} {
		var buf bytes.Buffer
		options := []parquet.WriterOption{parquet.KeyValueMetadata(bench.SchemaKey, c.schema)}
		if c.sealed {
			options = append(options, parquet.KeyValueMetadata(store.SealKey, store.Unsealed))
		}
		w := parquet.NewGenericWriter[other](&buf, options...)
		if _, err := w.Write([]other{{"u"}}); err != nil {
			t.Fatal(err)
		}
		fail.On(t, w.Close())
		if c.sealed {
			fail.On(t, store.Seal(buf.Bytes()))
		}
		d := store.Open(t.TempDir())
		path := filepath.Join(d.Path(), "runs", c.file)
		fail.On(t, store.WriteFile(path, buf.Bytes()))
		rows, bad := read(t, d)
		if len(rows) != 0 || len(bad) != 1 || !strings.Contains(bad[0].Error(), c.reason) || bad[0].Version != c.fromElsewhere {
			t.Errorf("%s: rows %v, bad files %v; want the reason %q", c.file, rows, bad, c.reason)
		}
	}
}

// A file from before the last columns came is read, with nulls in them, and so is one with a column that this program does not
// know. The unit of both has the same id ever since, so that it is not run again.
func TestOtherColumns(t *testing.T) {
	const id = "109ea8698de2a448f7ce7b3288c68ae8"
	in := toyproblem.Instance(t, "toy", 1)
	u := bench.Unit{
		Suite: "s", Source: "files", Instance: in, Request: bench.Request{Algorithm: "good", Seed: 1, Threads: 1},
		Limits: bench.Limits{Time: time.Minute},
	}
	if got, err := u.ID(); got != id || err != nil {
		t.Errorf("the unit's id is %s, %v", got, err)
	}
	want := record(id, "toy", "good")
	want.Problem, want.InstanceSHA256, want.Suite, want.Source = "toy", in.SHA256, "s", "files"
	want.Nodes, want.WallSeconds, want.CPUSeconds = p(int64(7)), p(0.25), p(0.2)
	for _, name := range []string{"earlier", "later"} {
		data, err := os.ReadFile("testdata/" + name + ".parquet")
		fail.On(t, err)
		d := store.Open(t.TempDir())
		fail.On(t, store.WriteFile(filepath.Join(d.Path(), "runs", "0-000000.parquet"), data))
		rows, bad := read(t, d)
		if diff := gocmp.Diff([]bench.Record{want}, rows); diff != "" || len(bad) > 0 {
			t.Errorf("%s: bad files %v, rows (-want +got):\n%s", name, bad, diff)
		}
		if done, _, err := d.DoneUnits(t.Context()); len(done) != 1 || done[id].Status != "optimal" || err != nil {
			t.Errorf("%s: done units %v, %v", name, done, err)
		}
	}
}

// A bad file that was set aside is out of the readers' way, and its number is not used again.
func TestSetAside(t *testing.T) {
	d := store.Open(t.TempDir())
	fail.On(t, store.WriteFile(filepath.Join(d.Path(), "runs", "0-000004.parquet"), []byte("PAR1")))
	_, bad := read(t, d)
	if len(bad) != 1 {
		t.Fatalf("bad files %v", bad)
	}
	if _, err := d.SetAside(bad[0]); err != nil {
		t.Fatal(err)
	}
	write(t, d, "0", record("u", "i", "a"))
	if _, err := os.Stat(filepath.Join(d.Path(), "runs", "0-000005.parquet")); err != nil {
		t.Error(err)
	}
	if rows, bad := read(t, d); len(rows) != 1 || len(bad) != 0 {
		t.Errorf("rows %v, bad files %v", rows, bad)
	}
}

// Rows reach the disk when enough of them wait, and when the first has waited long enough.
func TestFlush(t *testing.T) {
	d := store.Open(t.TempDir())
	w, err := d.NewRuns("0")
	fail.On(t, err)
	if idle, err := d.NewRuns("1"); err != nil || idle.Close() != nil {
		t.Error("a writer without rows does not close")
	}
	w.Rows, w.Delay = 2, time.Hour
	for i, want := range []int{0, 2, 2} {
		fail.On(t, w.Append(record(fmt.Sprint(i), "i", "a")))
		if rows, _ := read(t, d); len(rows) != want {
			t.Errorf("%d rows on the disk after %d, want %d", len(rows), i+1, want)
		}
	}
	w.Rows, w.Delay = 1000, time.Millisecond
	fail.On(t, errors.Join(w.Flush(), w.Append(record("late", "i", "a"))))
	for rows := 0; rows < 4; { // hangs if the delay does nothing
		all, _ := read(t, d)
		rows = len(all)
	}
	fail.On(t, w.Close())
	if w.Append(record("x", "i", "a")) == nil {
		t.Error("a closed writer takes rows")
	}
}

// A shard has one writer at a time, who tidies up after a killed one and touches no other shard's files.
func TestLock(t *testing.T) {
	d := store.Open(filepath.Join(t.TempDir(), "run [1]")) // which is no pattern
	unlock, err := d.Lock("0")
	fail.On(t, err)
	if _, err := d.Lock("0"); !errors.Is(err, store.ErrLocked) {
		t.Errorf("a second lock: %v", err)
	}
	other, err := d.Lock("1")
	fail.On(t, err)
	other()
	unlock()
	runs := filepath.Join(d.Path(), "runs")
	for _, f := range []string{".0-000000.parquet.1.tmp", ".1-000000.parquet.1.tmp"} {
		fail.On(t, os.WriteFile(filepath.Join(runs, f), nil, 0o666))
	}
	unlock, err = d.Lock("0")
	fail.On(t, err)
	defer unlock()
	left, err := fs.Glob(os.DirFS(runs), ".*.tmp")
	if err != nil || len(left) != 1 || left[0] != ".1-000000.parquet.1.tmp" {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Instances are kept under their hash, byte for byte.
func TestPutInstance(t *testing.T) {
	d := store.Open(t.TempDir())
	in := toyproblem.Instance(t, "one", 1)
	fail.On(t, errors.Join(d.PutInstance(in.SHA256, in.JSON), d.PutInstance(in.SHA256, in.JSON)))
	got, err := os.ReadFile(d.InstancePath(in.SHA256))
	if err != nil || !bytes.Equal(got, in.JSON) {
		t.Errorf("%q, %v; want %q", got, err, in.JSON)
	}
}

// A dataset that does not exist is empty.
func TestMissing(t *testing.T) {
	rows, bad := read(t, store.Open(filepath.Join(t.TempDir(), "none")))
	if len(rows)+len(bad) != 0 {
		t.Errorf("rows %v, bad files %v", rows, bad)
	}
}

// BenchmarkRecords reads 20,000 rows, a thousand a file.
func BenchmarkRecords(b *testing.B) {
	d := store.Open(b.TempDir())
	w, err := d.NewRuns("0")
	fail.On(b, err)
	for i := range 20_000 {
		fail.On(b, w.Append(record(fmt.Sprintf("%032d", i), fmt.Sprintf("i%d", i/20), fmt.Sprintf("a%d", i%20))))
	}
	fail.On(b, w.Close())
	for b.Loop() {
		if rows, bad, err := d.Records(b.Context()); err != nil || len(bad) > 0 || len(rows) != 20_000 {
			b.Fatal(len(rows), bad, err)
		}
	}
}

// A file without a folder in its name goes into the current folder.
func TestWriteFileHere(t *testing.T) {
	t.Chdir(t.TempDir())
	fail.On(t, store.WriteFile("here", []byte("x")))
	if got, err := os.ReadFile("here"); err != nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
}

// A number of ten digits is a number, and the last of eighteen ends the folder with a sentence instead of an unreadable file.
func TestLargeSequence(t *testing.T) {
	d := store.Open(t.TempDir())
	runs := filepath.Join(d.Path(), "runs")
	fail.On(t, store.WriteFile(filepath.Join(runs, "0-999999999.parquet.bad"), nil))
	write(t, d, "0", record("u", "i", "a"))
	if rows, bad := read(t, d); len(rows) != 1 || len(bad) != 0 {
		t.Errorf("rows %v, bad files %v", rows, bad)
	}
	if _, err := os.Stat(filepath.Join(runs, "0-1000000000.parquet")); err != nil {
		t.Error(err)
	}
	fail.On(t, store.WriteFile(filepath.Join(runs, "0-999999999999999998.parquet.bad"), nil))
	write(t, d, "0", record("u", "i", "b")) // has the last number
	if rows, bad := read(t, d); len(rows) != 1 || rows[0].Algorithm != "b" || len(bad) != 0 {
		t.Errorf("rows %v, bad files %v", rows, bad)
	}
	if _, err := d.NewRuns("0"); err == nil || !strings.HasSuffix(err.Error(), "no sequence number is left after that of the last file, 999999999999999999") {
		t.Error(err)
	}
}

// What has the name of a file with rows and is none, such as a folder, is a bad file, which can be set aside.
func TestFolderForFile(t *testing.T) {
	d := store.Open(t.TempDir())
	fail.On(t, os.MkdirAll(filepath.Join(d.Path(), "runs", "0-000001.parquet"), 0o777))
	write(t, d, "0", record("u", "i", "a"))
	rows, bad := read(t, d)
	if len(rows) != 1 || len(bad) != 1 {
		t.Fatalf("rows %v, bad files %v", rows, bad)
	}
	if _, err := d.SetAside(bad[0]); err != nil {
		t.Error(err)
	}
	_, bad = read(t, d)
	if len(bad) != 0 {
		t.Errorf("bad files %v", bad)
	}
}

// A file of an older version calls the gap of a proof gap, which is read all the same.
func TestOldNames(t *testing.T) {
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeFor[bench.Record]()) {
		if tag := f.Tag.Get("parquet"); tag != "" && tag != "-" {
			f.Tag = reflect.StructTag(strings.Replace(string(f.Tag), `"mip_gap`, `"gap`, 1))
			f.Index, f.Offset, f.Anonymous = nil, 0, false
			fields = append(fields, f)
		}
	}
	old := reflect.New(reflect.StructOf(fields))
	gap := 0.25
	old.Elem().FieldByName("Gap").Set(reflect.ValueOf(&gap))
	path := filepath.Join(t.TempDir(), "old.parquet")
	f, err := os.Create(path)
	fail.On(t, err)
	w := parquet.NewWriter(f, parquet.SchemaOf(old.Interface()))
	fail.On(t, cmp.Or(w.Write(old.Interface()), w.Close(), f.Close()))
	var got []bench.Record
	fail.On(t, store.EachRow(path, func(rows []bench.Record) error { got = append(got, rows...); return nil }))
	if len(got) != 1 || got[0].Gap == nil || *got[0].Gap != gap {
		t.Errorf("%+v", got)
	}
}
