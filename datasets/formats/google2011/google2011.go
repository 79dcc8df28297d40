// Package google2011 reads Google's ClusterData 2011-2 (Reiss, Wilkes, Hellerstein: Google cluster-usage traces: format and
// schema, 2011; data under CC-BY 4.0): the tables task_events, job_events and machine_events, comma-separated without header
// and quotes, gzip or plain, any contiguous parts of them.
//
// Reading is strict. Every line must have the columns of the schema with values of their types, in order of time; the first
// one that has not ends the reading.
package google2011

import (
	"fmt"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "google2011"

// Loader reads traces of the format. Of the tables only task_events must be there.
var Loader = &formats.Loader{
	Name: Format, Sorted: true, Needed: 2,
	Tables: []formats.Table{
		{
			Folder: "machine_events", Patterns: csv,
			Rows: func(s event.Sink) formats.Take { return rows(machineColumns, machine, s.Machine) },
		},
		{Folder: "job_events", Patterns: csv, Rows: func(s event.Sink) formats.Take { return rows(jobColumns, job, s.Job) }},
		{Folder: "task_events", Patterns: csv, Rows: func(s event.Sink) formats.Take { return rows(taskColumns, task, s.Task) }},
	},
	Lacks: formats.Without("no task_events/*.csv.gz in it, so it is not a google2011 trace"),
}

var csv = []string{"*.csv"}

// rows hands every row of a table to sink. Parse fills in an event and returns its time.
func rows[E any](columns []string, parse func(*table.Row, *E) event.Time, sink func(*E) error) formats.Take {
	if sink == nil {
		return nil
	}
	r := table.Row{Columns: columns, Sep: ','}
	var ev E
	var last event.Time
	return func(file string, n int, line []byte) error {
		r.File = file
		r.Reset(n, line)
		t := parse(&r, &ev)
		if err := r.Done(); err != nil {
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
	}
}
