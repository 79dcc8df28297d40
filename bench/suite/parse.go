package suite

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"schedgap/models"
	"schedgap/models/environ"
	"schedgap/models/strict"

	"github.com/goccy/go-yaml"
)

// Parse reads the contents of a file with one suite. Every error is one sentence that names the file, the line or the path
// of the field, and the value.
func Parse(file string, data []byte) (*Suite, error) {
	suites, err := ParseAll(file, data)
	if err != nil {
		return nil, err
	}
	if len(suites) != 1 {
		return nil, fmt.Errorf("%s: %d suites in a file for one", file, len(suites))
	}
	return suites[0], nil
}

// ParseAll reads the contents of a file with one or more suites, separated by lines of three dashes.
func ParseAll(file string, data []byte) ([]*Suite, error) {
	tree, err := parseYAML(file, data)
	if err != nil {
		return nil, err
	}
	var suites []*Suite
	for _, doc := range tree.Docs {
		if doc.Body == nil {
			continue
		}
		var v any
		if err := yaml.NodeToValue(doc.Body, &v); err != nil {
			return nil, sentence(file, err)
		}
		// YAML settles what the text means, duplicate keys included; fields are then read as strictly as those of every
		// other input, which is in JSON.
		text, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		o, err := strict.Parse(file, text)
		if err != nil {
			return nil, err
		}
		s, err := readSuite(o)
		if err != nil {
			return nil, err
		}
		s.file = file
		if !filepath.IsAbs(s.dir) {
			s.dir = filepath.Join(filepath.Dir(file), s.dir)
		}
		suites = append(suites, s)
	}
	if len(suites) == 0 {
		return nil, fmt.Errorf("%s: the file is empty, it must hold a suite", file)
	}
	return suites, nil
}

// sentence puts an error of the YAML parser, which comes with an excerpt of the source, into one line.
func sentence(file string, err error) error {
	var ye yaml.Error
	if errors.As(err, &ye) && ye.GetToken() != nil {
		return fmt.Errorf("%s: line %d: not valid YAML near %q: %s",
			file, ye.GetToken().Position.Line, ye.GetToken().Value, ye.GetMessage())
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s: not valid YAML: %s", file, first)
}

func readSuite(o *strict.Object) (*Suite, error) {
	s := &Suite{Threads: DefaultThreads, Seeds: []uint64{DefaultSeed}}
	s.Limits.Time = DefaultTime
	var err error
	if s.Name, err = o.ID("name"); err != nil {
		return nil, err
	}
	// Folders are called by suites.
	if err := models.CheckName(s.Name); err != nil {
		return nil, o.Get("name").Errorf("%v", err)
	}
	if strings.ContainsAny(s.Name, `/\`) || strings.HasPrefix(s.Name, ".") || strings.HasPrefix(s.Name, "-") {
		return nil, o.Get("name").Errorf("%q must not have slashes or begin with a dot or a dash, since folders are called by it", s.Name)
	}
	if s.Problem, err = o.Text("problem"); err != nil {
		return nil, err
	}
	for key, field := range map[string]*string{"purpose": &s.Purpose, "figure": &s.Figure} {
		if o.Get(key) == nil {
			continue
		}
		if *field, err = o.Text(key); err != nil {
			return nil, err
		}
		if strings.ContainsFunc(*field, unicode.IsControl) {
			return nil, o.Get(key).Errorf("%q must be one line", *field)
		}
	}
	if v := o.Get("typical"); v != nil {
		if s.Typical, err = readDuration(v); err != nil {
			return nil, err
		}
		if s.Typical <= 0 {
			return nil, v.Errorf("%v must be positive", v)
		}
	}
	if s.Instances, err = list(o, "instances", readSource); err != nil {
		return nil, err
	}
	if s.Algorithms, err = list(o, "algorithms", readEntry); err != nil {
		return nil, err
	}
	if o.Get("solvers") != nil {
		if s.Solvers, err = list(o, "solvers", (*strict.Value).Text); err != nil {
			return nil, err
		}
	}
	if o.Get("seeds") != nil {
		if s.Seeds, err = list(o, "seeds", readSeed); err != nil {
			return nil, err
		}
	}
	if o.Get("limits") != nil {
		if err := readLimits(o, s); err != nil {
			return nil, err
		}
	}
	if s.PinCPUs, err = o.BoolOr("pin_cpus", false); err != nil {
		return nil, err
	}
	if o.Get("env") != nil {
		if s.Env, err = list(o, "env", readVariable); err != nil {
			return nil, err
		}
	}
	if v := o.Get("dir"); v != nil {
		if s.dir, err = v.Text(); err != nil {
			return nil, err
		}
		if s.dir == "" {
			return nil, v.Errorf("it must name a folder")
		}
	}
	return s, o.Done()
}

// list reads a list of at least one element.
func list[T any](o *strict.Object, key string, read func(*strict.Value) (T, error)) ([]T, error) {
	values, err := o.Array(key)
	if err != nil {
		return nil, err
	}
	if values.Len() == 0 {
		return nil, o.Get(key).Errorf("an empty list, it must have an element")
	}
	out := make([]T, values.Len())
	for i, v := range values.All() {
		if out[i], err = read(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readVariable reads the name of an environment variable.
func readVariable(v *strict.Value) (string, error) {
	name, err := v.Text()
	if err == nil && !environ.Valid(name) {
		err = v.Errorf("%v is not the name of an environment variable", v)
	}
	return name, err
}

func readLimits(o *strict.Object, s *Suite) error {
	l, err := o.Object("limits")
	if err != nil {
		return err
	}
	if v := l.Get("time"); v != nil {
		if s.Limits.Time, err = readDuration(v); err != nil {
			return err
		}
		if s.Limits.Time <= 0 {
			return v.Errorf("%v must be positive", v)
		}
	}
	if v := l.Get("memory"); v != nil {
		if s.Limits.Memory, err = readSize(v); err != nil {
			return err
		}
	}
	if v := l.Get("cpu"); v != nil {
		if s.Limits.CPU, err = readDuration(v); err != nil {
			return err
		}
		if s.Limits.CPU <= 0 {
			return v.Errorf("%v must be positive", v)
		}
	}
	if v := l.Get("output"); v != nil {
		if s.Limits.Output, err = readSize(v); err != nil {
			return err
		}
	}
	if s.Threads, err = l.IntOr("threads", DefaultThreads); err != nil {
		return err
	}
	if s.Threads < 1 || s.Threads > MaxThreads {
		return l.Get("threads").Errorf("%d must be at least 1 and at most %d", s.Threads, MaxThreads)
	}
	return l.Done()
}

func readSource(v *strict.Value) (Source, error) {
	var src Source
	o, err := v.Object()
	if err != nil {
		return src, err
	}
	kinds := o.Keys()
	if len(kinds) != 1 {
		return src, v.Errorf("%v with %d keys, it must have one of generate, trace, files", v, len(kinds))
	}
	switch kinds[0] {
	case "generate":
		src.Generate, err = readGenerate(o)
	case "trace":
		src.Trace, err = readTrace(o)
	case "files":
		src.Files, err = o.Text("files")
	default:
		err = v.Errorf("unknown field %q, it must be one of generate, trace, files", kinds[0])
	}
	return src, err
}

func readGenerate(source *strict.Object) (*Generate, error) {
	o, err := source.Object("generate")
	if err != nil {
		return nil, err
	}
	g := &Generate{}
	if g.N, err = readCount(o); err != nil {
		return nil, err
	}
	if g.Seed, err = seedOr(o); err != nil {
		return nil, err
	}
	if g.Params, err = readParams(o); err != nil {
		return nil, err
	}
	return g, o.Done()
}

func readTrace(source *strict.Object) (*Trace, error) {
	o, err := source.Object("trace")
	if err != nil {
		return nil, err
	}
	t := &Trace{}
	if t.Format, err = o.Text("format"); err != nil {
		return nil, err
	}
	if t.Dir, err = o.Text("dir"); err != nil {
		return nil, err
	}
	if w := o.Get("window"); w != nil {
		bounds, err := list(o, "window", readDuration)
		if err != nil {
			return nil, err
		}
		if len(bounds) != 2 || bounds[0] < 0 || bounds[0] >= bounds[1] {
			return nil, w.Errorf("%v must be two durations, the start and a later end", bounds)
		}
		t.From, t.To = bounds[0], bounds[1]
	}
	if t.N, err = readCount(o); err != nil {
		return nil, err
	}
	if t.Seed, err = seedOr(o); err != nil {
		return nil, err
	}
	if t.Params, err = readParams(o); err != nil {
		return nil, err
	}
	return t, o.Done()
}

func readEntry(v *strict.Value) (Entry, error) {
	if name, err := v.Text(); err == nil {
		return Entry{Name: name}, nil // one of the built-in ones
	}
	o, err := v.Object()
	if err != nil {
		return Entry{}, v.Errorf("%v must be an algorithm's name or a mapping with a name", v)
	}
	var e Entry
	if e.Name, err = o.Text("name"); err != nil {
		return e, err
	}
	if err := models.CheckName(e.Name); err != nil {
		return e, o.Get("name").Errorf("%v", err)
	}
	if e.Params, err = readParams(o); err != nil {
		return e, err
	}
	if o.Get("command") != nil {
		if e.Command, err = list(o, "command", (*strict.Value).Text); err != nil {
			return e, err
		}
	}
	for key, field := range map[string]*string{"solver": &e.Solver, "model": &e.Model} {
		if o.Get(key) == nil {
			continue
		}
		if *field, err = o.Text(key); err != nil {
			return e, err
		}
	}
	if len(e.Command) > 0 && (e.Params != nil || e.Solver != "" || e.Model != "") {
		return e, v.Errorf("the command %q takes no params, solver or model; put options into the command", e.Name)
	}
	return e, o.Done()
}

// readParams reads the field params, a mapping of scalars; nil when there is none.
func readParams(o *strict.Object) (map[string]any, error) {
	if o.Get("params") == nil {
		return nil, nil
	}
	p, err := o.Object("params")
	if err != nil {
		return nil, err
	}
	params := map[string]any{}
	for _, key := range p.Keys() {
		v := p.Get(key)
		if s, err := v.Text(); err == nil {
			params[key] = s
		} else if b, err := v.Bool(); err == nil {
			params[key] = b
		} else if f, err := v.Float(); err == nil {
			params[key] = f
		} else {
			return nil, v.Errorf("%v must be a number, a text, true or false", v)
		}
	}
	return params, nil
}

func readCount(o *strict.Object) (int, error) {
	n, err := o.Int("n")
	if err == nil && (n < 1 || n > MaxInstances) {
		err = o.Get("n").Errorf("%d must be at least 1 and at most %d", n, MaxInstances)
	}
	return n, err
}

func seedOr(o *strict.Object) (uint64, error) {
	if v := o.Get("seed"); v != nil {
		return readSeed(v)
	}
	return DefaultSeed, nil
}

func readSeed(v *strict.Value) (uint64, error) {
	n, err := v.Int()
	if err == nil && n < 0 {
		err = v.Errorf("%d must not be negative", n)
	}
	return uint64(n), err
}

func readDuration(v *strict.Value) (time.Duration, error) {
	text, err := v.Text()
	if err != nil {
		return 0, v.Errorf("%v must be a duration with its unit, such as 90s or 10m", v)
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, v.Errorf("%v must be a duration such as 90s or 10m", v)
	}
	return d, nil
}

func readSize(v *strict.Value) (int64, error) {
	text, err := v.Text()
	if err != nil {
		text = v.String() // a number of bytes
	}
	n, err := ParseSize(text)
	if err != nil {
		return 0, v.Errorf("%v", err)
	}
	return n, nil
}
