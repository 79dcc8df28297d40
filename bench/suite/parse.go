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
		f, err := strict.Parse(file, text)
		if err != nil {
			return nil, err
		}
		s, err := readSuite(f)
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

func readSuite(f strict.Fields) (*Suite, error) {
	s := &Suite{Name: f.ID("name"), Threads: DefaultThreads, Seeds: []uint64{DefaultSeed}}
	s.Limits.Time = DefaultTime
	// Folders are called by suites.
	if err := models.CheckName(s.Name); err != nil {
		f.Fail("name", "%v", err)
	}
	if strings.ContainsAny(s.Name, `/\`) || strings.HasPrefix(s.Name, ".") || strings.HasPrefix(s.Name, "-") {
		f.Fail("name", "%q must not have slashes or begin with a dot or a dash, since folders are called by it", s.Name)
	}
	s.Problem = f.Text("problem")
	s.Purpose, s.Figure = readLine(f, "purpose"), readLine(f, "figure")
	if f.Has("typical") {
		s.Typical = readPositive(f.Item("typical"))
	}
	s.Instances = list(f, "instances", readSource)
	s.Algorithms = list(f, "algorithms", readEntry)
	if f.Has("solvers") {
		s.Solvers = list(f, "solvers", strict.Item.Text)
	}
	if f.Has("seeds") {
		s.Seeds = list(f, "seeds", readSeed)
	}
	if f.Has("limits") {
		readLimits(f.Item("limits").Fields(), s)
	}
	s.Proofs = f.BoolOr("proofs", false)
	s.PinCPUs = f.BoolOr("pin_cpus", false)
	if f.Has("env") {
		s.Env = list(f, "env", readVariable)
	}
	if f.Has("watch") {
		s.Watch = list(f, "watch", strict.Item.Text)
	}
	if f.Has("dir") {
		if s.dir = f.Text("dir"); s.dir == "" {
			f.Fail("dir", "it must name a folder")
		}
	}
	return s, f.Done()
}

// readLine reads an optional text of one line.
func readLine(f strict.Fields, key string) string {
	text := f.TextOr(key, "")
	if strings.ContainsFunc(text, unicode.IsControl) {
		f.Fail(key, "%q must be one line", text)
	}
	return text
}

// list reads a list of at least one element.
func list[T any](f strict.Fields, key string, read func(strict.Item) T) []T {
	elements := strict.Values(f, key, read)
	if len(elements) == 0 {
		f.Fail(key, "an empty list, it must have an element")
	}
	return elements
}

// readVariable reads the name of an environment variable.
func readVariable(v strict.Item) string {
	name := v.Text()
	if !environ.Valid(name) {
		v.Fail("%v is not the name of an environment variable", v)
	}
	return name
}

func readLimits(f strict.Fields, s *Suite) {
	if f.Has("time") {
		s.Limits.Time = readPositive(f.Item("time"))
	}
	if f.Has("memory") {
		s.Limits.Memory = readSize(f.Item("memory"))
	}
	if f.Has("cpu") {
		s.Limits.CPU = readPositive(f.Item("cpu"))
	}
	if f.Has("output") {
		s.Limits.Output = readSize(f.Item("output"))
	}
	s.Threads = f.IntOr("threads", DefaultThreads, strict.AtLeast(1).And(strict.AtMost(MaxThreads)))
	_ = f.Done() // the document remembers it
}

func readSource(v strict.Item) (src Source) {
	f := v.Fields()
	kinds := f.Keys()
	if len(kinds) != 1 {
		v.Fail("%v with %d keys, it must have one of generate, trace, files", v, len(kinds))
		return src
	}
	switch kinds[0] {
	case "generate":
		src.Generate = strict.Nested(f.Item("generate"), readGenerate)
	case "trace":
		src.Trace = strict.Nested(f.Item("trace"), readTrace)
	case "files":
		src.Files = f.Text("files")
	default:
		v.Fail("unknown field %q, it must be one of generate, trace, files", kinds[0])
	}
	return src
}

func readGenerate(f strict.Fields) *Generate {
	return &Generate{N: readCount(f), Seed: seedOr(f), Params: readParams(f)}
}

func readTrace(f strict.Fields) *Trace {
	t := &Trace{Format: f.Text("format"), Dir: f.Text("dir")}
	if f.Has("window") {
		bounds := list(f, "window", readDuration)
		if len(bounds) == 2 && 0 <= bounds[0] && bounds[0] < bounds[1] {
			t.From, t.To = bounds[0], bounds[1]
		} else {
			f.Fail("window", "%v must be two durations, the start and a later end", bounds)
		}
	}
	t.N, t.Seed, t.Params = readCount(f), seedOr(f), readParams(f)
	return t
}

func readEntry(v strict.Item) Entry {
	if v.IsText() {
		return Entry{Name: v.Text()} // one of the built-in ones
	}
	if !v.IsObject() {
		v.Fail("%v must be an algorithm's name or a mapping with a name", v)
	}
	return strict.Nested(v, func(f strict.Fields) Entry {
		e := Entry{Name: f.Text("name")}
		if err := models.CheckName(e.Name); err != nil {
			f.Fail("name", "%v", err)
		}
		e.Params = readParams(f)
		if f.Has("command") {
			e.Command = list(f, "command", strict.Item.Text)
		}
		e.Solver, e.Model = f.TextOr("solver", ""), f.TextOr("model", "")
		if len(e.Command) > 0 && (e.Params != nil || e.Solver != "" || e.Model != "") {
			v.Fail("the command %q takes no params, solver or model; put options into the command", e.Name)
		}
		return e
	})
}

// readParams reads the field params, a mapping of scalars; nil when there is none.
func readParams(f strict.Fields) map[string]any {
	if !f.Has("params") {
		return nil
	}
	params := map[string]any{}
	for key, v := range f.Map("params") {
		if s, err := v.Value.Text(); err == nil {
			params[key] = s
		} else if b, err := v.Value.Bool(); err == nil {
			params[key] = b
		} else if x, err := v.Value.Float(); err == nil {
			params[key] = x
		} else {
			v.Fail("%v must be a number, a text, true or false", v)
		}
	}
	return params
}

func readCount(f strict.Fields) int {
	return f.Int("n", strict.AtLeast(1).And(strict.AtMost(MaxInstances)))
}

func seedOr(f strict.Fields) uint64 {
	if !f.Has("seed") {
		return DefaultSeed
	}
	return readSeed(f.Item("seed"))
}

func readSeed(v strict.Item) uint64 {
	n := v.Int()
	if n < 0 {
		v.Fail("%d must not be negative", n)
	}
	return uint64(n)
}

func readDuration(v strict.Item) time.Duration {
	if !v.IsText() {
		v.Fail("%v must be a duration with its unit, such as 90s or 10m", v)
	}
	d, err := time.ParseDuration(v.Text())
	if err != nil {
		v.Fail("%v must be a duration such as 90s or 10m", v)
	}
	return d
}

func readPositive(v strict.Item) time.Duration {
	d := readDuration(v)
	if d <= 0 {
		v.Fail("%v must be positive", v)
	}
	return d
}

func readSize(v strict.Item) int64 {
	text := v.String() // a number of bytes
	if v.IsText() {
		text = v.Text()
	}
	n, err := ParseSize(text)
	if err != nil {
		v.Fail("%v", err)
	}
	return n
}
