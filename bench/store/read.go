package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"

	"schedgap/bench"
	"schedgap/models/input"

	"github.com/parquet-go/parquet-go"
)

// Records reads the rows of all units, one for each unit, sorted by instance and algorithm. Files that cannot be read are listed,
// and their rows are missing.
func (d *Dir) Records(ctx context.Context) ([]bench.Record, []*FileError, error) {
	rows, bad, err := collect(ctx, d, func(r *bench.Record) string { return r.UnitID })
	sortRecords(rows)
	return rows, bad, err
}

// EachUnit hands on the rows of all units, one for each unit, in no particular order, without keeping them: a million rows take
// half a gigabyte. The row itself, but nothing that it points to, is used again as soon as take returns. Files that cannot
// be read are listed, and their rows are missing.
func (d *Dir) EachUnit(ctx context.Context, take func(r *bench.Record)) ([]*FileError, error) {
	return newest(ctx, d, func(r *bench.Record) string { return r.UnitID }, func(rows []bench.Record, _ int) {
		for i := range rows {
			take(&rows[i])
		}
	})
}

// sortRecords sorts as compareRecords does, but moves every row, which is large, at most once, and looks into few of them.
func sortRecords(rows []bench.Record) {
	type place struct {
		instance string
		from     int // the row that comes to this place
	}
	order := make([]place, len(rows))
	for i := range rows {
		order[i] = place{rows[i].Instance, i}
	}
	slices.SortFunc(order, func(p, q place) int {
		if c := cmp.Compare(p.instance, q.instance); c != 0 {
			return c
		}
		a, b := &rows[p.from], &rows[q.from]
		return cmp.Or(cmp.Compare(a.Algorithm, b.Algorithm), cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.UnitID, b.UnitID))
	})
	for start := range order {
		first := rows[start]
		for at := start; order[at].from != at; {
			from := order[at].from
			order[at].from = at
			if from == start {
				rows[at] = first
				break
			}
			rows[at] = rows[from]
			at = from
		}
	}
}

// A Done is what a runner must know of a unit that has a row.
type Done struct {
	UnitID    string   `parquet:"unit_id"`
	Algorithm string   `parquet:"algorithm,dict"`
	Status    string   `parquet:"status,dict"`
	Objective *float64 `parquet:"objective,optional"`
	Bound     *float64 `parquet:"bound,optional"`
	Command   *string  `parquet:"command_sha256,optional,dict"`
	Build     *string  `parquet:"build_sha256,optional,dict"`
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
	rows, bad, err := collect(ctx, d, func(r *Done) string { return r.UnitID })
	done := make(map[string]Done, len(rows))
	for _, r := range rows {
		done[r.UnitID] = r
	}
	return done, bad, err
}

// Sim reads the rows of all simulations, in the order of their files.
func (d *Dir) Sim(ctx context.Context) ([]bench.SimRecord, []*FileError, error) {
	var rows []bench.SimRecord
	bad, err := d.EachSim(ctx, func(r []bench.SimRecord) { rows = append(rows, r...) })
	return rows, bad, err
}

// EachSim hands on the rows of simulations file by file, the newest first. The slice is used again as soon as take returns.
func (d *Dir) EachSim(ctx context.Context, take func(rows []bench.SimRecord)) ([]*FileError, error) {
	return scan[bench.SimRecord](ctx, d, sims, func(r []bench.SimRecord, _ int) { take(r) })
}

// EachProgress hands on the rows of what units knew before their ends, file by file. The slice is used again as soon as take
// returns. Rows of a run that is not the one in the unit's row are left from older ones, or from a run that was killed.
func (d *Dir) EachProgress(ctx context.Context, take func(rows []bench.ProgressRecord)) ([]*FileError, error) {
	return scan[bench.ProgressRecord](ctx, d, progresses, func(r []bench.ProgressRecord, _ int) { take(r) })
}

// Rows is how many rows the files of the folder have, as far as they can be read; rows that are there twice count twice.
func (d *Dir) Rows() (n int64) {
	for _, sub := range []string{runs, sims, progresses} {
		files, _ := d.files(sub) // whoever reads the rows says why it fails
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

// collect reads the columns of R of DIR/runs and keeps the newest row of each unit.
func collect[R any](ctx context.Context, d *Dir, unit func(*R) string) (rows []R, bad []*FileError, err error) {
	read := 0
	bad, err = newest(ctx, d, unit, func(file []R, left int) {
		// A million rows are half a gigabyte: they should not move. Files tend to be of one size.
		if read++; cap(rows)-len(rows) < len(file) {
			rows = slices.Grow(rows, len(file)+(len(rows)+len(file))/read*left)
		}
		rows = append(rows, file...)
	})
	return rows, bad, err
}

// newest is scan for DIR/runs, but hands on the newest row of each unit only.
func newest[R any](ctx context.Context, d *Dir, unit func(*R) string, take func(rows []R, left int)) ([]*FileError, error) {
	seen := map[string]struct{}{}
	return scan[bench.Record](ctx, d, runs, func(file []R, left int) {
		kept := file[:0]
		for i := range file {
			id := unit(&file[i])
			if _, ok := seen[id]; ok {
				continue
			}
			seen[id] = struct{}{}
			if len(kept) < i {
				kept = append(kept, file[i])
			} else {
				kept = file[:i+1] // rows are large: those in place stay there
			}
		}
		take(kept, left)
	})
}

// scan reads the columns of R out of the files of a subfolder, the newest file first. The files must have the schema of
// Full. A file's rows are handed on only when all of them were read, with the number of files that are left; the slice is
// used again for later files, which are read meanwhile.
func scan[Full, R any](ctx context.Context, d *Dir, sub string, take func(rows []R, left int)) ([]*FileError, error) {
	files, err := d.files(sub)
	if err != nil {
		return nil, err
	}
	schema := parquet.SchemaOf(new(Full))
	type result struct {
		rows []R
		err  error
	}
	ahead := runtime.GOMAXPROCS(0)
	results := make([]chan result, ahead) // file i goes to i modulo ahead
	for i := range results {
		results[i] = make(chan result, 1)
	}
	var g sync.WaitGroup
	defer g.Wait()
	start := func(i int, rows []R) {
		if i >= len(files) {
			return
		}
		g.Go(func() {
			var r result
			if r.err = ctx.Err(); r.err == nil {
				r.rows, r.err = readFile(files[i], schema, rows[:0])
			}
			results[i%ahead] <- r
		})
	}
	for i := range ahead {
		start(i, nil)
	}
	var bad []*FileError
	for i := range files {
		r := <-results[i%ahead]
		if err := ctx.Err(); err != nil {
			return bad, err
		}
		var fe *FileError
		switch {
		case errors.As(r.err, &fe):
			bad = append(bad, fe)
		case r.err != nil:
			return bad, r.err
		default:
			take(r.rows, len(files)-1-i)
		}
		start(i+ahead, r.rows)
	}
	return bad, nil
}

// readFile reads the columns of R out of one file, into the memory of rows if they fit. What the file's contents are to
// blame for is a FileError.
func readFile[R any](sf shardFile, schema *parquet.Schema, rows []R) ([]R, error) {
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
	rows, version, err := decode(data, schema, rows)
	if err != nil {
		bad.Version, bad.Err = version, err
		return nil, bad
	}
	return rows, nil
}

// decode appends the columns of R out of a file's contents to to; version says that these are sound, but of another version.
// A file whose seal is right and whose contents make no sense was made on purpose; its decoder may panic.
func decode[R any](data []byte, schema *parquet.Schema, to []R) (rows []R, version bool, err error) {
	if err := checkSeal(data); err != nil {
		return nil, false, err
	}
	defer func() {
		if p := recover(); p != nil {
			rows, err = nil, fmt.Errorf("not a sound Parquet file: %v", p)
		}
	}()
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)), parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return nil, false, err
	}
	got, _ := f.Lookup(bench.SchemaKey)
	if err := bench.KnownSchema(got); err != nil {
		return nil, true, err
	}
	if name := misses(f.Schema(), schema); name != "" {
		return nil, false, fmt.Errorf("its columns are not those of %s %s: %s is missing or of another type", bench.SchemaKey, got,
			name)
	}
	// A unit's identity alone takes more than a byte.
	if n := f.NumRows(); n < 0 || n > int64(len(data)) {
		return nil, false, fmt.Errorf("it promises %d rows in %d bytes", n, len(data))
	}
	rows = to
	for _, group := range f.RowGroups() {
		if rows, err = readRows(rows, f, group, nil); err != nil {
			return nil, false, err
		}
	}
	if n := len(rows) - len(to); int64(n) != f.NumRows() {
		return nil, false, fmt.Errorf("it has %d rows and promises %d", n, f.NumRows())
	}
	return rows, false, nil
}

// misses returns the column of schema that a file should have and does not, or has with another type; empty: there is none. A
// file may have been written before a nullable column came, or by a program that knows more columns.
func misses(file, schema *parquet.Schema) string {
	for _, want := range schema.Fields() {
		leaf, ok := file.Lookup(want.Name())
		if ok && !parquet.EqualNodes(leaf.Node, want) || !ok && !want.Optional() {
			return want.Name()
		}
	}
	return ""
}
