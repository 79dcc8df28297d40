package ratio

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"schedgap/bench"
)

// A Part is a part of a result set: globs of names, separated by commas, at least one of which must match. An empty text matches
// all names.
type Part struct {
	Algorithms, Instances string
	Families              string // of instances, or suites, by the names that tables have
}

// Keep leaves in the set what belongs to the part, and returns what of the simulations does: an algorithm is a policy there, and
// an instance a workload. Best values, bounds and contradictions are still those of the whole set. It is an error if a
// glob matches nothing.
func (p Part) Keep(s *Set, sim []bench.SimRecord) ([]bench.SimRecord, error) {
	if p == (Part{}) {
		return sim, nil
	}
	algorithms, instances := Globs{what: "algorithm", text: p.Algorithms}, Globs{what: "instance", text: p.Instances}
	families := Globs{what: "family or suite", text: p.Families}
	for _, problem := range s.Problems {
		problem.Units = problem.Units[:0:0]
		problem.Instances = slices.DeleteFunc(problem.Instances, func(in *Instance) bool {
			of := slices.ContainsFunc(append([]string{in.Family()}, in.Suites...), families.Match)
			if !instances.Match(in.Name) || !of {
				return true
			}
			in.Units = slices.DeleteFunc(slices.Clone(in.Units), func(u *Unit) bool { return !algorithms.Match(u.Algorithm) })
			return len(in.Units) == 0
		})
		for i, in := range problem.Instances {
			in.Index = i
			problem.Units = append(problem.Units, in.Units...)
		}
	}
	s.Problems = slices.DeleteFunc(s.Problems, func(problem *Problem) bool { return len(problem.Instances) == 0 })
	sim = slices.DeleteFunc(slices.Clone(sim), func(r bench.SimRecord) bool {
		policy, workload := algorithms.Match(r.Policy), instances.Match(r.Workload)
		return !policy || !workload || p.Families != ""
	})
	for _, globs := range []*Globs{&algorithms, &instances, &families} {
		if err := globs.Err(); err != nil {
			return nil, err
		}
	}
	if len(s.Problems)+len(sim) == 0 {
		return nil, fmt.Errorf("no result matches all patterns")
	}
	return sim, nil
}

// Globs are patterns of names, separated by commas, as those of the flags of run.
type Globs struct {
	what, text string
	used       map[string]bool
	err        error
}

var flat = strings.NewReplacer("/", "\x00") // slashes are not special

// Match reports whether a pattern matches the name. A name may have commas, which a pattern has behind a backslash.
func (g *Globs) Match(name string) bool {
	if g.text == "" {
		return true
	}
	if g.used == nil {
		g.used = map[string]bool{}
		for _, glob := range split(g.text) {
			g.used[glob] = false
		}
	}
	any := false
	for glob := range g.used {
		ok, err := path.Match(flat.Replace(glob), flat.Replace(name))
		if err != nil {
			g.err = fmt.Errorf("%s pattern %q: %w", g.what, glob, err)
		}
		any, g.used[glob] = any || ok, g.used[glob] || ok
	}
	return any
}

// Err is the error of a pattern: its syntax, or that it matched no name.
func (g *Globs) Err() error {
	if g.err != nil {
		return g.err
	}
	for _, glob := range split(g.text) {
		if g.text != "" && !g.used[glob] {
			return fmt.Errorf("no %s of the results matches %q", g.what, glob)
		}
	}
	return nil
}

// split cuts a text at its commas, those behind a backslash excepted.
func split(text string) (globs []string) {
	start := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case ',':
			globs, start = append(globs, text[start:i]), i+1
		}
	}
	return append(globs, text[start:])
}
