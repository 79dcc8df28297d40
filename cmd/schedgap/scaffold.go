package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/reports/summary"
)

// scaffold writes what a program that evolves heuristics begins with. Existing files are never replaced.
func (a *app) scaffold(p *bench.Problem, kind, dir string) error {
	if dir == "" {
		return errors.New("--scaffold needs -o DIR")
	}
	files, err := catalog.Scaffold(p.Name, kind)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := unused(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if err := writableFolder(dir); err != nil {
		return err
	}
	if err := writeFiles(dir, files); err != nil {
		return err
	}
	a.next(fmt.Sprintf("schedgap evaluate %s -- python3 %s", p.Name, summary.Quote(filepath.Join(dir, catalog.Initial))))
	return nil
}
