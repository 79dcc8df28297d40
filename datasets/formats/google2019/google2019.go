// Package google2019 reads Google's cluster-usage traces v3 of 2019 (Tirmazi et al.: Borg: the Next Generation, EuroSys 2020;
// data under CC-BY 4.0) in their JSON export: machine_events, collection_events and instance_events, one object a line, gzip
// or plain, those of one cell in one folder.
//
// The fields are those of clusterdata_trace_format_v3.proto; any other is an error that names it. Fields whose value is zero
// are absent from the export, integers may be written as strings, and the lines have no order. Collections of type job are
// jobs, their instances tasks; alloc sets are reservations, not work, and are passed over. CPU is in normalised compute units,
// memory in units of the largest machine.
package google2019

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
	"schedgap/models/strict"
)

// Format is the name of the format.
const Format = "google2019"

// A Reader reads one trace folder; it implements event.Reader.
type Reader struct {
	dir                   table.Dir
	machines, jobs, tasks []string
}

// Detect reports whether dir looks like a trace of this format.
func Detect(dir table.Dir) bool {
	parts, err := dir.Parts(".", "machine_events*.json", "collection_events*.json", "instance_events*.json")
	return err == nil && len(parts) > 0
}

// Open lists the files of the trace in dir, of which at least one table must be there.
func Open(dir table.Dir) (*Reader, error) {
	r := &Reader{dir: dir}
	var err error
	if r.machines, err = dir.Parts(".", "machine_events*.json"); err != nil {
		return nil, err
	}
	if r.jobs, err = dir.Parts(".", "collection_events*.json"); err != nil {
		return nil, err
	}
	if r.tasks, err = dir.Parts(".", "instance_events*.json"); err != nil {
		return nil, err
	}
	if len(r.Files()) == 0 {
		return nil, fmt.Errorf("%s: no machine_events*, collection_events* or instance_events*.json.gz in it, "+
			"so it is not a %s trace", dir.Name, Format)
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
func (r *Reader) Sorted() bool { return false }

// Read implements event.Reader.
func (r *Reader) Read(ctx context.Context, sink event.Sink) error {
	if err := lines(ctx, r.dir, r.machines, (*machineEvent).event, sink.Machine); err != nil {
		return err
	}
	if err := lines(ctx, r.dir, r.jobs, (*collectionEvent).event, sink.Job); err != nil {
		return err
	}
	return lines(ctx, r.dir, r.tasks, (*instanceEvent).event, sink.Task)
}

// lines hands every line of a table to sink. What a message says is an event unless it is of an alloc set.
func lines[M, E any](ctx context.Context, dir table.Dir, parts []string, event func(*M) (E, bool), sink func(*E) error) error {
	if sink == nil {
		return nil
	}
	for _, part := range parts {
		file := dir.Path(part)
		if err := dir.Lines(ctx, part, func(n int, line []byte) error {
			var m M
			if _, err := strict.Read(file, line, &m); err != nil {
				return place(err, n)
			}
			ev, counts := event(&m)
			if !counts {
				return nil
			}
			return sink(&ev)
		}); err != nil {
			return err
		}
	}
	return nil
}

// place adds the line to an error about a document.
func place(err error, line int) error {
	var e *strict.Error
	if errors.As(err, &e) {
		return &table.Error{File: e.File, Line: line, Column: e.Path, Reason: e.Reason}
	}
	return err
}
