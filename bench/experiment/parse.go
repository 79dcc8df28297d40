package experiment

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-yaml"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/catalog/measure"
	"schedgap/bench/catalog/sweeps"
	"schedgap/models"
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

// Parse reads an experiment and binds it to the problem, or the check, that it names. An error is one sentence that names the file,
// the line or the field, and the value.
func Parse(file string, data []byte, registry *bench.Registry, checks map[string]measure.Check) (*Experiment, error) {
	e := &Experiment{file: file}
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(e); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: the file is empty, it must hold an experiment", file)
	} else if err != nil {
		return nil, sentence(file, err)
	}
	if err := e.bind(registry, checks); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
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
func (e *Experiment) bind(registry *bench.Registry, checks map[string]measure.Check) (err error) {
	if err := models.CheckName(e.Name); err != nil || e.Name == "" {
		return fmt.Errorf("name: %q must be a name such as shed-fig6", e.Name)
	}
	if e.problem, err = registry.Problem(e.Problem); err != nil {
		return fmt.Errorf("problem: %w", err)
	}
	if e.Title == "" {
		return errors.New("title: it must say what is measured")
	}
	if len(e.Cases) == 0 {
		e.Cases = []Case{{}}
	}
	for i, c := range e.Cases {
		if math.IsNaN(c.X) || math.IsInf(c.X, 0) || slices.ContainsFunc(e.Cases[:i], func(d Case) bool { return d.X == c.X }) {
			return fmt.Errorf("cases[%d].x: %v must be a number that no case before has", i, c.X)
		}
	}
	switch e.Kind {
	case Simulate:
		err = e.bindSimulation()
	case Solve:
		err = e.bindSolve()
	case Check:
		err = e.bindCheck(checks)
	default:
		err = fmt.Errorf("kind: %q must be simulate, solve or check", string(e.Kind))
	}
	if err != nil {
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
		if !slices.ContainsFunc(e.Cases, func(c Case) bool { return c.X == x }) {
			return fmt.Errorf("reduced.cases: there is no case x = %v", x)
		}
	}
	return e.tryAll()
}

func (e *Experiment) bindSimulation() error {
	s := e.problem.Simulator
	if s == nil {
		return fmt.Errorf("kind: there is no simulator of %s", e.Problem)
	}
	if err := e.none("simulate", map[string]bool{
		"instances": e.Instances.given(), "check": e.Check != "", "reference": e.Reference != "", "limits": e.Limits.Time != "",
	}); err != nil {
		return err
	}
	if len(e.Metrics) == 0 {
		return errors.New("metrics: the list must not be empty")
	}
	if err := e.bindPolicies("policy", func(name string) error { return knownPolicy(s, name) }); err != nil {
		return err
	}
	n := 0
	for _, given := range []bool{e.Workload.Generate != nil, e.Workload.Trace != nil, len(e.Workload.Inline) > 0} {
		if given {
			n++
		}
	}
	if n > 1 {
		return errors.New("workload: it must have one of generate, trace and inline")
	}
	if t := e.Workload.Trace; t != nil {
		if _, _, err := t.window(); err != nil {
			return fmt.Errorf("workload.trace.window: %w", err)
		}
	}
	return nil
}

func (e *Experiment) bindSolve() error {
	if err := e.none("solve", map[string]bool{
		"workload": e.Workload.given(), "check": e.Check != "", "metrics": len(e.Metrics) > 0,
	}); err != nil {
		return err
	}
	err := e.bindPolicies("algorithm", func(name string) error {
		_, _, err := e.problem.Find(name)
		return err
	})
	if err != nil {
		return err
	}
	if !slices.Contains(e.Policies, e.Reference) {
		return fmt.Errorf("reference: %q must be one of the policies", e.Reference)
	}
	if e.Instances.Generate != nil && len(e.Instances.Inline) > 0 {
		return errors.New("instances: it must have one of generate and inline")
	}
	if len(e.Instances.Inline) == 0 && e.problem.Generator == nil {
		return fmt.Errorf("instances: %s has no generator", e.Problem)
	}
	if e.Limits.Time != "" {
		if d, err := time.ParseDuration(e.Limits.Time); err != nil || d <= 0 {
			return fmt.Errorf("limits.time: %q must be a duration such as 5s", e.Limits.Time)
		}
	}
	e.Metrics = []string{metricObjective, metricProven}
	return nil
}

func (e *Experiment) bindCheck(checks map[string]measure.Check) error {
	if err := e.none("check", map[string]bool{
		"workload": e.Workload.given(), "instances": e.Instances.given(), "policies": len(e.Policies) > 0,
		"metrics": len(e.Metrics) > 0, "reference": e.Reference != "", "limits": e.Limits.Time != "",
	}); err != nil {
		return err
	}
	c, ok := checks[e.Check]
	if !ok {
		return fmt.Errorf("check: %w", nearest.Unknown("check", e.Check, slices.Sorted(maps.Keys(checks))))
	}
	e.check, e.Policies = c, []string{e.Check}
	return nil
}

// none refuses fields that have no meaning in a kind of experiment.
func (e *Experiment) none(kind string, given map[string]bool) error {
	for _, field := range slices.Sorted(maps.Keys(given)) {
		if given[field] {
			return fmt.Errorf("%s: it has no meaning in an experiment of kind %s", field, kind)
		}
	}
	return nil
}

func (e *Experiment) bindPolicies(what string, known func(name string) error) error {
	if len(e.Policies) == 0 {
		return errors.New("policies: the list must not be empty")
	}
	for i, name := range e.Policies {
		if err := known(name); err != nil {
			return fmt.Errorf("policies[%d]: %w", i, err)
		}
		if slices.Contains(e.Policies[:i], name) {
			return fmt.Errorf("policies[%d]: the %s %q is named twice", i, what, name)
		}
	}
	return nil
}

// The forms of figures.
var forms = []string{"lines", "bars", "cdf"}

func (e *Experiment) bindFigure(f Figure) error {
	if f.Name == "" {
		return errors.New("name: it must be the figure's, such as fig6")
	}
	if !slices.Contains(forms, f.Form) {
		return fmt.Errorf("form: %q must be one of %s", f.Form, strings.Join(forms, ", "))
	}
	for _, p := range f.Policies {
		if !slices.Contains(e.Policies, p) {
			return fmt.Errorf("policies: %w", nearest.Unknown("policy", p, e.Policies))
		}
	}
	if f.At != nil && !slices.ContainsFunc(e.Cases, func(c Case) bool { return c.X == *f.At }) {
		return fmt.Errorf("at: there is no case x = %v", *f.At)
	}
	if f.Form == "cdf" {
		if f.At == nil && len(e.Cases) > 1 {
			return errors.New("at: it must say which of the cases is drawn")
		}
		if e.Kind == Simulate && !slices.Contains(e.Metrics, f.Y) {
			return fmt.Errorf("y: %w", nearest.Unknown("metric", f.Y, e.Metrics))
		}
		return nil
	}
	if _, err := e.compileFigure(f); err != nil {
		return fmt.Errorf("y: %w", err)
	}
	return nil
}

func (e *Experiment) bindFactor(i int) error {
	f := &e.Untold[i]
	if f.Name == "" || slices.ContainsFunc(e.Untold[:i], func(g Factor) bool { return g.Name == f.Name }) {
		return errors.New("name: it must have a name of its own")
	}
	if len(f.Set) == 0 {
		return errors.New("set: it must name what it sets, such as workload.load")
	}
	if f.Reason == "" {
		return errors.New("reason: it must say why these values are plausible")
	}
	if f.Default == nil {
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
		for k, g := range e.Untold[:i] {
			if slices.Contains(g.Set, t) && !f.Factor {
				return fmt.Errorf("set: untold[%d] sets %s, too", k, t)
			}
		}
	}
	if len(f.Choices) > 0 {
		if f.Low != nil || f.High != nil || f.Scale != "" || f.Factor {
			return errors.New("choices: with them there is no low, high, scale or factor")
		}
		if !slices.ContainsFunc(f.Choices, func(c any) bool { return fmt.Sprint(c) == fmt.Sprint(f.Default) }) {
			return fmt.Errorf("default: %v must be one of the choices", f.Default)
		}
		return nil
	}
	if f.Low == nil || f.High == nil {
		return errors.New("low, high: it must have both, or choices")
	}
	d, err := toFloat(f.Default)
	if err != nil || !(*f.Low <= d && d <= *f.High) || *f.Low >= *f.High {
		return fmt.Errorf("default: %v must be a number from low to high, %v to %v", f.Default, *f.Low, *f.High)
	}
	switch {
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
	lucky := e.lucky()
	if e.Kind == Solve && len(e.Instances.Inline) > 0 {
		if n := len(e.Instances.Inline); e.Repetitions != 0 && e.Repetitions != n {
			return fmt.Errorf("repetitions: %d must be absent or the number of inline instances, %d", e.Repetitions, n)
		}
		e.Repetitions = len(e.Instances.Inline)
	}
	if e.Kind == Check {
		if e.Repetitions > 1 {
			return fmt.Errorf("repetitions: %d must be absent: a check has one a block", e.Repetitions)
		}
		e.Repetitions = 1
	}
	least := 1
	if lucky {
		least = MinSeeds
	}
	if e.Seeds < least && !(e.Kind == Check && e.Seeds == 1) {
		return fmt.Errorf("seeds: %d must be at least %d", e.Seeds, least)
	}
	if e.Repetitions < 1 {
		return fmt.Errorf("repetitions: %d must be at least 1", e.Repetitions)
	}
	if e.PointSeeds == 0 {
		e.PointSeeds = e.Seeds
	}
	if least = min(2, e.Seeds); e.PointSeeds < least || e.PointSeeds > e.Seeds {
		return fmt.Errorf("point_seeds: %d must be from %d to seeds, %d", e.PointSeeds, least, e.Seeds)
	}
	switch {
	case len(e.Untold) == 0 && e.Points != 0:
		return fmt.Errorf("points: %d must be absent where nothing is untold", e.Points)
	case len(e.Untold) > 0 && (e.Points < 1 || e.Points > MaxPoints):
		return fmt.Errorf("points: %d must be from 1 to %d", e.Points, MaxPoints)
	}
	if e.Reduced.Repetitions < 0 || e.Reduced.Repetitions > e.Repetitions {
		return fmt.Errorf("reduced.repetitions: %d must be from 1 to %d", e.Reduced.Repetitions, e.Repetitions)
	}
	return nil
}

// lucky reports whether blocks differ. Of a check that is not known: it may have one block if it draws nothing.
func (e *Experiment) lucky() bool {
	if e.Kind != Solve || len(e.Instances.Inline) == 0 {
		return true
	}
	return slices.ContainsFunc(e.Policies, func(name string) bool {
		a, _, err := e.problem.Find(name)
		return err != nil || a.Random
	})
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

func (w Workload) given() bool { return w.Generate != nil || w.Trace != nil || len(w.Inline) > 0 }

func (i Instances) given() bool { return i.Generate != nil || len(i.Inline) > 0 }

// window returns the ends in seconds; 0 and 0: all of the trace.
func (t *Trace) window() (from, to float64, err error) {
	if len(t.Window) == 0 {
		return 0, 0, nil
	}
	var ends []float64
	for _, text := range t.Window {
		d, err := time.ParseDuration(text)
		if err != nil {
			return 0, 0, fmt.Errorf("%q must be a duration such as 90m", text)
		}
		ends = append(ends, d.Seconds())
	}
	if len(ends) != 2 || ends[0] < 0 || ends[0] >= ends[1] {
		return 0, 0, fmt.Errorf("%v must be two durations, the start and a later end", t.Window)
	}
	return ends[0], ends[1], nil
}

func knownPolicy(s *models.Simulator, name string) error {
	base, _, has := strings.Cut(name, ":")
	names := make([]string, len(s.Policies))
	for i, p := range s.Policies {
		if p.Name == base && (!has || p.Arg != "") {
			return nil
		}
		names[i] = p.Name
	}
	return nearest.Unknown("policy", name, names)
}
