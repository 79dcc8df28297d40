package papers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/run/simrun"
	"schedgap/models/nearest"
)

// Load reads papers.yaml of a folder and the entries that it lists; errors name the folder dir.
func Load(folder fs.FS, dir string, registry *bench.Registry) (*Catalogue, error) {
	index := path.Join(dir, "papers.yaml")
	data, err := fs.ReadFile(folder, "papers.yaml")
	if err != nil {
		return nil, err
	}
	b := &Catalogue{}
	if err := yaml.UnmarshalWithOptions(data, &b.Papers, yaml.Strict()); err != nil {
		return nil, sentence(index, err)
	}
	for _, p := range b.Papers {
		for _, id := range p.Entries {
			data, err := fs.ReadFile(folder, id+".yaml")
			if err != nil {
				return nil, fmt.Errorf("%s: entry %q of %s: %w", index, id, p.ID, err)
			}
			e, err := Parse(path.Join(dir, id+".yaml"), data, registry)
			if err != nil {
				return nil, err
			}
			if e.Paper != p.ID {
				return nil, e.sentence(wrong("paper", "%q must be %q, which lists this entry", e.Paper, p.ID))
			}
			b.Entries = append(b.Entries, e)
		}
	}
	return b, nil
}

// Parse reads an entry and binds it to the problem that it names. An error is one sentence with the file, the line and the value.
func Parse(file string, data []byte, registry *bench.Registry) (*Entry, error) {
	e := &Entry{ID: strings.TrimSuffix(path.Base(file), ".yaml"), file: file}
	var err error
	e.tree, err = parser.ParseBytes(data, 0)
	if err == nil {
		err = yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(e)
	}
	if err != nil {
		return nil, sentence(file, err)
	}
	if err := suite.Exact(file, e.tree); err != nil {
		return nil, err
	}
	if err := e.bind(registry); err != nil {
		return nil, e.sentence(err)
	}
	return e, nil
}

// sentence puts an error of the YAML parser, which comes with an excerpt of the source, into one line.
func sentence(file string, err error) error {
	var ye yaml.Error
	if errors.As(err, &ye) && ye.GetToken() != nil {
		return fmt.Errorf("%s: line %d: near %q: %s", file, ye.GetToken().Position.Line, ye.GetToken().Value, ye.GetMessage())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s: %s", file, first)
}

// A fault is an error at a path of an entry's file.
type fault struct{ path, text string }

func (f *fault) Error() string { return f.path + ": " + f.text }

func wrong(path, format string, args ...any) error { return &fault{path, fmt.Sprintf(format, args...)} }

// known finds a name in a list.
func known(path, what, name string, list []string) error {
	if slices.Contains(list, name) {
		return nil
	}
	return wrong(path, "%v", nearest.Unknown(what, name, list))
}

// sentence adds the file and the line to a fault.
func (e *Entry) sentence(err error) error {
	var f *fault
	if !errors.As(err, &f) {
		return err
	}
	return fmt.Errorf("%s: line %d: %w", e.file, e.line(f.path), f)
}

// line is the line of a path, or of the nearest thing around it that is there.
func (e *Entry) line(at string) int {
	for at != "" {
		if p, err := yaml.PathString("$." + at); err == nil {
			if node, err := p.FilterFile(e.tree); err == nil && node != nil {
				return node.GetToken().Position.Line
			}
		}
		at = at[:max(0, strings.LastIndexAny(at, ".["))]
	}
	return 1
}

// bind finds the suites and simulations that the entry names and checks every value.
func (e *Entry) bind(registry *bench.Registry) (err error) {
	switch {
	case e.Title == "" || e.Source == "":
		return wrong("title", "an entry must have a title and a source, the section or figure")
	case e.Simulation != nil && e.Suite != nil:
		return wrong("suite", "there must be one of simulation and suite")
	case e.Seconds < 0:
		return wrong("seconds", "%v must not be negative", e.Seconds)
	}
	if e.Simulation != nil || e.Suite != nil {
		err = e.bindDesign(registry)
	}
	if err == nil {
		err = e.bindStatements()
	}
	if err != nil {
		return err
	}
	return e.bindDrawing()
}

// bindDesign checks what is run: cases by settings, in blocks of instances.
func (e *Entry) bindDesign(registry *bench.Registry) (err error) {
	e.problem, err = registry.Problem(e.Problem)
	if err != nil {
		return wrong("problem", "%v", err)
	}
	if err := e.bindSource(); err != nil {
		return err
	}
	if err := e.bindOpen(); err != nil {
		return err
	}
	if e.Blocks < 1 || e.Reduced < 1 || e.Reduced > e.Blocks || (len(e.Open) > 0) != (e.Settings > 0 && e.SettingBlocks > 0) {
		return wrong("blocks", "blocks, reduced and, with open, settings and setting_blocks must be at least 1, reduced at most %d", e.Blocks)
	}
	for _, t := range e.design() {
		for _, c := range e.Cases {
			if _, err := e.setting(t.at, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *Entry) bindStatements() (err error) {
	for i := range e.Statements {
		s, at := &e.Statements[i], fmt.Sprintf("statements[%d]", i)
		switch {
		case s.Where == "" || s.Says == "" || (s.Argument == "") == (s.Column == ""):
			return wrong(at, "a statement must have where, says, and either a column or an argument")
		case s.Column != "":
			if s.Theorem != nil || s.Bound {
				s.Over = cmp.Or(s.Over, "most")
			}
			err = s.check(e, at, e.places())
			if err == nil && s.Bound && (e.Draw == nil || e.Draw.Stat != "worst") {
				err = wrong(at+".bound", "the entry must draw the worst value (stat: worst)")
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (e *Entry) bindSource() error {
	if s := e.Simulation; s != nil {
		sim := e.problem.Simulator
		if sim == nil || s.Repetitions < 1 {
			return wrong("simulation", "%s must have a simulator, and repetitions must be at least 1", e.Problem)
		}
		if _, err := simrun.Policies(sim, nil, strings.Join(s.Policies, ",")); err != nil {
			return wrong("simulation.policies", "%v", err)
		}
		e.names, e.specs, e.params = s.Policies, sim.Specs, sim.Params
	} else if err := e.bindSuite(); err != nil {
		return err
	}
	if len(e.Cases) == 0 {
		e.Cases = []Case{{}}
	}
	return nil
}

func (e *Entry) bindSuite() error {
	s := e.Suite
	for i, a := range s.Algorithms {
		found, _, err := e.problem.Find(a.Name)
		if err != nil {
			return wrong(fmt.Sprintf("suite.algorithms[%d]", i), "%v", err)
		}
		e.names, e.params = append(e.names, a.Label), append(e.params, found.Params...)
	}
	if s.Reference != "" {
		if err := known("suite.reference", "algorithm", s.Reference, e.names); err != nil {
			return err
		}
	}
	if (s.Instances > 0) == (len(s.Inline) > 0) {
		return wrong("suite", "there must be one of instances and inline")
	}
	e.specs = e.problem.Generator.Params
	for i, item := range s.Inline {
		text, err := json.Marshal(item)
		if err == nil {
			var in *bench.Instance
			in, err = e.problem.ParseInstance("the instance", text)
			e.instances = append(e.instances, in)
		}
		if err != nil {
			return wrong(fmt.Sprintf("suite.inline[%d]", i), "%v", err)
		}
		e.Cases = append(e.Cases, Case{X: float64(i + 1)})
	}
	return nil
}

func (e *Entry) bindOpen() error {
	for i := range e.Open {
		f, at := &e.Open[i], fmt.Sprintf("open[%d]", i)
		d, err := number(f.Default)
		isDefault := func(c any) bool { return fmt.Sprint(c) == fmt.Sprint(f.Default) }
		switch {
		case strings.TrimSpace(f.Reason) == "":
			return wrong(at, "reason: %s must say why its range is plausible", f.Name)
		case len(f.Choices) > 0 && !slices.ContainsFunc(f.Choices, isDefault):
			return wrong(at+".default", "%v must be one of the choices, %v", f.Default, f.Choices)
		case len(f.Choices) > 0:
		case f.Low == nil || f.High == nil:
			return wrong(at, "%s must have low and high, or choices", f.Name)
		case err != nil || !(*f.Low <= d && d <= *f.High) || *f.Low >= *f.High || f.Log && *f.Low <= 0:
			return wrong(at+".default", "%v must be a number from low to high, %v to %v, above 0 with log", f.Default, *f.Low, *f.High)
		}
	}
	return nil
}

func (e *Entry) bindDrawing() error {
	d := e.Draw
	if d == nil {
		return nil
	}
	if err := d.check(e, "draw", nil); err != nil {
		return err
	}
	for i, p := range e.Points {
		at := fmt.Sprintf("points[%d]", i)
		if strings.TrimSpace(p.Source) == "" {
			return wrong(at, "source: a point must say where the paper prints it")
		}
		if err := known(at+".of", "policy", p.Of, d.Of); err != nil {
			return err
		}
	}
	return nil
}
