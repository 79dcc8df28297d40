// Package formats is what the loaders of all trace formats have in common: which files a trace is made of, whether a folder is
// one, and how its tables are read.
package formats

import (
	"context"
	"fmt"
	"slices"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// A Loader reads the traces of one format.
type Loader struct {
	Name   string  // on command lines, such as google2011
	Sorted bool    // every table is in order of time
	Tables []Table // machines before jobs before tasks
	Named  string  // the pattern of a file that a user names, whatever the tables' are; empty: theirs
	Needed int     // the table that must be there; All: one of them
	// Lacks says of so many files of what is needed why they are no trace; empty: they are one.
	Lacks func(files int) string
	// Suits looks into a folder that lacks nothing; nil: it is a trace.
	Suits func(dir table.Dir, files []string) bool
}

// A Table is one table of a format.
type Table struct {
	Folder   string
	Patterns []string // of its files
	// Rows returns what takes the lines of one of its files after the other, n counted from 1, and hands what they say to a sink;
	// nil: the sink does not want it.
	Rows func(sink event.Sink) Take
	// Ends has a file's end taken like a line, with a nil text.
	Ends bool
}

// A Take takes line n of a file.
type Take func(file string, n int, text []byte) error

// All stands for all tables.
const All = -1

// Without is a Loader's Lacks of one that takes any number of files but none.
func Without(lacks string) func(files int) string {
	return func(files int) string {
		if files > 0 {
			return ""
		}
		return lacks
	}
}

// find lists the files of each table, and says why they are no trace.
func (l *Loader) find(dir table.Dir) (tables [][]string, lacks string, err error) {
	for _, t := range l.Tables {
		patterns := t.Patterns
		if l.Named != "" && dir.Only != "" {
			patterns = []string{l.Named}
		}
		files, err := dir.Parts(t.Folder, patterns...)
		if err != nil {
			return nil, "", err
		}
		tables = append(tables, files)
	}
	needed := tables
	if l.Needed != All {
		needed = tables[l.Needed : l.Needed+1]
	}
	return tables, l.Lacks(len(slices.Concat(needed...))), nil
}

// Detect reports whether dir looks like a trace of the format.
func (l *Loader) Detect(dir table.Dir) bool {
	tables, lacks, err := l.find(dir)
	return err == nil && lacks == "" && (l.Suits == nil || l.Suits(dir, slices.Concat(tables...)))
}

// Open finds the files of the trace in dir.
func (l *Loader) Open(dir table.Dir) (*Reader, error) {
	tables, lacks, err := l.find(dir)
	if err == nil && lacks != "" {
		err = fmt.Errorf("%s: %s", dir.Path(dir.Only), lacks)
	}
	if err != nil {
		return nil, err
	}
	return &Reader{l, dir, tables}, nil
}

// A Reader reads one trace; it implements event.Reader.
type Reader struct {
	loader *Loader
	dir    table.Dir
	tables [][]string
}

// Format implements event.Reader.
func (r *Reader) Format() string { return r.loader.Name }

// Files implements event.Reader.
func (r *Reader) Files() []string { return slices.Sorted(slices.Values(slices.Concat(r.tables...))) }

// Sorted implements event.Reader.
func (r *Reader) Sorted() bool { return r.loader.Sorted }

// Read implements event.Reader.
func (r *Reader) Read(ctx context.Context, sink event.Sink) error {
	for i, files := range r.tables {
		t := &r.loader.Tables[i]
		take := t.Rows(sink)
		for _, name := range files {
			if take == nil {
				break
			}
			file := r.dir.Path(name)
			err := r.dir.Lines(ctx, name, func(n int, text []byte) error { return take(file, n, text) })
			if err == nil && t.Ends {
				err = take(file, 0, nil)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
