package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"schedgap/bench"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// The subfolders of the units' rows and of the instances.
const (
	RunsFolder      = "runs"
	InstancesFolder = "instances"
)

// The subfolders of a dataset.
const (
	runs       = RunsFolder
	sims       = "sim"
	progresses = "progress"
)

// Rows are written at the latest when so many are waiting, or the first of them has waited so long.
const (
	DefaultRows  = 1000
	DefaultDelay = 5 * time.Second
)

// compression is one for all files: an encoder is megabytes, and is used again.
var compression = &zstd.Codec{}

// A Writer adds rows to a shard of a dataset, some rows a file. It may be used by several goroutines.
type Writer[R any] struct {
	// Rows and Delay replace DefaultRows and DefaultDelay; set them before the first row. Early, unless 0, is the first delay, which
	// doubles until it is Delay.
	Rows         int
	Delay, Early time.Duration
	// First, unless nil, is called before rows are written. It writes the files to which the rows refer.
	First func() error

	path    func(sequence int) string
	compare func(a, b R) int
	encode  func(sorted []R) ([]byte, error)

	mu       sync.Mutex
	sequence int
	waiting  []R
	timer    *time.Timer
	err      error // the first; nothing is written after it
}

// NewRuns returns a writer of units' rows. A runner holds the shard's lock.
func (d *Dir) NewRuns(shard string) (*Writer[bench.Record], error) {
	return newWriter(d, runs, shard, parquetFile, compareRecords, Sorted[bench.Record]("instance", "algorithm"))
}

// NewSim returns a writer of simulations' rows.
func (d *Dir) NewSim(shard string) (*Writer[bench.SimRecord], error) {
	return newWriter(d, sims, shard, parquetFile, func(a, b bench.SimRecord) int {
		return cmp.Or(cmp.Compare(a.Workload, b.Workload), cmp.Compare(a.Policy, b.Policy),
			cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.Repetition, b.Repetition))
	}, Sorted[bench.SimRecord]("workload", "policy"))
}

func compareRecords(a, b bench.Record) int {
	return cmp.Or(cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Algorithm, b.Algorithm),
		cmp.Compare(a.Seed, b.Seed), cmp.Compare(a.UnitID, b.UnitID))
}

// newWriter returns a writer of files in a subfolder whose names end in suffix.
func newWriter[R any](
	d *Dir, sub, shard, suffix string, compare func(a, b R) int, encode func(sorted []R) ([]byte, error),
) (*Writer[R], error) {
	w := &Writer[R]{Rows: DefaultRows, Delay: DefaultDelay, compare: compare, encode: encode}
	w.path = func(sequence int) string {
		return filepath.Join(d.path, sub, fmt.Sprintf("%s-%06d%s", shard, sequence, suffix))
	}
	if !parseName(w.path(0)).named {
		return nil, fmt.Errorf("%q cannot be a shard's name", shard)
	}
	var err error
	w.sequence, err = d.nextSequence(sub)
	return w, err
}

// NewProgress returns a writer of what units knew before their ends. A runner holds the shard's lock.
func (d *Dir) NewProgress(shard string) (*Writer[bench.ProgressRecord], error) {
	return newWriter(d, progresses, shard, parquetFile, func(a, b bench.ProgressRecord) int {
		return cmp.Or(cmp.Compare(a.UnitID, b.UnitID), cmp.Compare(a.RunID, b.RunID), cmp.Compare(a.Seq, b.Seq))
	}, Sorted[bench.ProgressRecord]("unit_id", "seq"))
}

// Append adds rows, which stay together; they will be on the disk after Delay. The error may be that of an earlier row's writing,
// after which no more rows are taken.
func (w *Writer[R]) Append(rows ...R) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || len(rows) == 0 {
		return w.err
	}
	first := len(w.waiting) == 0
	w.waiting = append(w.waiting, rows...)
	switch {
	case len(w.waiting) >= w.Rows:
		w.flush()
	case first:
		delay := w.Delay
		if w.Early > 0 && w.Early < delay {
			delay, w.Early = w.Early, 2*w.Early
		}
		w.timer = time.AfterFunc(delay, func() { _ = w.Flush() }) // the error is kept for the next caller
	}
	return w.err
}

// Flush writes the waiting rows.
func (w *Writer[R]) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flush()
	return w.err
}

// errClosed meets rows that come after Close.
var errClosed = errors.New("the writer is closed")

// Close writes the waiting rows and ends the writer.
func (w *Writer[R]) Close() error {
	err := w.Flush()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = errClosed
	}
	return err
}

func (w *Writer[R]) flush() {
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.err != nil || len(w.waiting) == 0 {
		return
	}
	if w.First != nil {
		w.err = w.First()
		if w.err != nil {
			return
		}
	}
	slices.SortStableFunc(w.waiting, w.compare)
	var file []byte
	file, w.err = w.encode(w.waiting)
	if w.err != nil {
		return
	}
	w.err = WriteFile(w.path(w.sequence), file)
	if w.err == nil {
		w.sequence++
		w.waiting = w.waiting[:0]
	}
}

const parquetFile = ".parquet"

// Sorted returns what encodes rows, which are sorted by these columns, as a sealed Parquet file.
func Sorted[R any](columns ...string) func(rows []R) ([]byte, error) {
	by := make([]parquet.SortingColumn, len(columns))
	for i, c := range columns {
		by[i] = parquet.Ascending(c)
	}
	return func(rows []R) ([]byte, error) {
		var file bytes.Buffer
		w := parquet.NewGenericWriter[R](&file,
			parquet.Compression(compression),
			parquet.KeyValueMetadata(bench.SchemaKey, strconv.Itoa(bench.SchemaVersion)),
			parquet.KeyValueMetadata(sealKey, unsealed),
			parquet.SortingWriterConfig(parquet.SortingColumns(by...)),
		)
		if _, err := w.Write(rows); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		return file.Bytes(), seal(file.Bytes())
	}
}
