package suite

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"schedgap/bench"
)

// A Plan is what suites come to: instances, and the units to run on them.
type Plan struct {
	Suites  []*Suite // with variables and folders resolved
	Units   []bench.Unit
	Notes   []string // sentences that the user should see, such as what was skipped
	Skipped []string // those of Notes about sources that were skipped
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
	keep, err := p.Algorithms(algorithms)
	if err != nil {
		return err
	}
	p.Units = slices.DeleteFunc(p.Units, func(u bench.Unit) bool { return keep != nil && !keep[u.Request.Algorithm] })
	if keep, err = p.matching(instances, "instance", func(u *bench.Unit) string { return u.Instance.Name }); err != nil {
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
	globs := strings.Split(text, ",")
	used := make([]bool, len(globs))
	matched := map[string]bool{} // by name, as there are far more units than names
	for i := range p.Units {
		name := nameOf(&p.Units[i])
		if _, known := matched[name]; known {
			continue
		}
		matched[name] = false
		for g, glob := range globs {
			ok, err := match(glob, name)
			if err != nil {
				return nil, fmt.Errorf("%s pattern %q: %w", what, glob, err)
			}
			if ok {
				matched[name], used[g] = true, true
			}
		}
	}
	if g := slices.Index(used, false); g >= 0 {
		err := fmt.Errorf("no %s of the suite matches %q", what, globs[g])
		if !slices.Contains(used, true) {
			err = noUnit{err}
		}
		return nil, err
	}
	return matched, nil
}

// match is path.Match without slashes being special.
func match(glob, name string) (bool, error) {
	flat := strings.NewReplacer("/", "\x00")
	return path.Match(flat.Replace(glob), flat.Replace(name))
}
