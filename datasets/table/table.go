// Package table reads the text tables that traces are published as: parts in the order of their names, gzip or plain, line
// by line, with errors that name the place.
package table

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// An Error is a line that is not as its format says.
type Error struct {
	File   string
	Line   int    // from 1; 0: the file as a whole
	Column string // name of the column or field; empty: the line as a whole
	Reason string // names the offending value
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		fmt.Fprintf(&b, ": line %d", e.Line)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, ": column %s", e.Column)
	}
	b.WriteString(": " + e.Reason)
	return b.String()
}

// A Dir is the folder of a trace.
type Dir struct {
	FS   fs.FS
	Name string // for messages, as the user named it
	Only string // if not empty, the one file at the top of the folder that counts
}

// Path is how messages name a file of d.
func (d Dir) Path(file string) string { return path.Join(d.Name, file) }

// Parts lists the files of folder that match one of the patterns (of path.Match), gzip (.gz) or plain, in the order of
// their names; a missing folder has none. A part that is there both ways is an error: its rows would count twice.
func (d Dir) Parts(folder string, patterns ...string) ([]string, error) {
	entries, err := fs.ReadDir(d.FS, folder)
	if errors.Is(err, fs.ErrNotExist) && folder != "." {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Path(folder), cause(err))
	}
	var parts []string
	for _, e := range entries {
		if folder == "." && d.Only != "" && e.Name() != d.Only {
			continue
		}
		if e.IsDir() || !matches(strings.TrimSuffix(e.Name(), ".gz"), patterns) {
			continue
		}
		parts = append(parts, path.Join(folder, e.Name()))
	}
	slices.Sort(parts)
	for _, p := range parts {
		if _, twice := slices.BinarySearch(parts, p+".gz"); twice {
			reason := "the same part is also there as " + path.Base(p) + ".gz; remove one of them"
			return nil, &Error{File: d.Path(p), Reason: reason}
		}
	}
	return parts, nil
}

func matches(name string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}

// cause strips the operation and path that package fs adds: messages here name the file themselves.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
