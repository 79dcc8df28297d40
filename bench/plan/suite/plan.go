package suite

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/models/nearest"
)

// A Plan holds the instances of suites and the units to run on them.
type Plan struct {
	Suites  []*Suite // with variables and folders resolved
	Units   []bench.Unit
	Asked   []bench.Unit // what Units were before they were filtered; nil: they were not
	Notes   []string     // sentences for the user, for example about skipped sources
	Skipped []string     // the Notes about skipped sources
}

// ErrNoUnit says that no pattern of a filter matches a unit of the plan.
var ErrNoUnit = errors.New("no unit is left")

// noUnit is an error that is ErrNoUnit and says why.
type noUnit struct{ error }

func (noUnit) Is(target error) bool { return target == ErrNoUnit }

// Join returns the plans as one.
func Join(plans ...*Plan) *Plan {
	all := &Plan{}
	for _, p := range plans {
		all.Suites = append(all.Suites, p.Suites...)
		all.Units = append(all.Units, p.Units...)
		all.Notes = append(all.Notes, p.Notes...)
		all.Skipped = append(all.Skipped, p.Skipped...)
	}
	return all
}

// Instances is the number of instances that have a unit.
func (p *Plan) Instances() int {
	seen := map[*bench.Instance]bool{}
	for i := range p.Units {
		seen[p.Units[i].Instance] = true
	}
	return len(seen)
}

// Filter keeps the units whose algorithm and instance match one of the comma separated globs; an empty text keeps all. In a
// glob, * stands for any text. A glob that matches nothing is an error.
func (p *Plan) Filter(algorithms, instances string) error {
	if algorithms+instances != "" {
		p.Asked = slices.Clone(p.Units)
	}
	keep, err := p.Algorithms(algorithms)
	if err != nil {
		return err
	}
	p.Units = slices.DeleteFunc(p.Units, func(u bench.Unit) bool { return keep != nil && !keep[u.Request.Algorithm] })
	keep, err = p.matching(instances, "instance", func(u *bench.Unit) string { return u.Instance.Name })
	if err != nil {
		return err
	}
	p.Units = slices.DeleteFunc(p.Units, func(u bench.Unit) bool { return keep != nil && !keep[u.Instance.Name] })
	return nil
}

// Algorithms says of the names of the plan's algorithms whether globs match them, as in Filter; nil: the text is empty.
func (p *Plan) Algorithms(globs string) (map[string]bool, error) {
	return p.matching(globs, "algorithm", func(u *bench.Unit) string { return u.Request.Algorithm })
}

func (p *Plan) matching(text, what string, nameOf func(*bench.Unit) string) (map[string]bool, error) {
	if text == "" {
		return nil, nil
	}
	seen := map[string]bool{} // as there are far more units than names
	var names []string
	for i := range p.Units {
		if name := nameOf(&p.Units[i]); !seen[name] {
			seen[name], names = true, append(names, name)
		}
	}
	matched, unused, err := Match(text, names)
	if err != nil {
		return nil, fmt.Errorf("%s %w", what, err)
	}
	if len(unused) > 0 {
		err := fmt.Errorf("no %s of the suite matches %q; among its names: %s", what, unused[0], nearest.Some(unused[0], names))
		if len(unused) == 1+strings.Count(text, ",") {
			err = noUnit{err}
		}
		return nil, err
	}
	return matched, nil
}

// Match says of each name whether one of the comma separated globs matches it, as in Filter; unused are the globs that match none.
func Match(globs string, names []string) (matched map[string]bool, unused []string, err error) {
	matched = map[string]bool{}
	for glob := range strings.SplitSeq(globs, ",") {
		used := false
		for _, name := range names {
			ok, err := match(glob, name)
			if err != nil {
				return nil, nil, fmt.Errorf("pattern %q: %w", glob, err)
			}
			matched[name], used = matched[name] || ok, used || ok
		}
		if !used {
			unused = append(unused, glob)
		}
	}
	return matched, unused, nil
}

// match is path.Match without slashes being special.
func match(glob, name string) (bool, error) {
	flat := strings.NewReplacer("/", "\x00")
	return path.Match(flat.Replace(glob), flat.Replace(name))
}
