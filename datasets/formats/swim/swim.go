// Package swim reads the workloads of SWIM, the Statistical Workload Injector for MapReduce (Chen, Ganapathi, Griffith, Katz:
// The Case for Evaluating MapReduce Performance Using Workload Suites, MASCOTS 2011; data under the New BSD licence): samples
// of Facebook's jobs of 2009 and 2010, tab-separated, gzip or plain. A row has a job, its submission and the gap to the job
// before it in seconds, and the bytes that its map phase reads, shuffles, and writes. Tasks and run times are not recorded.
//
// Every file is a workload with a clock of its own. A folder of several is read as one trace; to use one of them, name the
// file. Job ids are the file, a slash and the trace's own id.
package swim

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "swim"

var columns = []string{"job", "submit seconds", "gap seconds", "map input bytes", "shuffle bytes", "reduce output bytes"}

// A Reader reads one trace folder or file; it implements event.Reader.
type Reader struct {
	dir   table.Dir
	files []string
}

// Detect reports whether dir looks like a trace of this format: it has *.tsv or *.tsv.gz.
func Detect(dir table.Dir) bool {
	files, err := dir.Parts(".", "*.tsv")
	return err == nil && len(files) > 0
}

// Open lists the workloads in dir.
func Open(dir table.Dir) (*Reader, error) {
	files, err := dir.Parts(".", "*.tsv")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no *.tsv.gz in it, so it is not a %s trace", dir.Path(dir.Only), Format)
	}
	return &Reader{dir, files}, nil
}

// Format implements event.Reader.
func (r *Reader) Format() string { return Format }

// Files implements event.Reader.
func (r *Reader) Files() []string { return slices.Clone(r.files) }

// Sorted implements event.Reader: files overlap in time.
func (r *Reader) Sorted() bool { return false }

// Read implements event.Reader.
func (r *Reader) Read(ctx context.Context, sink event.Sink) error {
	if sink.Volume == nil {
		return nil
	}
	for _, name := range r.files {
		file := r.dir.Path(name)
		stem, _, _ := strings.Cut(path.Base(name), ".")
		last := int64(0)
		err := r.dir.Lines(ctx, name, func(n int, text []byte) error {
			row, err := table.Split(file, n, string(text), "\t", columns)
			if err != nil {
				return err
			}
			const mostSeconds = math.MaxInt64 / int64(event.Second) / 2
			submit := row.Integer(1, 0, mostSeconds)
			bytes := func(col int) int64 { return row.Integer(col, 0, math.MaxInt64) }
			v := event.Volume{
				Job: stem + "/" + row.Text(0), Submit: event.Time(submit) * event.Second,
				Input: bytes(3), Shuffle: bytes(4), Output: bytes(5),
			}
			row.Integer(2, 0, mostSeconds)
			if submit < last {
				row.Fail(1, fmt.Sprintf("is before %d, the time of the row above; the table must be in order of time", last))
			}
			if err := row.Err(); err != nil {
				return err
			}
			last = submit
			return sink.Volume(&v)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
