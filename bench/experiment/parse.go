package experiment

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/catalog/measure"
	"schedgap/bench/catalog/sweeps"
	"schedgap/models/nearest"
)

// All returns the experiments of the catalog, by name. They are shared: nobody is to change them.
var All = sync.OnceValues(func() ([]*Experiment, error) {
	registry, err := catalog.New()
	if err != nil {
		return nil, err
	}
	return Load(sweeps.Files, registry, measure.All())
})

// Find returns the experiment of a name.
func Find(name string) (*Experiment, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	names := make([]string, len(all))
	for i, e := range all {
		if e.Name == name {
			return e, nil
		}
		names[i] = e.Name
	}
	return nil, nearest.Unknown("sweep", name, names)
}

// Load reads the experiments in *.yaml of a folder, sorted by name.
func Load(folder fs.FS, registry *bench.Registry, checks map[string]measure.Check) ([]*Experiment, error) {
	files, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	var all []*Experiment
	for _, file := range files {
		data, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, fmt.Errorf("experiments: %w", err)
		}
		e, err := Parse(file, data, registry, checks)
		if err != nil {
			return nil, err
		}
		if e.Name+".yaml" != path.Base(file) {
			return nil, fmt.Errorf("%s: name: %q must be the file's name", file, e.Name)
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *Experiment) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Parse reads an experiment and binds it to the problem, or the check, that it names. An error is one sentence that names the
// file, the line or the field, and the value.
func Parse(file string, data []byte, registry *bench.Registry, checks map[string]measure.Check) (*Experiment, error) {
	e, err := decode(data, registry)
	if err == nil {
		e.file = file
		err = e.bind(checks)
	}
	if err != nil {
		return nil, sentence(file, err)
	}
	return e, nil
}

// sentence puts an error of the YAML decoder, which comes with an excerpt of the source, into one line.
func sentence(file string, err error) error {
	var ye yaml.Error
	if errors.As(err, &ye) && ye.GetToken() != nil {
		return fmt.Errorf("%s: line %d: near %q: %s", file, ye.GetToken().Position.Line, ye.GetToken().Value, ye.GetMessage())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s: %s", file, first)
}

// bind fills in defaults, finds what the experiment names and checks every value that it can set.
func (e *Experiment) bind(checks map[string]measure.Check) error {
	if e.Title == "" {
		return errors.New("title: it must say what is measured")
	}
	if len(e.Cases) == 0 {
		e.Cases = []Case{{}}
	}
	for i, c := range e.Cases {
		if !finite(c.X) || slices.ContainsFunc(e.Cases[:i], func(d Case) bool { return d.X == c.X }) {
			return fmt.Errorf("cases[%d].x: %v must be a number that no case before has", i, c.X)
		}
	}
	if err := e.source.bind(e, checks); err != nil {
		return err
	}
	for i, f := range e.Figures {
		if err := e.bindFigure(f); err != nil {
			return fmt.Errorf("figures[%d].%w", i, err)
		}
	}
	for i := range e.Untold {
		if err := e.bindFactor(i); err != nil {
			return fmt.Errorf("untold[%d] %s: %w", i, e.Untold[i].Name, err)
		}
	}
	if err := e.bindCounts(); err != nil {
		return err
	}
	for _, x := range e.Reduced.Cases {
		if !e.hasCase(x) {
			return fmt.Errorf("reduced.cases: there is no case x = %v", x)
		}
	}
	return e.tryAll()
}

func (e *Experiment) hasCase(x float64) bool {
	return slices.ContainsFunc(e.Cases, func(c Case) bool { return c.X == x })
}

// The forms of figures.
var forms = []string{"lines", "bars", "cdf"}

func (e *Experiment) bindFigure(f Figure) error {
	for _, p := range f.Policies {
		if !slices.Contains(e.Policies, p) {
			return fmt.Errorf("policies: %w", nearest.Unknown("policy", p, e.Policies))
		}
	}
	switch cdf := f.Form == "cdf"; {
	case f.Name == "":
		return errors.New("name: it must be the figure's, such as fig6")
	case !slices.Contains(forms, f.Form):
		return fmt.Errorf("form: %q must be one of %s", f.Form, strings.Join(forms, ", "))
	case f.At != nil && !e.hasCase(*f.At):
		return fmt.Errorf("at: there is no case x = %v", *f.At)
	case cdf && f.At == nil && len(e.Cases) > 1:
		return errors.New("at: it must say which of the cases is drawn")
	case cdf && e.short[f.Y] == "":
		return fmt.Errorf("y: %w", nearest.Unknown("metric", f.Y, e.Metrics))
	case cdf:
		return nil
	}
	if _, err := e.compileFigure(f); err != nil {
		return fmt.Errorf("y: %w", err)
	}
	return nil
}

func (e *Experiment) bindFactor(i int) error {
	f, before := &e.Untold[i], e.Untold[:i]
	switch {
	case f.Name == "" || slices.ContainsFunc(before, func(g Factor) bool { return g.Name == f.Name }):
		return errors.New("name: it must have a name of its own")
	case len(f.Set) == 0:
		return errors.New("set: it must name what it sets, such as workload.load")
	case f.Reason == "":
		return errors.New("reason: it must say why these values are plausible")
	case f.Default == nil:
		return errors.New("default: it must have our value")
	}
	for _, t := range f.Set {
		if _, err := e.declared(t); err != nil {
			return fmt.Errorf("set: %w", err)
		}
		for k, c := range e.Cases {
			if _, ok := c.of(t.Part)[t.Key]; ok && !f.Factor {
				return fmt.Errorf("set: cases[%d] sets %s, too; say factor: true to multiply its value", k, t)
			}
		}
		for k, g := range before {
			if slices.Contains(g.Set, t) && !f.Factor {
				return fmt.Errorf("set: untold[%d] sets %s, too", k, t)
			}
		}
	}
	d, err := toFloat(f.Default)
	switch {
	case len(f.Choices) > 0 && (f.Low != nil || f.High != nil || f.Scale != "" || f.Factor):
		return errors.New("choices: with them there is no low, high, scale or factor")
	case len(f.Choices) > 0:
		if !slices.ContainsFunc(f.Choices, func(c any) bool { return fmt.Sprint(c) == fmt.Sprint(f.Default) }) {
			return fmt.Errorf("default: %v must be one of the choices", f.Default)
		}
		return nil
	case f.Low == nil || f.High == nil:
		return errors.New("low, high: it must have both, or choices")
	case err != nil || !(*f.Low <= d && d <= *f.High) || *f.Low >= *f.High:
		return fmt.Errorf("default: %v must be a number from low to high, %v to %v", f.Default, *f.Low, *f.High)
	case f.Scale == "":
		f.Scale = linear
	case f.Scale != linear && f.Scale != logarithmic:
		return fmt.Errorf("scale: %q must be linear or log", f.Scale)
	case f.Scale == logarithmic && *f.Low <= 0:
		return fmt.Errorf("low: %v must be above 0 on the scale log", *f.Low)
	}
	return nil
}

func (e *Experiment) bindCounts() error {
	least := 1
	if e.lucky {
		least = MinSeeds
	}
	e.Repetitions = cmp.Or(e.Repetitions, e.inline)
	e.PointSeeds = cmp.Or(e.PointSeeds, e.Seeds)
	switch few := min(2, e.Seeds); {
	case e.inline > 0 && e.Repetitions != e.inline:
		return fmt.Errorf("repetitions: %d must be absent or the number of inline instances, %d", e.Repetitions, e.inline)
	case e.Seeds < least:
		return fmt.Errorf("seeds: %d must be at least %d", e.Seeds, least)
	case e.Repetitions < 1:
		return fmt.Errorf("repetitions: %d must be at least 1", e.Repetitions)
	case e.PointSeeds < few || e.PointSeeds > e.Seeds:
		return fmt.Errorf("point_seeds: %d must be from %d to seeds, %d", e.PointSeeds, few, e.Seeds)
	case len(e.Untold) == 0 && e.Points != 0:
		return fmt.Errorf("points: %d must be absent where nothing is untold", e.Points)
	case len(e.Untold) > 0 && (e.Points < 1 || e.Points > MaxPoints):
		return fmt.Errorf("points: %d must be from 1 to %d", e.Points, MaxPoints)
	case e.Reduced.Repetitions < 0 || e.Reduced.Repetitions > e.Repetitions:
		return fmt.Errorf("reduced.repetitions: %d must be from 1 to %d", e.Reduced.Repetitions, e.Repetitions)
	}
	return nil
}

// tryAll resolves every setting in which one factor has an end of its range and the others their defaults.
func (e *Experiment) tryAll() error {
	tries := []map[string]any{e.defaults()}
	for _, f := range e.Untold {
		ends := f.Choices
		if len(ends) == 0 {
			ends = []any{*f.Low, *f.High}
		}
		for _, v := range ends {
			at := e.defaults()
			at[f.Name] = v
			tries = append(tries, at)
		}
	}
	for k, at := range tries {
		for _, reduced := range []bool{false, true} {
			if _, err := e.unnamed(k, at, reduced); err != nil {
				return err
			}
		}
	}
	return nil
}
