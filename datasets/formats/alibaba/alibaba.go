// Package alibaba reads the batch jobs of Alibaba's cluster traces (https://github.com/alibaba/clusterdata, for research use):
// the table batch_task of v2017 and v2018, comma-separated, gzip or plain, and the DAGs of v2018 as the ERDOS project
// redistributes them (https://github.com/erdos-project/erdos-scheduling-simulator, MIT), with a header and the file of their
// origin in front.
//
// A row is a task of many instances with one start and one end, not a list of events; the lives of the instances, in
// batch_instance, are not read. In v2017 the first time is the creation of the task, its start is not recorded. The names of
// v2018 hold the dependencies: R4_1_2 is task 4 of its job and waits for tasks 1 and 2.
//
// Job ids are the file (for ERDOS the origin), a slash and the trace's own id: some jobs are in several of ERDOS's origins.
// CPU is in hundredths of a core, memory in the trace's units.
package alibaba

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "alibaba"

// A Reader reads one trace folder or file; it implements event.Reader.
type Reader struct {
	dir   table.Dir
	files []string
}

// tables lists the tables in dir. A file that the user names may have any name.
func tables(dir table.Dir) ([]string, error) {
	if dir.Only != "" {
		return dir.Parts(".", "*.csv")
	}
	return dir.Parts(".", "*batch_task*.csv", "*dags*.csv")
}

// Detect reports whether dir looks like a trace of this format, by the names of its files.
func Detect(dir table.Dir) bool {
	files, err := tables(dir)
	return err == nil && len(files) > 0
}

// Open lists the tables in dir; several are read one after the other.
func Open(dir table.Dir) (*Reader, error) {
	files, err := tables(dir)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no *batch_task*.csv.gz or *dags*.csv.gz in it, so it is not an %s trace",
			dir.Path(dir.Only), Format)
	}
	return &Reader{dir, files}, nil
}

// Format implements event.Reader.
func (r *Reader) Format() string { return Format }

// Files implements event.Reader.
func (r *Reader) Files() []string { return slices.Clone(r.files) }

// Sorted implements event.Reader.
func (r *Reader) Sorted() bool { return false }

// Read implements event.Reader.
func (r *Reader) Read(ctx context.Context, sink event.Sink) error {
	if sink.Batch == nil {
		return nil
	}
	for _, name := range r.files {
		file := r.dir.Path(name)
		stem, _, _ := strings.Cut(path.Base(name), ".")
		var l layout
		row, b, kept := table.Row{File: file}, event.Batch{}, names{tasks: map[string]task{}}
		err := r.dir.Lines(ctx, name, func(n int, text []byte) error {
			line := strings.TrimSuffix(string(text), "\r") // v2017 ends its lines both ways
			if n == 1 {
				var header bool
				if l, header = layoutOf(line); l.parse == nil {
					reason := fmt.Sprintf("%q begins no known table: batch_task of v2017 (8 columns) or v2018 (9), "+
						"or DAGs of ERDOS (a header)", table.Shorten(line))
					return &table.Error{File: file, Line: 1, Reason: reason}
				}
				if header {
					return nil
				}
			}
			if err := l.split(&row, n, line); err != nil {
				return err
			}
			b = event.Batch{Missing: event.Class | event.Priority | event.Disk}
			l.parse(&row, &b, &kept, stem)
			trim(&b)
			if err := row.Err(); err != nil {
				return err
			}
			return sink.Batch(&b)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
