package compare_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/models/fail"
	"schedgap/reports/compare"
	"schedgap/reports/internal/fake"
)

// stored puts records into a results folder and returns it and its one file.
func stored(t *testing.T, records []bench.Record) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	w, err := store.Open(dir).NewRuns("0000")
	fail.On(t, err)
	w.Rows = len(records) + 1
	for _, r := range records {
		fail.On(t, w.Append(r))
	}
	fail.On(t, w.Close())
	return dir, filepath.Join(dir, "runs", "0000-000000.parquet")
}

// A folder and its file have the same rows; a file of more rows than are read at a time is read whole.
func TestRead(t *testing.T) {
	records, _ := fake.Experiment(500, rand.New(rand.NewPCG(1, 2))) // 5000 rows and more
	dir, file := stored(t, records)
	folder, err := compare.Read(t.Context(), dir)
	fail.On(t, err)
	one, err := compare.Read(t.Context(), file)
	fail.On(t, err)
	if d := cmp.Diff(folder.Records, one.Records); d != "" || len(one.Records) != len(records) || folder.Asked != nil {
		t.Errorf("%d rows of %d: %.500s", len(one.Records), len(records), d)
	}
}

// A file of another program may count time in other units, and one from before the last columns came has nulls in them.
func TestReadOther(t *testing.T) {
	want := solved("a", "fair", 1)
	path := filepath.Join(t.TempDir(), "nanos.parquet")
	var file strings.Builder
	schema := parquet.SchemaOf(want, parquet.StructTag(`parquet:"started_at,timestamp(nanosecond)"`, "StartedAt"))
	fail.On(t, parquet.Write(&file, []bench.Record{want}, schema))
	fail.On(t, os.WriteFile(path, []byte(file.String()), 0o644))
	side, err := compare.Read(t.Context(), path)
	if err != nil || len(side.Records) != 1 || !side.Records[0].StartedAt.Equal(want.StartedAt) {
		t.Errorf("%+v, %v", side.Records, err)
	}
	side, err = compare.Read(t.Context(), "../../bench/run/store/testdata/earlier.parquet")
	if err != nil || len(side.Records) != 1 || *side.Records[0].Nodes != 7 || side.Records[0].Rows != nil {
		t.Errorf("%+v, %v", side.Records, err)
	}
}

// What is no result set is refused in one sentence that names the file, be it a folder's or a file of its own.
func TestReadRefuses(t *testing.T) {
	dir, file := stored(t, []bench.Record{solved("a", "fair", 1)})
	good, err := os.ReadFile(file)
	fail.On(t, err)
	put := func(name string, data []byte) string {
		path := filepath.Join(t.TempDir(), name)
		fail.On(t, os.WriteFile(path, data, 0o644))
		return path
	}
	fail.On(t, os.WriteFile(file, good[:len(good)/2], 0o644))
	damaged := slices.Clone(good)
	for i := 8; i < len(damaged)-200; i += 3 {
		damaged[i] ^= 0xff
	}
	type other struct {
		UnitID string `parquet:"unit_id"`
	}
	var narrow strings.Builder
	fail.On(t, parquet.Write(&narrow, []other{{"x"}}))
	for name, c := range map[string]struct{ path, says string }{
		"torn file in a folder": {dir, "0000-000000.parquet"},
		"no such file":          {filepath.Join(dir, "none.parquet"), "no such file"},
		"empty folder":          {t.TempDir(), "holds no results"},
		"text":                  {put("text.parquet", []byte("hello")), "text.parquet"},
		"damaged":               {put("damaged.parquet", damaged), "damaged.parquet"},
		"another table":         {put("other.parquet", []byte(narrow.String())), "no column"},
	} {
		_, err := compare.Read(t.Context(), c.path)
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
