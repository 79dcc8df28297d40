// Package table reads the text tables of published traces line by line: parts in the order of their names, packed or plain. A
// Row hands out the columns of a line, and an Error names the place of a fault. The loaders in datasets/formats call it.
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
	Value  string // the value found, as it is to be printed; may be empty
	Reason string // the fault, in the same words for all values
	Job    string // of the line, if known
	Whole  bool   // not the line alone cannot be used, but the file
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
	b.WriteString(": " + strings.TrimPrefix(e.Value+" ", " ") + e.Reason)
	return b.String()
}

// Kind is the reason without what differs from line to line.
func (e *Error) Kind() string { return strings.TrimPrefix(e.Column+" ", " ") + e.Reason }

// A Dir is the folder of a trace.
type Dir struct {
	FS   fs.FS
	Name string // for messages, as the user named it
	Only string // if not empty, the one file at the top of the folder that counts
}

// Path is how messages name a file of d.
func (d Dir) Path(file string) string { return path.Join(d.Name, file) }

// Parts lists the files of folder whose names, without what says how they are packed, match one of the patterns (of path.Match),
// in the order of the names; a missing folder has none. A part that is there twice is an error: its rows would count twice.
func (d Dir) Parts(folder string, patterns ...string) ([]string, error) {
	entries, err := fs.ReadDir(d.FS, folder)
	if errors.Is(err, fs.ErrNotExist) && folder != "." {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Path(folder), cause(err))
	}
	var parts []string
	there := map[string]string{} // by their bare names
	for _, e := range entries {
		bare := Bare(e.Name())
		if e.IsDir() || folder == "." && d.Only != "" && e.Name() != d.Only || !matches(bare, patterns) {
			continue
		}
		if other, twice := there[bare]; twice {
			reason := "the same part is also there as " + e.Name() + "; remove one of them"
			return nil, &Error{File: d.Path(path.Join(folder, other)), Reason: reason}
		}
		there[bare] = e.Name()
		parts = append(parts, path.Join(folder, e.Name()))
	}
	slices.Sort(parts)
	return parts, nil
}

// Bare is a file's name without what says how it is packed.
func Bare(name string) string {
	for _, ending := range []string{".gz", ".zst", ".bz2", ".tgz", ".tar"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
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
