package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models/input"
	"schedgap/models/nearest"
)

// Builtin returns the suites that the problems bring along, in the problems' order.
func Builtin(registry *bench.Registry) ([]*Suite, error) {
	var all []*Suite
	for _, p := range registry.Problems {
		if p.Suites == nil {
			continue
		}
		files, err := fs.Glob(p.Suites, "*.yaml")
		if err != nil {
			return nil, fmt.Errorf("built-in suites of %s: %w", p.Name, err)
		}
		for _, f := range files {
			data, err := fs.ReadFile(p.Suites, f)
			if err != nil {
				return nil, fmt.Errorf("built-in suites of %s: %w", p.Name, err)
			}
			suites, err := ParseAll(f, data)
			if err != nil {
				return nil, fmt.Errorf("built-in suites of %s: %w", p.Name, err)
			}
			for _, s := range suites {
				s.dir, s.fsys = "", p.Suites
			}
			all = append(all, suites...)
		}
	}
	return all, nil
}

// Load returns the suites in a file, or the built-in ones of a name. Several problems may have a suite of the same name,
// such as quick, and all of them are meant unless the name is preceded by a problem's, as in flex/quick.
func Load(nameOrPath string, registry *bench.Registry) ([]*Suite, error) {
	if ext := filepath.Ext(nameOrPath); ext != ".yaml" && ext != ".yml" {
		builtin, err := Builtin(registry)
		if err != nil {
			return nil, err
		}
		var found []*Suite
		var names []string
		for _, s := range builtin {
			full := s.Problem + "/" + s.Name
			if nameOrPath == s.Name || nameOrPath == full {
				found = append(found, s)
			}
			if strings.Contains(nameOrPath, "/") {
				names = append(names, full)
			} else {
				names = append(names, s.Name)
			}
		}
		if len(found) > 0 {
			return found, nil
		}
		if _, err := os.Stat(nameOrPath); errors.Is(err, fs.ErrNotExist) {
			slices.Sort(names)
			return nil, nearest.Unknown("suite or file", nameOrPath, slices.Compact(names))
		}
	}
	data, err := input.Read(nameOrPath, input.MaxConfig)
	if err != nil {
		return nil, fmt.Errorf("reading a suite: %w", err)
	}
	return ParseAll(nameOrPath, data)
}
