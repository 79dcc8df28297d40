package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
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
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return fmt.Errorf("%s: exists, and is not replaced", filepath.Join(dir, name))
		}
	}
	if err := writableFolder(dir); err != nil {
		return err
	}
	for _, name := range names {
		if err := writeFile(filepath.Join(dir, name), files[name]); err != nil {
			return err
		}
	}
	a.next(fmt.Sprintf("schedgap evaluate %s -- python3 %s", p.Name, summary.Quote(filepath.Join(dir, catalog.Initial))))
	return nil
}
