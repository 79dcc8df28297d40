package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/input"
	"schedgap/models/nearest"
)

// Builtin returns the suites that the problems bring along, in the problems' order.
func Builtin(registry *bench.Registry) ([]*Suite, error) {
	var all []*Suite
	for _, p := range registry.Problems {
		if p.Folder != nil {
			all = append(all, ofFolder(p, "quick", 5, 10*time.Second), ofFolder(p, p.Name+"-small", 20, time.Duration(DefaultTime)))
		}
		if p.Suites == nil {
			continue
		}
		own, err := builtin(p)
		if err != nil {
			return nil, fmt.Errorf("built-in suites of %s: %w", p.Name, err)
		}
		all = append(all, own...)
		if registry.Library == nil {
			continue
		}
		sets, err := registry.Library.Sets(p.Name)
		if err != nil {
			return nil, err
		}
		for i, set := range sets {
			if i == 0 {
				all = append(all, ofLibrary(p, own, All))
			}
			all = append(all, ofLibrary(p, own, set))
		}
	}
	return all, nil
}

func builtin(p *bench.Problem) (all []*Suite, err error) {
	files, err := fs.Glob(p.Suites, "*.yaml")
	for _, f := range files {
		data, err := fs.ReadFile(p.Suites, f)
		if err != nil {
			return nil, err
		}
		suites, err := ParseAll(f, data)
		if err != nil {
			return nil, err
		}
		for _, s := range suites {
			s.dir, s.fsys = "", p.Suites
		}
		all = append(all, suites...)
	}
	return all, err
}

// All stands for all sets of the library.
const All = "all"

// LibrarySuite names the suite of a set of the library.
func LibrarySuite(problem, set string) string {
	return "library-" + strings.TrimSuffix(problem+"-"+set, "-"+All)
}

// ofLibrary returns the suite of a set of the library: the library's answers and the heuristics of the problem's small suite.
func ofLibrary(p *bench.Problem, builtin []*Suite, set string) *Suite {
	name := LibrarySuite(p.Name, set)
	s := &Suite{
		Name: name, Problem: p.Name, Purpose: "the library's instances: " + set, Instances: []Source{{Library: set}}, file: name,
		Algorithms: []Entry{{Name: bench.FromLibrary}}, Seeds: []uint64{DefaultSeed},
		Limits: Limits{Time: DefaultTime, Memory: 4 << 30, Threads: DefaultThreads}, fsys: p.Suites,
	}
	for _, small := range builtin {
		if small.Name != p.Name+"-small" {
			continue
		}
		for _, e := range small.Algorithms {
			if a, _, err := p.Find(e.Name); err == nil && a.Kind == models.Heuristic {
				s.Algorithms = append(s.Algorithms, e)
			}
		}
	}
	return s
}

// ofFolder is a suite of a problem of a user's own: generated instances, and all its algorithms.
func ofFolder(p *bench.Problem, name string, n int, limit time.Duration) *Suite {
	s := &Suite{
		Name: name, Problem: p.Name, Purpose: "instances of the generator with its defaults", file: name, own: true,
		Instances: []Source{{Generate: &Generate{N: n, Seed: DefaultSeed}}}, Seeds: []uint64{DefaultSeed},
		Limits: Limits{Time: Span(limit), Memory: 4 << 30, Threads: DefaultThreads},
	}
	for i := range p.Algorithms {
		if a := p.Algorithms[i].Name; a != bench.FromLibrary {
			s.Algorithms = append(s.Algorithms, Entry{Name: a})
		}
	}
	return s
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
		if i := slices.IndexFunc(found, func(s *Suite) bool { return s.own }); i >= 0 {
			return found[i : i+1], nil // who names a folder means its problem
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
	suites, err := ParseAll(nameOrPath, data)
	for _, s := range suites {
		if s.Folder == "" || err != nil {
			continue
		}
		if !filepath.IsAbs(s.Folder) {
			s.Folder = filepath.Join(s.dir, s.Folder)
		}
		var p *bench.Problem
		p, err = registry.Adopt(s.Folder)
		if err != nil {
			return nil, s.errorf("problem: %w", err)
		}
		s.Problem = p.Name
	}
	return suites, err
}
