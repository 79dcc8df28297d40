package suite

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/environ"
	"schedgap/models/strict"

	"github.com/goccy/go-yaml"
)

// ParseAll reads the contents of a file with one or more suites, separated by lines of three dashes. Every error is one sentence
// that names the file, the line or the path of the field, and the value.
func ParseAll(file string, data []byte) ([]*Suite, error) {
	tree, err := ParseYAML(file, data)
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
		// The YAML reader resolves the text and refuses duplicate keys. The fields are then read as strictly as the JSON of
		// other inputs.
		text, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		f, err := strict.Open(file, text)
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

func readSuite(f *strict.File) (*Suite, error) {
	s := &Suite{}
	f.Read(s)
	if err := models.CheckName(s.Name); err != nil {
		f.Fail("name", "%v", err)
	}
	if strings.ContainsAny(s.Name, `/\`) || strings.HasPrefix(s.Name, ".") || strings.HasPrefix(s.Name, "-") {
		f.Fail("name", "%q must not have slashes or begin with a dot or a dash, since folders are called by it", s.Name)
	}
	for key, text := range map[string]string{"purpose": s.Purpose, "figure": s.Figure} {
		if strings.ContainsFunc(text, unicode.IsControl) {
			f.Fail(key, "%q must be one line", text)
		}
	}
	for i, name := range s.Env {
		if !environ.Valid(name) {
			f.Fail(strict.At("env", i), "%q is not the name of an environment variable", name)
		}
	}
	if s.Folder == "" && bench.IsPath(s.Problem) {
		s.Folder = s.Problem
	}
	if s.Where != nil && *s.Where == "" {
		f.Fail("dir", "it must name a folder")
	}
	s.dir, s.Where = *cmp.Or(s.Where, new(string)), nil
	s.Limits.Time, s.Limits.Threads = cmp.Or(s.Limits.Time, DefaultTime), cmp.Or(s.Limits.Threads, DefaultThreads)
	return s, f.Err()
}

// Part returns the suite with only the algorithms added under a name or, without a name, without all added ones.
func (s *Suite) Part(added string) *Suite {
	d := *s
	d.Algorithms = slices.DeleteFunc(slices.Clone(s.Algorithms), func(e Entry) bool {
		return e.Name != added && (added != "" || slices.Contains(s.added, e.Name))
	})
	return &d
}

// YAML writes a suite with its defaults, in the form that ParseAll reads. Of a resolved suite it has no variables and no
// relative paths left; those inside commands begin at its dir.
func (s *Suite) YAML() ([]byte, error) {
	d := *s
	if slices.ContainsFunc(s.Algorithms, func(e Entry) bool { return len(e.Command) > 0 }) && (s.fsys == nil || s.dir != "") {
		dir, err := filepath.Abs(s.dir)
		if err != nil {
			return nil, fmt.Errorf("suite %s: %w", s.Name, err)
		}
		d.Where = &dir // where the commands find their files
	}
	out, err := yaml.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("suite %s: %w", s.Name, err)
	}
	return out, nil
}
