// Package google2019 reads Google's cluster-usage traces v3 of 2019 (Tirmazi et al.: Borg: the Next Generation, EuroSys 2020;
// data under CC-BY 4.0) in their JSON export: machine_events, collection_events and instance_events, one object a line, gzip
// or plain, those of one cell in one folder.
//
// clusterdata_trace_format_v3.proto defines the fields; any other is an error that names it. Fields whose value is zero are absent
// from the export, or null; numbers may be written as strings, as bq query does, and a line may be an array of objects. The lines
// have no order. Collections of type job are jobs, their instances tasks; alloc sets are reservations, not work, and are passed
// over. CPU is in normalised compute units, memory in units of the largest machine.
package google2019

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
	"schedgap/models/strict"
)

// Format is the name of the format.
const Format = "google2019"

// Loader reads traces of the format. One table must be there.
var Loader = &formats.Loader{
	Name:  Format,
	Looks: `machine_events*, collection_events* or instance_events*.json: {"time":"0","collection_id":"330","type":3}`,
	Tables: []formats.Table{
		messages("machine_events*.json", (*machineEvent).event,
			func(s event.Sink) func(*event.MachineEvent) error { return s.Machine }, func(*machineEvent) integer { return 0 }),
		messages("collection_events*.json", (*collectionEvent).event,
			func(s event.Sink) func(*event.JobEvent) error { return s.Job },
			func(m *collectionEvent) integer { return m.CollectionID }),
		messages("instance_events*.json", (*instanceEvent).event,
			func(s event.Sink) func(*event.TaskEvent) error { return s.Task },
			func(m *instanceEvent) integer { return m.CollectionID }),
	},
}

// messages is a table of messages. Each one says an event unless it is of an alloc set. In is the job of a message, 0 for none.
func messages[M, E any](
	files string, says func(*M) (E, bool), of func(event.Sink) func(*E) error, in func(*M) integer,
) formats.Table {
	return formats.Table{Folder: ".", Patterns: []string{files}, Rows: func(sink event.Sink) formats.Take {
		if of(sink) == nil {
			return nil
		}
		return func(file string, n int, line []byte) error {
			var faults []error
			for _, object := range objects(line) {
				var m M
				if err := strict.ReadNullable(file, object, &m); err != nil {
					faults = append(faults, place(err, n, in(&m)))
				} else if ev, counts := says(&m); counts {
					if err := of(sink)(&ev); err != nil {
						return err
					}
				}
			}
			return errors.Join(faults...)
		}
	}}
}

// objects are the objects of a line: one, or those of an array.
func objects(line []byte) []json.RawMessage {
	var list []json.RawMessage
	if begin := bytes.TrimSpace(line); len(begin) > 0 && begin[0] == '[' && json.Unmarshal(line, &list) == nil {
		return list
	}
	return []json.RawMessage{line}
}

// value matches the beginning of messages about a value.
var value = regexp.MustCompile(`^("(\\.|[^"\\])*"|[-+0-9.eE]+) `)

// place adds line and job to an error about a document.
func place(err error, line int, job integer) error {
	var e *strict.Error
	if !errors.As(err, &e) {
		return err
	}
	bad := &table.Error{File: e.File, Line: line, Column: e.Path, Value: strings.TrimSuffix(value.FindString(e.Reason), " ")}
	bad.Reason = strings.TrimPrefix(e.Reason, bad.Value+" ")
	if job != 0 {
		bad.Job = strconv.FormatInt(int64(job), 10)
	}
	return bad
}
