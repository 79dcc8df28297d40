package evidence

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"schedgap/bench/store"
	"schedgap/datasets/library"
	"schedgap/models"
)

const citation = `cff-version: 1.2.0
message: If you use the schedgap library of instances, please cite it with its release, and the paper whose problem you use.
title: "schedgap library: instances, best known values and proofs, release %s"
type: dataset
version: %q
authors:
  - name: The schedgap authors
license: CC-BY-4.0
`

// Release writes a library as a release: its files, Table for every name of tables, CITATION.cff, CHANGES.csv with the
// entries whose status, value or bound changed since the release before, and SHA256SUMS of all. Made twice from the same
// library it is the same to the byte.
func (c *Collection) Release(files fs.FS, version, dir string, tables map[string][]byte) error {
	known := slices.ContainsFunc(c.Events, func(e library.Event) bool { return e.Release == version })
	if !known {
		return fmt.Errorf("release: nothing in history belongs to the release %q", version)
	}
	changes, err := c.changes(version)
	if err != nil {
		return err
	}
	out := map[string][]byte{"CITATION.cff": fmt.Appendf(nil, citation, version, version), "CHANGES.csv": changes}
	for name, data := range tables {
		out[name] = data
	}
	err = fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".go") {
			return err
		}
		out[name], err = fs.ReadFile(files, name)
		return err
	})
	if err != nil {
		return err
	}
	var names []string
	for name := range out {
		names = append(names, name)
	}
	slices.Sort(names)
	var sums bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&sums, "%s  %s\n", models.Digest(out[name]), name)
		if err := store.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), out[name]); err != nil {
			return err
		}
	}
	return store.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums.Bytes())
}

// changes are the entries that the events of a release changed, with what they were before.
func (c *Collection) changes(version string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	rows := [][]string{{"id", "status_before", "status", "value_before", "value", "bound_before", "bound"}}
	first := slices.IndexFunc(c.Events, func(e library.Event) bool { return e.Release == version })
	before, err := library.Derive(c.Events[:first])
	if err != nil {
		return nil, err
	}
	for _, e := range c.Entries {
		old := &library.Entry{Instance: e.Instance}
		if i := slices.IndexFunc(before, func(o *library.Entry) bool { return o.ID == e.ID }); i >= 0 {
			old = before[i]
		}
		n := library.Number
		row := []string{e.ID, old.Status(), e.Status(), n(old.Value), n(e.Value), n(old.Bound), n(e.Bound)}
		if row[1] != row[2] || row[3] != row[4] || row[5] != row[6] {
			rows = append(rows, row)
		}
	}
	err = w.WriteAll(rows)
	return b.Bytes(), err
}
