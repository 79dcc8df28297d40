// Package alibaba reads the batch jobs of Alibaba's cluster traces (https://github.com/alibaba/clusterdata, for research use):
// the table batch_task of v2017 and v2018, comma-separated, with a header or without, and the DAGs of v2018 as the ERDOS project
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
	"path"
	"slices"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "alibaba"

// Loader reads traces of the format; several tables are read one after the other.
var Loader = &formats.Loader{
	Name: Format, Looks: "a table batch_task, 8 or 9 columns: M1,4,j_1,1,Terminated,349000,349160,100,0.5",
	Tables: []formats.Table{{Folder: ".", Patterns: []string{"*.csv", "*batch_task*", "*trace*"}, Suits: suits, Rows: rows}},
}

// suits reports whether one of the lines is a header or has the number of columns and the status of a table.
func suits(head []string) bool {
	return slices.ContainsFunc(head, func(line string) bool {
		l, header := layoutOf(line)
		cells := strings.Split(line, ",")
		at := slices.Index(l.columns, "status")
		_, known := statuses[cells[min(max(at, 0), len(cells)-1)]]
		return header || at >= 0 && known
	})
}

func rows(sink event.Sink) formats.Take {
	if sink.Batch == nil {
		return nil
	}
	t := &taker{sink: sink}
	t.row = table.Row{Sep: ',', Absent: "nan"} // as the tables of ERDOS write it
	return t.take
}

// A taker takes the rows of one file after the other.
type taker struct {
	sink   event.Sink
	row    table.Row
	layout layout
	file   string
	stem   []byte // of the file's name
	job    string // of the row before
	nodes  map[string]*event.Node
	batch  event.Batch
	last   row // the one before
}

// A row has the fields that distinguish the tasks of a job.
type row struct {
	job       string
	node      *event.Node
	instances int32
	kind      event.Kind
	start     event.Time
	end       event.Time
}

func (t *taker) take(file string, n int, line []byte) error {
	line = bytes.TrimSuffix(line, []byte("\r")) // v2017 ends its lines both ways
	if t.file != file {
		t.file, t.layout, t.nodes = file, layout{}, map[string]*event.Node{}
		stem, _, _ := strings.Cut(path.Base(file), ".")
		t.stem = []byte(stem)
	}
	if t.layout.columns == nil {
		l, header := layoutOf(string(line))
		t.layout = l
		if header {
			return nil
		}
		if l.columns == nil {
			return &table.Error{File: file, Line: n, Reason: "has another number of columns than the tables, which have 8 or 9"}
		}
	}
	l := &t.layout
	if l.wide != nil && bytes.Count(line, []byte{','})+1 == len(l.wide.columns) {
		l = l.wide
	}
	t.row.File, t.row.Columns = file, l.columns
	t.row.Reset(n, line)
	b := &t.batch
	*b = event.Batch{
		Submit: event.Never, Start: event.Never, Missing: event.Class | event.Priority | event.Disk | event.Deviation,
		File: file, Line: n,
	}
	t.parse(l, b)
	bad, this := t.row.Done(), row{b.Job, b.Node, b.Instances, b.Kind, b.Start, b.End}
	switch {
	case bad != nil:
	case b.Kind.Ends() && b.End != event.Never && b.End < max(b.Submit, b.Start):
		bad = &table.Error{File: file, Line: n, Reason: "the task ends before it starts"}
	case b.Node != nil && t.last == this:
		return &table.Error{File: file, Line: n, Reason: "the row repeats the one above"} // which says all that there is of its job
	}
	if bad != nil {
		bad.Job = b.Job
		return bad
	}
	if !b.Kind.Ends() { // the column holds the last change
		b.End = event.Never
	}
	t.last = this
	return t.sink.Batch(b)
}

// parse takes a row. A job's name begins with that of its file, or with the origin that the row names.
func (t *taker) parse(l *layout, b *event.Batch) {
	r := &t.row
	origin, job := t.stem, []byte(nil)
	for _, f := range l.fields {
		switch f {
		case sourceField:
			origin = bytes.TrimSuffix(r.Name(), []byte(".pkl"))
		case jobField:
			job = r.Name()
		case nameField:
			b.Node = t.node(r.Name())
		case countField:
			b.Instances = instances(r)
		case statusField:
			b.Kind = status(r)
		case createField:
			b.Submit = seconds(r)
		case startField:
			b.Start = seconds(r)
		case endField:
			b.End = seconds(r)
		case cpuField:
			b.CPU = r.Amount(event.CPU)
		case memoryField:
			b.Memory = r.Amount(event.Memory)
		case idField:
			r.Name()
		default:
			r.Text()
		}
	}
	b.Missing |= r.Missing
	if len(job) == 0 {
		return
	}
	if n := len(origin); len(t.job) != n+1+len(job) || t.job[:n] != string(origin) || t.job[n+1:] != string(job) {
		t.job = string(origin) + "/" + string(job)
	}
	b.Job = t.job
}
