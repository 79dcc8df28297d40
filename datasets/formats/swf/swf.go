// Package swf reads job logs in the Standard Workload Format, version 2, of the Parallel Workloads Archive (Chapin et al.:
// Benchmarks and Standards for the Evaluation of Parallel Job Schedulers, JSSPP 1999): comments behind semicolons, then a job a
// line, 18 numbers between white space, −1 for unknown values.
//
// A job of p processors becomes p tasks that start and end together. A wait that is not known counts as 0, and the number
// of processors is the allocated one or else the requested one. Memory is in few logs; every task has the request of a list of
// jobs without requests. Rows of parts of a job that was checkpointed (status 2 to 4) are passed over: another row has the whole.
package swf

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "swf"

// The columns that something is made of, of all 18.
const (
	number    = 0
	submit    = 1
	wait      = 2
	run       = 3
	allocated = 4
	requested = 7
	status    = 10
	columns   = 18
)

var names = map[int]string{
	number: "job number", submit: "submit time", wait: "wait time", run: "run time", allocated: "allocated processors",
	requested: "requested processors", status: "status",
}

// Loader reads traces of the format.
var Loader = &formats.Loader{
	Name: Format, Looks: "one *.swf, 18 numbers between spaces: 1 0 5 120 16 -1 -1 16 3600 -1 1 3 1 -1 1 -1 -1 -1", Single: true,
	Tables: []formats.Table{{Folder: ".", Patterns: []string{"*.swf", "*.txt"}, Rows: rows, Jobs: true, Suits: suits}},
}

func suits(head []string) bool {
	comments := 0
	for _, line := range head {
		if line[0] == ';' {
			comments++
		} else if numbers := strings.Fields(line); len(numbers) == columns && !slices.ContainsFunc(numbers, func(text string) bool {
			_, err := strconv.ParseFloat(text, 64)
			return err != nil
		}) {
			return true
		}
	}
	return comments == len(head)
}

func rows(sink event.Sink) formats.Take {
	if sink.Batch == nil {
		return nil
	}
	seen := map[string]bool{}
	return func(file string, n int, text []byte) error {
		cells := strings.Fields(string(text))
		if len(cells) == 0 || cells[0][0] == ';' {
			return nil
		}
		if len(cells) != columns {
			return &table.Error{File: file, Line: n, Reason: "has another number of columns than 18"}
		}
		b, whole, bad := job(cells)
		if bad != nil {
			bad.File, bad.Line = file, n
			return bad
		}
		b.File, b.Line = file, n
		if !whole {
			return nil
		}
		if seen[b.Job] {
			return &table.Error{File: file, Line: n, Column: names[number], Value: b.Job, Reason: "is there twice"}
		}
		seen[b.Job] = true
		return sink.Batch(b)
	}
}

// most is the largest number of a cell: sums of three times, in seconds, stay within the clock.
const most = math.MaxInt64 / int64(event.Second) / 4

// A taker takes numbers out of the cells of a row and keeps the first fault.
type taker struct {
	cells []string
	bad   *table.Error
}

func (t *taker) fail(column int, reason string) {
	if t.bad == nil {
		t.bad = &table.Error{Column: names[column], Value: strconv.Quote(table.Shorten(t.cells[column])), Reason: reason}
	}
}

// number takes a number from least on.
func (t *taker) number(column, least int) float64 {
	v, err := strconv.ParseFloat(t.cells[column], 64)
	if err != nil || !(v >= float64(least) && v <= float64(most)) {
		t.fail(column, "is not a number from "+strconv.Itoa(least)+" on")
	}
	return v
}

// integer takes a whole number from least on, which may be written with a point.
func (t *taker) integer(column, least int) int64 {
	text := t.cells[column]
	if whole, zeros, _ := strings.Cut(text, "."); strings.Trim(zeros, "0") == "" {
		text = whole
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < int64(least) {
		t.fail(column, "is not a whole number from "+strconv.Itoa(least)+" on")
	}
	return v
}

// job makes a job of the cells of a row; false: they are of a part of one.
func job(cells []string) (b *event.Batch, whole bool, bad *table.Error) {
	t := &taker{cells: cells}
	processors := t.integer(allocated, -1)
	if processors < 1 {
		processors = t.integer(requested, -1)
	}
	submitted, waited, ran, ended := t.number(submit, 0), max(0, t.number(wait, -1)), t.number(run, -1), t.integer(status, -1)
	b = &event.Batch{
		Job: strconv.FormatInt(t.integer(number, 0), 10), Kind: event.Finish, Start: event.Never, End: event.Never,
		CPU: formats.UsualShare, Memory: formats.UsualShare, Missing: event.Class | event.Priority,
	}
	if t.bad != nil {
		return nil, false, t.bad
	}
	// The clock's zero stands for what happened before a trace, see event.BeforeWindow: it is put a microsecond back.
	b.Submit = event.At(submitted) + 1
	if ran >= 0 {
		b.Start = b.Submit + event.At(waited)
		b.End = b.Start + event.At(ran)
	}
	switch ended {
	case 0:
		b.Kind = event.Fail
	case 2, 3, 4:
		return b, false, nil
	case 5:
		b.Kind = event.Kill
	}
	switch {
	case processors > math.MaxInt32 || processors < 1 && b.Kind == event.Finish:
		t.fail(requested, "is no number of tasks")
	case ran < 0 && b.Kind == event.Finish:
		t.fail(run, "is not known of a job that was completed")
	}
	b.Instances = int32(max(1, processors))
	return b, true, t.bad
}
