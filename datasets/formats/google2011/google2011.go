// Package google2011 reads Google's ClusterData 2011-2 (Reiss, Wilkes, Hellerstein: Google cluster-usage traces: format and
// schema, 2011; data under CC-BY 4.0): the tables task_events, job_events and machine_events, comma-separated without header
// and quotes, gzip or plain, any contiguous parts of them.
//
// Reading is strict. Every line must have the columns of the schema with values of their types, in order of time; the first
// one that has not ends the reading.
package google2011

import (
	"context"
	"fmt"
	"slices"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "google2011"

// A Reader reads one trace folder; it implements event.Reader.
type Reader struct {
	dir                   table.Dir
	machines, jobs, tasks []string
}

// Detect reports whether dir looks like a trace of this format: it has task_events/*.csv or .csv.gz.
func Detect(dir table.Dir) bool {
	parts, err := dir.Parts("task_events", "*.csv")
	return err == nil && len(parts) > 0
}

// Open lists the parts of the trace in dir. task_events must be there, the other tables may be missing.
func Open(dir table.Dir) (*Reader, error) {
	r := &Reader{dir: dir}
	var err error
	if r.machines, err = dir.Parts("machine_events", "*.csv"); err != nil {
		return nil, err
	}
	if r.jobs, err = dir.Parts("job_events", "*.csv"); err != nil {
		return nil, err
	}
	if r.tasks, err = dir.Parts("task_events", "*.csv"); err != nil {
		return nil, err
	}
	if len(r.tasks) == 0 {
		return nil, fmt.Errorf("%s: no task_events/*.csv.gz in it, so it is not a %s trace", dir.Name, Format)
	}
	return r, nil
}

// Format implements event.Reader.
func (r *Reader) Format() string { return Format }

// Files implements event.Reader.
func (r *Reader) Files() []string {
	return slices.Sorted(slices.Values(slices.Concat(r.machines, r.jobs, r.tasks)))
}

// Sorted implements event.Reader.
func (r *Reader) Sorted() bool { return true }

// Read implements event.Reader.
func (r *Reader) Read(ctx context.Context, sink event.Sink) error {
	if err := rows(ctx, r.dir, r.machines, machineColumns, (*fields).machine, sink.Machine); err != nil {
		return err
	}
	if err := rows(ctx, r.dir, r.jobs, jobColumns, (*fields).job, sink.Job); err != nil {
		return err
	}
	return rows(ctx, r.dir, r.tasks, taskColumns, (*fields).task, sink.Task)
}

// rows hands every row of a table to sink. Parse fills in an event and returns its time.
func rows[E any](ctx context.Context, dir table.Dir, parts, columns []string, parse func(*fields, *E) event.Time,
	sink func(*E) error,
) error {
	if sink == nil {
		return nil
	}
	f := fields{columns: columns}
	var ev E
	var last event.Time
	for _, part := range parts {
		file := dir.Path(part)
		err := dir.Lines(ctx, part, func(n int, line []byte) error {
			f.reset(line)
			t := parse(&f, &ev)
			if err := f.done(file, n); err != nil {
				return err
			}
			if t < last {
				return &table.Error{
					File: file, Line: n, Column: columns[0],
					Reason: fmt.Sprintf("%d is before %d, the time of the row above; the table must be in order of time", t, last),
				}
			}
			last = t
			return sink(&ev)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
