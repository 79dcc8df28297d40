package table

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Row is a line cut into cells, for tables small enough that speed does not matter. Its methods keep the first error.
type Row struct {
	File    string
	Line    int
	Columns []string // names
	Cells   []string // as many
	err     error
}

// Split cuts a line at sep; another number of cells than columns is an error.
func Split(file string, line int, text, sep string, columns []string) (*Row, error) {
	r := &Row{File: file}
	return r, r.Split(line, text, sep, columns)
}

// Split makes r the row of another line of its file, with the memory that it has.
func (r *Row) Split(line int, text, sep string, columns []string) error {
	r.Line, r.Columns, r.Cells, r.err = line, columns, r.Cells[:0], nil
	for cell, rest, more := "", text, true; more; {
		cell, rest, more = strings.Cut(rest, sep)
		r.Cells = append(r.Cells, cell)
	}
	if len(r.Cells) != len(columns) {
		reason := fmt.Sprintf("%q has %d columns instead of %d", Shorten(text), len(r.Cells), len(columns))
		return &Error{File: r.File, Line: line, Reason: reason}
	}
	return nil
}

// Shorten cuts a text that is too long for a message.
func Shorten(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// Err is the first error of the row.
func (r *Row) Err() error { return r.err }

// Fail says what is wrong with a cell.
func (r *Row) Fail(col int, wrong string) {
	if r.err == nil {
		reason := fmt.Sprintf("%q %s", Shorten(r.Cells[col]), wrong)
		r.err = &Error{File: r.File, Line: r.Line, Column: r.Columns[col], Reason: reason}
	}
}

// Text is a cell that must not be empty.
func (r *Row) Text(col int) string {
	if r.Cells[col] == "" {
		r.Fail(col, "must not be empty")
	}
	return r.Cells[col]
}

// Integer is a cell with a whole number, least ≤ v ≤ most.
func (r *Row) Integer(col int, least, most int64) int64 {
	v, err := strconv.ParseInt(r.Cells[col], 10, 64)
	switch {
	case err != nil:
		r.Fail(col, "is not an integer")
	case v < least || v > most:
		r.Fail(col, fmt.Sprintf("is not between %d and %d", least, most))
	default:
		return v
	}
	return 0
}

// Decimal is a cell with a finite number ≥ 0.
func (r *Row) Decimal(col int) float64 {
	v, err := strconv.ParseFloat(r.Cells[col], 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
		r.Fail(col, "is not a finite number ≥ 0")
		return 0
	}
	return v
}
