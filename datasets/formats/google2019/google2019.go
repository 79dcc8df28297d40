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

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
	"schedgap/models/strict"
)

// Format is the name of the format.
const Format = "google2019"

// Loader reads traces of the format. One table must be there.
var Loader = &formats.Loader{
	Name:   Format,
	Tables: [][]string{{".", "machine_events*.json"}, {".", "collection_events*.json"}, {".", "instance_events*.json"}},
	Needed: formats.All,
	Lacks: formats.Without("no machine_events*, collection_events* or instance_events*.json.gz in it, " +
		"so it is not a google2019 trace"),
	Read: func(ctx context.Context, dir table.Dir, tables [][]string, sink event.Sink) error {
		if err := lines(ctx, dir, tables[0], (*machineEvent).event, sink.Machine); err != nil {
			return err
		}
		if err := lines(ctx, dir, tables[1], (*collectionEvent).event, sink.Job); err != nil {
			return err
		}
		return lines(ctx, dir, tables[2], (*instanceEvent).event, sink.Task)
	},
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
