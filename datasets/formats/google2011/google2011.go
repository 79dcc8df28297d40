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

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "google2011"

// Loader reads traces of the format. Of the tables only task_events must be there.
var Loader = &formats.Loader{
	Name: Format, Sorted: true,
	Tables: [][]string{{"machine_events", "*.csv"}, {"job_events", "*.csv"}, {"task_events", "*.csv"}}, Needed: 2,
	Lacks: formats.Without("no task_events/*.csv.gz in it, so it is not a google2011 trace"),
	Read: func(ctx context.Context, dir table.Dir, tables [][]string, sink event.Sink) error {
		if err := rows(ctx, dir, tables[0], machineColumns, (*fields).machine, sink.Machine); err != nil {
			return err
		}
		if err := rows(ctx, dir, tables[1], jobColumns, (*fields).job, sink.Job); err != nil {
			return err
		}
		return rows(ctx, dir, tables[2], taskColumns, (*fields).task, sink.Task)
	},
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
