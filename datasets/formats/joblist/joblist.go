// Package joblist reads a trace that is a list of jobs: one CSV file (RFC 4180, no line breaks within cells), gzip or plain. Its
// first line names the columns, which docs/your-trace.md describes. When tasks ran is not recorded: those of a job start together
// at its arrival. Rows may come in any order.
package joblist

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
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
	optional = []string{"id", "duration_sd", "cpu", "mem", "deadline", "weight"}
)

// Loader reads traces of the format: one *.csv or *.csv.gz, whose first line names a required column.
var Loader = &formats.Loader{
	Name: Format, Tables: []formats.Table{{Folder: ".", Patterns: []string{"*.csv"}, Rows: rows, Ends: true}}, Suits: suits,
	Lacks: func(files int) string {
		if files == 1 {
			return ""
		}
		return fmt.Sprintf("a csv trace is one *.csv or *.csv.gz, not %d", files)
	},
}

func suits(dir table.Dir, files []string) (found bool) {
	err := dir.Lines(context.Background(), files[0], func(_ int, text []byte) error {
		names, err := split(text)
		found = err == nil && slices.ContainsFunc(names, func(name string) bool { return slices.Contains(required, name) })
		return io.EOF // one line is enough
	})
	return found && errors.Is(err, io.EOF)
}

func rows(sink event.Sink) formats.Take {
	if sink.Listed == nil {
		return nil
	}
	row := table.Row{Sep: 0}            // of cells, which may hold commas
	lines, tasks := map[string]int{}, 0 // lines by the ids in them
	return func(file string, n int, text []byte) error {
		wrong := func(format string, args ...any) error {
			return &table.Error{File: file, Line: n, Reason: fmt.Sprintf(format, args...)}
		}
		cells, err := split(text)
		switch {
		case text == nil && row.Columns == nil:
			return wrong("it is empty; its first line must name the columns")
		case errors.Is(err, io.EOF):
			return nil // an empty line
		case err != nil:
			return wrong("%v", err)
		case row.Columns == nil:
			row.File, row.Columns = file, cells
			return header(cells, wrong)
		case len(cells) != len(row.Columns):
			return wrong("%q has %d columns instead of %d", table.Shorten(string(text)), len(cells), len(row.Columns))
		}
		row.Reset(n, []byte(strings.Join(cells, "\x00")))
		j, err := job(&row, n)
		if err != nil {
			return err
		}
		if first := lines[j.Job]; first > 0 {
			return wrong("%q is also the id of line %d", table.Shorten(j.Job), first)
		}
		lines[j.Job] = n
		if tasks += len(j.Durations); tasks > mostTasks {
			return wrong("with this row the jobs have more than %d tasks", mostTasks)
		}
		return sink.Listed(&j)
	}
}

// split cuts a line into cells; it is io.EOF for an empty one.
func split(text []byte) ([]string, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))) // spreadsheets begin files with that mark
	r.TrimLeadingSpace = true
	cells, err := r.Read()
	if parse := (*csv.ParseError)(nil); errors.As(err, &parse) {
		return nil, parse.Err // its line is that within the text
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells, err
}

// header checks the names of the columns.
func header(names []string, wrong func(string, ...any) error) error {
	known := slices.Concat(required, optional)
	for i, name := range names {
		switch {
		case !slices.Contains(known, name):
			return wrong("column %q is not one of %s", table.Shorten(name), strings.Join(known, ", "))
		case slices.Contains(names[:i], name):
			return wrong("column %q is there twice", name)
		}
	}
	for _, name := range required {
		if !slices.Contains(names, name) {
			return wrong("column %q is missing", name)
		}
	}
	return nil
}
