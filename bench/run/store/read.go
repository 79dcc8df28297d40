package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"

	"schedgap/bench"
	"schedgap/models/input"

	"github.com/parquet-go/parquet-go"
)

// Records reads the rows of all units that the folder's plan asks for, one for each unit, sorted by instance and algorithm. Files
// that cannot be read are listed, and their rows are missing.
func (d *Dir) Records(ctx context.Context) (rows []bench.Record, bad []*FileError, err error) {
	bad, err = d.EachUnit(ctx, func(r *bench.Record) { rows = append(rows, *r) })
	slices.SortFunc(rows, compareRecords)
	return rows, bad, err
}

// EachUnit hands on the rows of all units that the folder's plan asks for, one for each unit, in no particular order, without keeping
// them: a million rows take half a gigabyte. Files that cannot be read are listed, and their rows are missing. A unit that was only
// interrupted has none.
func (d *Dir) EachUnit(ctx context.Context, take func(r *bench.Record)) ([]*FileError, error) {
	plan, err := d.asked()
	if err != nil {
		return nil, err
	}
	d.outside.Store(0)
	seen := map[string]bool{} // the newest row comes first
	interrupted := map[string]bench.Record{}
	bad, err := scan[bench.Record](ctx, d, runs, func(rows []bench.Record) {
		for i := range rows {
			r := &rows[i]
			switch {
			case seen[r.UnitID]:
			case bench.Status(r.Status) == bench.Interrupted:
				if _, newer := interrupted[r.UnitID]; !newer {
					interrupted[r.UnitID] = *r
				}
			case plan.Has(r.UnitID):
				seen[r.UnitID] = true
				take(r)
			default:
				seen[r.UnitID] = true
				d.outside.Add(1)
			}
		}
	})
	for id, r := range interrupted {
		if d.whole && !seen[id] {
			take(&r)
		}
	}
	return bad, err
}

// A Done describes a unit that has a row, for the runner.
type Done struct {
	UnitID    string   `parquet:"unit_id"`
	Problem   string   `parquet:"problem,dict"`
	Algorithm string   `parquet:"algorithm,dict"`
	Status    string   `parquet:"status,dict"`
	Raw       *string  `parquet:"raw_status,optional,dict"`
	Objective *float64 `parquet:"objective,optional"`
	Bound     *float64 `parquet:"bound,optional"`
	Command   *string  `parquet:"command_sha256,optional,dict"`
	Build     *string  `parquet:"build_sha256,optional,dict"`
}

// Failed reports whether the unit came to nothing: crash, error, oom, invalid, refuted, or a timeout without a value and a bound. A
// proof that there is no solution is something, and a skipped unit was never tried.
func (d Done) Failed() bool {
	switch bench.Status(d.Status) {
	case bench.Crash, bench.Error, bench.OOM, bench.Invalid, bench.Refuted:
		return true
	case bench.Timeout:
		return d.Objective == nil && d.Bound == nil
	}
	return false
}

// Faulty reports whether the unit is an error of its problem, and not of its algorithm.
func (d Done) Faulty() bool {
	return (&bench.Record{Status: d.Status, RawStatus: d.Raw}).Faulty()
}

// DoneUnits returns the units that have a row, by ID, whether the plan asks for them or not. Files that cannot be read are listed,
// and their units are missing.
func (d *Dir) DoneUnits(ctx context.Context) (map[string]Done, []*FileError, error) {
	done := map[string]Done{}
	bad, err := scan[bench.Record](ctx, d, runs, func(rows []Done) {
		for _, r := range rows {
			if newer, is := done[r.UnitID]; !is || bench.Status(newer.Status) == bench.Interrupted {
				done[r.UnitID] = r
			}
		}
	})
	return done, bad, err
}

// Sim reads the rows of all simulations, in the order of their files.
func (d *Dir) Sim(ctx context.Context) ([]bench.SimRecord, []*FileError, error) {
	var rows []bench.SimRecord
	bad, err := d.EachSim(ctx, func(r []bench.SimRecord) { rows = append(rows, r...) })
	return rows, bad, err
}

// EachSim hands on the rows of simulations file by file, the newest first.
func (d *Dir) EachSim(ctx context.Context, take func(rows []bench.SimRecord)) ([]*FileError, error) {
	return scan[bench.SimRecord](ctx, d, sims, take)
}

// EachProgress hands on the rows of what units knew before their ends, file by file. Rows of a run that is not the one in the
// unit's row are left from older ones, or from a run that was killed.
func (d *Dir) EachProgress(ctx context.Context, take func(rows []bench.ProgressRecord)) ([]*FileError, error) {
	return scan[bench.ProgressRecord](ctx, d, progresses, take)
}

// Rows counts the rows in the readable files of the folder. Duplicates count twice.
func (d *Dir) Rows() (n int64) {
	for _, sub := range []string{runs, sims, progresses} {
		files, _ := d.files(sub) // reading the rows reports the error
		for _, sf := range files {
			n += rowsOf(sf.path)
		}
	}
	return n
}

func rowsOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	file, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer file.Close()
	f, err := parquet.OpenFile(file, info.Size(), parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return 0
	}
	return max(0, f.NumRows())
}

// scan reads the columns of R out of the files of a subfolder, the newest file first. The files must have the schema of
// Full. A file's rows are handed on only when all of them were read; later files are read meanwhile.
func scan[Full, R any](ctx context.Context, d *Dir, sub string, take func(rows []R)) ([]*FileError, error) {
	files, err := d.files(sub)
	if err != nil {
		return nil, err
	}
	type result struct {
		rows []R
		err  error
	}
	schema := parquet.SchemaOf(new(Full))
	ahead := make(chan chan result, runtime.GOMAXPROCS(0)-1)
	reading, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		defer close(ahead)
		for _, f := range files {
			c := make(chan result, 1)
			select {
			case ahead <- c:
			case <-reading.Done():
				return
			}
			go func() {
				rows, err := readFile[R](f, schema)
				c <- result{rows, err}
			}()
		}
	}()
	var bad []*FileError
	for c := range ahead {
		r := <-c
		var fe *FileError
		switch {
		case ctx.Err() != nil:
		case errors.As(r.err, &fe):
			bad = append(bad, fe)
		case r.err != nil:
			return bad, r.err
		default:
			take(r.rows)
		}
	}
	return bad, ctx.Err()
}

// readFile reads the columns of R out of one file. Errors in the file's contents are FileErrors.
func readFile[R any](sf shardFile, schema *parquet.Schema) ([]R, error) {
	bad := &FileError{Path: sf.path}
	if info, err := os.Stat(sf.path); err == nil && !info.Mode().IsRegular() {
		bad.Err = errors.New("not a regular file")
		return nil, bad
	}
	data, err := input.Read(sf.path, input.MaxData)
	if err != nil {
		return nil, fmt.Errorf("reading results: %w", err)
	}
	if !sf.named {
		bad.Err = errors.New("not named <shard>-<sequence>.parquet")
		return nil, bad
	}
	rows, err := decode[R](data, schema)
	if err != nil {
		bad.Err, bad.Version = err, errors.As(err, new(errVersion))
		return nil, bad
	}
	return rows, nil
}

// errVersion says that a file is sound, but of another version of the program.
type errVersion struct{ error }

// decode returns the columns of R out of the contents of a file, which must be sealed and have the columns of schema.
func decode[R any](data []byte, schema *parquet.Schema) (rows []R, err error) {
	if err := checkSeal(data); err != nil {
		return nil, err
	}
	var promised int64
	err = eachRow(bytes.NewReader(data), int64(len(data)), schema, func(f *parquet.File) error {
		got, _ := f.Lookup(bench.SchemaKey)
		if err := bench.KnownSchema(got); err != nil {
			return errVersion{err}
		}
		// A unit's identity alone takes more than a byte.
		promised = f.NumRows()
		if promised < 0 || promised > int64(len(data)) {
			return fmt.Errorf("it promises %d rows in %d bytes", promised, len(data))
		}
		rows = make([]R, 0, min(promised, 16*batch)) // a promise is not believed
		return nil
	}, func(some []R) error { rows = append(rows, some...); return nil })
	if err == nil && int64(len(rows)) != promised {
		err = fmt.Errorf("it has %d rows and promises %d", len(rows), promised)
	}
	if err != nil {
		return nil, err
	}
	return rows, nil
}
