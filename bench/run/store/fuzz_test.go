package store

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/models/fail"
)

// FuzzShard: whatever a shard's file holds, sealed or not, it is read or refused, never a panic and never half of its rows.
func FuzzShard(f *testing.F) {
	dir := f.TempDir()
	w, err := Open(dir).NewRuns("x")
	fail.On(f, err)
	objective := 2.5
	for _, id := range []string{"a", "b"} {
		row := bench.Record{UnitID: id, Problem: "flex", Status: "optimal", StartedAt: time.Unix(0, 0).UTC()}
		row.Objective = &objective
		fail.On(f, w.Append(row))
	}
	fail.On(f, w.Close())
	data, err := os.ReadFile(filepath.Join(dir, runs, "x-000000.parquet"))
	fail.On(f, err)
	f.Add(data)
	f.Add(data[:len(data)/2])
	f.Add([]byte("PAR1 schedgap.sha256 PAR1"))
	schema := parquet.SchemaOf(new(bench.Record))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			t.Skip("larger inputs only cost time")
		}
		for range 2 {
			rows, err := decode[bench.Record](data, schema)
			if err != nil && rows != nil {
				t.Errorf("%d rows with the error %v", len(rows), err)
			}
			reseal(data) // so that the decoder has its turn, too
		}
	})
}

// reseal makes the seal of damaged contents right again, if they have one.
func reseal(file []byte) {
	if at := bytes.LastIndex(file, []byte(sealMark)); at >= 0 && at+len(unsealed) <= len(file) {
		copy(file[at:], unsealed)
		_ = seal(file) // the place is there
	}
}
