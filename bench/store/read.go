package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"schedgap/bench"

	"github.com/parquet-go/parquet-go"
)

// Records reads the rows of all units, one a unit, sorted by instance and algorithm. Files that cannot be read are listed,
// and their rows are missing.
func (d *Dir) Records(ctx context.Context) ([]bench.Record, []*FileError, error) {
	rows, bad, err := newest(ctx, d, func(r *bench.Record) string { return r.UnitID })
	slices.SortFunc(rows, compareRecords)
	return rows, bad, err
}

// A Done is what a runner must know of a unit that has a row.
type Done struct {
	UnitID    string   `parquet:"unit_id"`
	Algorithm string   `parquet:"algorithm,dict"`
	Status    string   `parquet:"status,dict"`
	Objective *float64 `parquet:"objective,optional"`
	Bound     *float64 `parquet:"bound,optional"`
}

// Failed reports whether the unit came to nothing: crash, error, oom, invalid, or a timeout without a value and a bound. A
// proof that there is no solution is something, and a skipped unit was never tried.
func (d Done) Failed() bool {
	switch bench.Status(d.Status) {
	case bench.Crash, bench.Error, bench.OOM, bench.Invalid:
		return true
	case bench.Timeout:
		return d.Objective == nil && d.Bound == nil
	}
	return false
}

// DoneUnits returns the units that have a row, by ID. Files that cannot be read are listed, and their units are missing.
func (d *Dir) DoneUnits(ctx context.Context) (map[string]Done, []*FileError, error) {
	rows, bad, err := newest(ctx, d, func(r *Done) string { return r.UnitID })
	done := make(map[string]Done, len(rows))
	for _, r := range rows {
		done[r.UnitID] = r
	}
	return done, bad, err
}

// Sim reads the rows of all simulations, in the order of their files.
func (d *Dir) Sim(ctx context.Context) ([]bench.SimRecord, []*FileError, error) {
	var rows []bench.SimRecord
	bad, err := scan[bench.SimRecord](ctx, d, sims, func(r []bench.SimRecord) { rows = append(rows, r...) })
	return rows, bad, err
}

// newest reads the columns of R of DIR/runs and keeps the newest row of each unit.
func newest[R any](ctx context.Context, d *Dir, unit func(*R) string) ([]R, []*FileError, error) {
	var rows []R
	seen := map[string]bool{}
	bad, err := scan[bench.Record](ctx, d, runs, func(file []R) {
		for i := range file {
			if id := unit(&file[i]); !seen[id] {
				seen[id] = true
				rows = append(rows, file[i])
			}
		}
	})
	return rows, bad, err
}

// scan reads the columns of R out of the files of a subfolder, the newest file first. The files must have the schema of
// Full. A file's rows are handed on only when all of them were read.
func scan[Full, R any](ctx context.Context, d *Dir, sub string, take func([]R)) ([]*FileError, error) {
	files, err := d.files(sub)
	if err != nil {
		return nil, err
	}
	schema := parquet.SchemaOf(new(Full))
	var bad []*FileError
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return bad, err
		}
		var fe *FileError
		rows, err := readFile[R](f, schema)
		switch {
		case errors.As(err, &fe):
			bad = append(bad, fe)
		case err != nil:
			return bad, err
		default:
			take(rows)
		}
	}
	return bad, nil
}

// readFile reads the columns of R out of one file. What the file's contents are to blame for is a FileError.
func readFile[R any](sf shardFile, schema *parquet.Schema) ([]R, error) {
	data, err := os.ReadFile(sf.path)
	if err != nil {
		return nil, fmt.Errorf("reading results: %w", err)
	}
	bad := &FileError{Path: sf.path}
	if !sf.named {
		bad.Err = errors.New("not named <shard>-<sequence>.parquet")
		return nil, bad
	}
	if bad.Err = checkSeal(data); bad.Err != nil {
		return nil, bad
	}
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)),
		parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		bad.Err = err
		return nil, bad
	}
	version, _ := f.Lookup(bench.SchemaKey)
	switch want := strconv.Itoa(bench.SchemaVersion); {
	case version != want:
		bad.Version = true
		bad.Err = fmt.Errorf("%s is %q, this program reads %s", bench.SchemaKey, version, want)
	case !parquet.EqualNodes(f.Schema(), schema):
		bad.Err = fmt.Errorf("its columns are not those of %s %s", bench.SchemaKey, version)
	default:
		r := parquet.NewGenericReader[R](f)
		defer r.Close()
		rows := make([]R, f.NumRows())
		for n := 0; n < len(rows); {
			k, err := r.Read(rows[n:])
			if n += k; err != nil && n < len(rows) {
				bad.Err = fmt.Errorf("row %d of %d: %w", n, len(rows), err)
				return nil, bad
			}
		}
		return rows, nil
	}
	return nil, bad
}
