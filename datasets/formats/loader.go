// Package formats has the common parts of the loaders of all trace formats. A Loader says which files a trace consists of, how
// the format is recognised, and how its tables are read. The packages below it are one format each; datasets/trace opens
// traces with them.
package formats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// A Loader reads the traces of one format.
type Loader struct {
	Name   string  // on command lines, such as google2011
	Looks  string  // where the files are and how their lines look
	Sorted bool    // every table is in order of time
	Single bool    // a trace is one file
	Tables []Table // machines before jobs before tasks
}

// A Table is one table of a format.
type Table struct {
	Folder   string
	Patterns []string // of its files; a file that the user names may have any name
	// Suits reports whether a file that begins with these lines is one of the table's; nil: its name is enough.
	Suits func(head []string) bool
	// Optional says that other tables make a trace without this one.
	Optional bool
	Jobs     bool // every row is a job
	// Rows returns a function that takes the lines of one of its files in order, n counted from 1, and hands their records to a
	// sink. Nil means that the sink does not want them.
	Rows func(sink event.Sink) Take
}

// A Take takes line n of a file. Of a line that cannot be used it returns a table.Error, of one with several records a join of
// those.
type Take func(file string, n int, text []byte) error

// UsualShare is the request of a task without one in a list of jobs, as a share of the largest machine.
const UsualShare = 0.05

// Open opens the trace in dir with the loader of that name or, if that is empty, with the first that finds its tables there.
func Open(dir table.Dir, loaders []*Loader, name string) (*Reader, error) {
	looks := make([]string, len(loaders))
	for i, l := range loaders {
		looks[i] = fmt.Sprintf("%s (%s)", l.Name, l.Looks)
		if name != "" && l.Name != name {
			continue
		}
		if name == "" {
			if r, err := l.find(dir, false); r != nil || err != nil {
				return r, err
			}
		} else if r, err := l.Open(dir); r != nil || err != nil {
			return r, err
		} else {
			return nil, fmt.Errorf("%s: there is no %s trace: %s", dir.Path(dir.Only), name, l.Looks)
		}
	}
	if name != "" {
		names := make([]string, len(loaders))
		for i, l := range loaders {
			names[i] = l.Name
		}
		return nil, fmt.Errorf("trace format %q is not one of %s", name, strings.Join(names, ", "))
	}
	what := "there is no trace of a known format"
	if dir.Only != "" {
		head, _, err := begins(dir, dir.Only, func([]string) bool { return false })
		if err != nil {
			return nil, err
		}
		what = "it is empty"
		if len(head) > 0 {
			what = fmt.Sprintf("its first line, %q, begins no trace of a known format", table.Shorten(head[0]))
		}
	}
	return nil, fmt.Errorf("%s: %s; the formats are %s", dir.Path(dir.Only), what, strings.Join(looks, "; "))
}

// Open opens the trace in dir although its files may not begin like the format's; nil: there are none with their names.
func (l *Loader) Open(dir table.Dir) (*Reader, error) {
	r, err := l.find(dir, false)
	if r == nil && err == nil {
		r, err = l.find(dir, true)
	}
	return r, err
}

// find finds the files of the trace in dir, by their names alone if insist; nil: there is none of the format.
func (l *Loader) find(dir table.Dir, insist bool) (*Reader, error) {
	r := &Reader{l, dir, make([][]string, len(l.Tables)), insist}
	found := false
	for i := range l.Tables {
		t := &l.Tables[i]
		patterns := t.Patterns
		if t.Suits != nil && dir.Only != "" {
			patterns = []string{"*"}
		}
		files, err := dir.Parts(t.Folder, patterns...)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			suits := t.Suits == nil || insist
			if !suits {
				_, suits, err = begins(dir, file, t.Suits)
				if err != nil && dir.Only != "" {
					return nil, err
				}
			}
			if suits {
				r.tables[i] = append(r.tables[i], file)
				found = found || !t.Optional
			}
		}
	}
	if files := r.Files(); l.Single && len(files) > 1 {
		return nil, fmt.Errorf("%s: a %s trace is one file, and here are %d: name one of %s", dir.Path(""), l.Name, len(files),
			table.Shorten(strings.Join(files, ", ")))
	}
	if !found {
		return nil, nil
	}
	return r, nil
}

// begins reports whether a file, or one in an archive, suits; of the first it returns the first lines.
func begins(dir table.Dir, file string, suits func(head []string) bool) (head []string, found bool, err error) {
	err = dir.Lines(context.Background(), file, func(_ string, lines []string) table.Line {
		if head == nil {
			head = lines
		}
		found = len(lines) > 0 && suits(lines)
		if !found {
			return nil
		}
		return func(int, []byte) error { return io.EOF }
	})
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return head, found, err
}

// A Reader reads one trace; it implements event.Reader.
type Reader struct {
	loader *Loader
	dir    table.Dir
	tables [][]string
	insist bool // files need not begin like the format's
}

// Format implements event.Reader.
func (r *Reader) Format() string { return r.loader.Name }

// Dir implements event.Reader.
func (r *Reader) Dir() string { return r.dir.Path("") }

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
			err := r.dir.Lines(ctx, name, func(file string, head []string) table.Line {
				if t.Suits != nil && !r.insist && (len(head) == 0 || !t.Suits(head)) {
					return nil // another file of an archive
				}
				return func(n int, text []byte) error {
					if err := take(file, n, text); err != nil {
						return t.pass(err, sink)
					}
					return nil
				}
			})
			if err := t.pass(err, sink); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass hands a line, or each record of one, that cannot be used to the sink; other errors, and those of a sink that does not take
// such lines, come back.
func (t *Table) pass(err error, sink event.Sink) error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range several.Unwrap() {
			if err := t.pass(each, sink); err != nil {
				return err
			}
		}
		return nil
	}
	var bad *table.Error
	if sink.Bad == nil || !errors.As(err, &bad) || bad.Whole {
		return err
	}
	if t.Jobs && bad.Job == "" {
		bad.Job = fmt.Sprintf("line %d", bad.Line) // no job's name, which has no spaces
	}
	sink.Bad(&event.Bad{Reason: bad.Kind(), File: bad.File, Line: bad.Line, Job: bad.Job, Err: bad})
	return nil
}
