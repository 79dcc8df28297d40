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
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "alibaba"

// Loader reads traces of the format; several tables are read one after the other. A file that the user names may have any name.
var Loader = &formats.Loader{
	Name: Format, Tables: [][]string{{".", "*batch_task*.csv", "*dags*.csv"}}, Named: "*.csv", Read: read,
	Lacks: formats.Without("no *batch_task*.csv.gz or *dags*.csv.gz in it, so it is not an alibaba trace"),
}

func read(ctx context.Context, dir table.Dir, tables [][]string, sink event.Sink) error {
	if sink.Batch == nil {
		return nil
	}
	for _, name := range tables[0] {
		file := dir.Path(name)
		stem, _, _ := strings.Cut(path.Base(name), ".")
		var l layout
		row, b, kept := table.Row{File: file}, event.Batch{}, names{tasks: map[string]task{}}
		err := dir.Lines(ctx, name, func(n int, text []byte) error {
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
