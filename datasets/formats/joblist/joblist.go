// Package joblist reads a trace that is a list of jobs: one CSV file (RFC 4180, no line breaks within cells), cells between
// commas, semicolons or tabs. Its first line names the columns, which docs/using.md#a-trace-of-your-own describes. When tasks ran is
// not recorded: those of a job start together at its arrival or, where the rows are the tasks of a DAG, when their parents have
// ended. Rows may come in any order.
package joblist

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/formats"
	"schedgap/datasets/table"
)

// Format is the name of the format.
const Format = "csv"

// The columns.
var (
	required = []string{"arrival", "tasks", "duration"}
	optional = []string{"id", "duration_sd", "cpu", "mem", "deadline", "weight", "task", "parents"}
)

// Loader reads traces of the format: one file whose first line names a required column.
var Loader = &formats.Loader{
	Name: Format, Looks: "one *.csv that names its columns: arrival,tasks,duration", Single: true,
	Tables: []formats.Table{{Folder: ".", Patterns: []string{"*.csv", "*.tsv", "*.txt"}, Rows: rows, Jobs: true, Suits: suits}},
}

func suits(head []string) bool {
	first := slices.IndexFunc(head, func(line string) bool { return line[0] != '#' })
	if first < 0 {
		return false
	}
	names, err := split([]byte(head[first]), comma(head[first]))
	return err == nil && slices.ContainsFunc(names, func(name string) bool {
		return slices.Contains(required, strings.ToLower(name))
	})
}

// comma is the separator of the cells of a header.
func comma(header string) rune {
	for _, other := range ";\t" {
		if strings.ContainsRune(header, other) {
			return other
		}
	}
	return ','
}

func rows(sink event.Sink) formats.Take {
	if sink.Listed == nil {
		return nil
	}
	l := &list{sink: sink, row: table.Row{Sep: 0}, ids: map[string]bool{}, numbers: map[string]int32{}} // cells may hold commas
	return l.take
}

// A list is a list of jobs that is read.
type list struct {
	sink    event.Sink
	row     table.Row
	comma   rune
	graphs  bool             // the rows are tasks of DAGs
	ids     map[string]bool  // of the jobs so far, or of their tasks
	numbers map[string]int32 // of the tasks of DAGs, by their names
	tasks   int
}

func (l *list) take(file string, n int, text []byte) error {
	wrong := func(value, reason string) *table.Error {
		return &table.Error{File: file, Line: n, Value: value, Reason: reason}
	}
	if l.comma == 0 {
		l.comma = comma(string(text))
	}
	cells, err := split(text, l.comma)
	switch {
	case errors.Is(err, io.EOF): // an empty line or a comment
		if l.row.Columns == nil {
			l.comma = 0
		}
		return nil
	case err != nil:
		return wrong("", err.Error())
	case l.row.Columns == nil:
		if bad := l.header(cells, wrong); bad != nil {
			bad.Whole = true
			return bad
		}
		l.row.File = file
		return nil
	case len(cells) != len(l.row.Columns):
		return wrong(quote(string(text)), fmt.Sprintf("has %d columns instead of %d", len(cells), len(l.row.Columns)))
	}
	l.row.Reset(n, []byte(strings.Join(cells, "\x00")))
	return l.job(n, wrong)
}

func quote(text string) string { return strconv.Quote(table.Shorten(text)) }

// split cuts a line into cells; it is io.EOF for one that says nothing.
func split(text []byte, comma rune) ([]string, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, io.EOF
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.Comment, r.TrimLeadingSpace = comma, '#', comma != '\t'
	cells, err := r.Read()
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		return nil, parse.Err // its line is that within the text
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells, err
}

// header takes the names of the columns. One without a name, as data frames write their index, is passed over.
func (l *list) header(names []string, wrong func(value, reason string) *table.Error) *table.Error {
	known := slices.Concat(required, optional)
	for i, name := range names {
		names[i] = strings.ToLower(name)
		switch {
		case name != "" && !slices.Contains(known, names[i]):
			return wrong("column "+quote(name), "is not one of "+strings.Join(known, ", "))
		case name != "" && slices.Contains(names[:i], names[i]):
			return wrong("column "+quote(name), "is there twice")
		}
	}
	needed := required
	l.graphs = slices.Contains(names, "task")
	if l.graphs || slices.Contains(names, "parents") {
		needed = slices.Concat(required, []string{"id", "task"}) // which job the task is of, and what others call it
	}
	for _, name := range needed {
		if !slices.Contains(names, name) {
			return wrong("column "+quote(name), "is missing")
		}
	}
	l.row.Columns = names
	return nil
}
