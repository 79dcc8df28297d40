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
	"bytes"
	"fmt"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "alibaba"

// Loader reads traces of the format; several tables are read one after the other. A file that the user names may have any name.
var Loader = &formats.Loader{
	Name: Format, Named: "*.csv",
	Tables: []formats.Table{{Folder: ".", Patterns: []string{"*batch_task*.csv", "*dags*.csv"}, Rows: rows}},
	Lacks:  formats.Without("no *batch_task*.csv.gz or *dags*.csv.gz in it, so it is not an alibaba trace"),
}

func rows(sink event.Sink) formats.Take {
	if sink.Batch == nil {
		return nil
	}
	var layout [][]string
	r, kept := table.Row{Sep: ',', Absent: "nan"}, names{} // as the tables of ERDOS write it
	return func(file string, n int, line []byte) error {
		line = bytes.TrimSuffix(line, []byte("\r")) // v2017 ends its lines both ways
		if n == 1 {
			var header bool
			kept = names{tasks: map[string]task{}}
			if layout, header = layoutOf(string(line)); layout == nil {
				reason := fmt.Sprintf("%q begins no known table: batch_task of v2017 (8 columns) or v2018 (9), "+
					"or DAGs of ERDOS (a header)", table.Shorten(string(line)))
				return &table.Error{File: file, Line: 1, Reason: reason}
			}
			if header {
				return nil
			}
		}
		r.File, r.Columns = file, layout[0]
		if wide := layout[len(layout)-1]; bytes.Count(line, []byte{','})+1 == len(wide) {
			r.Columns = wide
		}
		r.Reset(n, line)
		b := parse(&r, &kept)
		if err := r.Done(); err != nil {
			return err
		}
		return sink.Batch(&b)
	}
}
