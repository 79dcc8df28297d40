// Package google2011 reads Google's ClusterData 2011-2 (Reiss, Wilkes, Hellerstein: Google cluster-usage traces: format and
// schema, 2011; data under CC-BY 4.0): the tables task_events, job_events and machine_events, comma-separated without header
// and quotes, gzip or plain, any contiguous parts of them.
//
// Every line must have the columns of the schema with values of their types, and be in order of time.
package google2011

import (
	"strconv"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "google2011"

// Loader reads traces of the format. Of the tables only task_events must be there.
var Loader = &formats.Loader{
	Name: Format, Sorted: true,
	Looks: "task_events/*.csv, 13 columns: 600000000,,3418309,0,4155527081,0,user,3,9,0.125,0.07,0.0004,0",
	Tables: []formats.Table{
		{
			Folder: "machine_events", Patterns: csv, Optional: true,
			Rows: func(s event.Sink) formats.Take {
				return rows(machineColumns, machine, s.Machine, func(*event.MachineEvent) int64 { return 0 })
			},
		},
		{
			Folder: "job_events", Patterns: csv, Optional: true,
			Rows: func(s event.Sink) formats.Take {
				return rows(jobColumns, job, s.Job, func(ev *event.JobEvent) int64 { return ev.Job })
			},
		},
		{
			Folder: "task_events", Patterns: csv,
			Rows: func(s event.Sink) formats.Take {
				return rows(taskColumns, task, s.Task, func(ev *event.TaskEvent) int64 { return ev.Job })
			},
		},
	},
}

var csv = []string{"*.csv"}

// rows hands every row of a table to sink. Parse fills in an event and returns its time; of is the job of an event, 0 for none.
func rows[E any](columns []string, parse func(*table.Row, *E) event.Time, sink func(*E) error, of func(*E) int64) formats.Take {
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
		bad := r.Done()
		if bad == nil {
			if t < last {
				bad = &table.Error{
					File: file, Line: n, Column: columns[0], Value: strconv.FormatInt(int64(t), 10),
					Reason: "is before the time of the row above; the table must be in order of time",
				}
			}
			if t != event.AfterWindow { // which may stand anywhere
				last = t // a wrong time spoils one row, whether early or late
			}
		}
		if bad != nil {
			if job := of(&ev); job != 0 {
				bad.Job = strconv.FormatInt(job, 10)
			}
			return bad
		}
		return sink(&ev)
	}
}
