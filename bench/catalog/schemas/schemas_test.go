// Package schemas_test holds docs/schemas and what reads files against each other. It is apart from cmd, whose test program starts
// itself again and again: the library that validates takes 3 ms at every start.
package schemas_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/generate"
	"schedgap/bench/plan/suite/suitetest"
	"schedgap/models"
)

const folder = "../../../docs/schemas"

// TestSchemasOfFiles: the schemas accept all examples, generated instances and solutions of algorithms. Of files that are broken
// one field at a time they refuse no file that the decoders accept, and all that these refuse, except for what values mean
// together.
func TestSchemasOfFiles(t *testing.T) {
	t.Parallel()
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range registry.Problems {
		t.Run(p.Name, func(t *testing.T) {
			instance, solution := compiled(t, p.Name+".instance"), compiled(t, p.Name+".solution")
			examples, err := p.Examples()
			if err != nil {
				t.Fatal(err)
			}
			for i := range 3 {
				in, err := generate.One(p, generate.Name(p, i), models.Defaults(p.Generator.Params), 5, i)
				if err != nil {
					t.Fatal(err)
				}
				if err := instance.Validate(value(t, in.JSON)); err != nil {
					t.Errorf("%s: %v", in.Name, err)
				}
			}
			for _, in := range examples {
				if err := instance.Validate(value(t, in.JSON)); err != nil {
					t.Errorf("%s: %v", in.Name, err)
				}
				solved := solutionOf(t, p, in)
				if err := solution.Validate(value(t, solved)); err != nil {
					t.Errorf("solution of %s: %v", in.Name, err)
				}
				n := agree(t, instance, in.JSON, func(data []byte) error { _, err := p.ParseInstance("file", data); return err })
				n += agree(t, solution, solved, func(data []byte) error { _, err := in.Check("file", data); return err })
				if n < 20 {
					t.Errorf("%s: only %d broken files", in.Name, n)
				}
			}
			for _, file := range files(t, "../../../models/"+p.Name+"/examples/*.json") { // as they were written, defaults left out
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := instance.Validate(value(t, data)); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			}
		})
	}
}

// TestSchemaOfSuites: the schema accepts the built-in suites and refuses broken ones that Parse refuses.
func TestSchemaOfSuites(t *testing.T) {
	t.Parallel()
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	schema, n := compiled(t, "suite"), 0
	for _, p := range registry.Problems {
		err := fs.WalkDir(p.Suites, ".", func(file string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".yaml") {
				return err
			}
			text, err := fs.ReadFile(p.Suites, file)
			if err != nil {
				return err
			}
			for part := range strings.SplitSeq(string(text), "\n---\n") {
				var v any
				if err := yaml.Unmarshal([]byte(part), &v); err != nil {
					return err
				}
				data, err := json.Marshal(v)
				if err != nil {
					return err
				}
				if err := schema.Validate(value(t, data)); err != nil {
					t.Errorf("%s: %v", file, err)
				}
				n++
				if n%4 == 1 {
					agree(t, schema, data, func(data []byte) error {
						s, err := suitetest.Parse("file", data)
						if err != nil {
							return err
						}
						p, err := registry.Problem(s.Problem)
						for _, source := range s.Instances {
							if source.Generate != nil && err == nil {
								_, err = models.Resolve(p.Generator.Params, source.Generate.Params)
							}
							if source.Trace != nil && err == nil {
								_, err = models.Resolve(p.Deriver.Params, source.Trace.Params)
							}
						}
						return err
					})
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 20 {
		t.Errorf("only %d suites", n)
	}
	wrong := `{"name":"s","problem":"flex","instances":[{"generate":{"n":1,"params":{"nosuch":1}}}],"algorithms":["fair"]}`
	if schema.Validate(value(t, []byte(wrong))) == nil {
		t.Error("a parameter that flex does not have is accepted")
	}
}

func files(t *testing.T, pattern string) []string {
	list, err := filepath.Glob(pattern)
	if err != nil || len(list) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	return list
}

// compiled is a schema of docs/schemas.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join(folder, name+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func value(t *testing.T, data []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// solutionOf is what the problem's first heuristic that applies makes of an instance.
func solutionOf(t *testing.T, p *bench.Problem, in *bench.Instance) []byte {
	t.Helper()
	for i := range p.Algorithms {
		a := &p.Algorithms[i]
		if a.Kind != models.Heuristic || a.Arg != "" {
			continue
		}
		if r := p.Run(t.Context(), in, bench.Request{Algorithm: a.Name, Seed: 1, Threads: 1}, bench.Observer{}); r.Solution != nil {
			return r.Solution
		}
	}
	t.Fatalf("no heuristic solves %s", in.Name)
	return nil
}

// together are refusals that no schema of one value can make: they speak of other values of the file, or of the instance.
var together = []string{
	"is not the id of", "deadline: required field", "steps: required field", ".penalty: ", "must be greater than the start",
}

// resource is a refusal over a resource of cloning: which fields servers and phases have is for the file to say.
var resource = regexp.MustCompile(`(servers|phases)\[\d+\]\.\w+: (unknown field|required field is missing)`)

// agree breaks a file one field at a time: it leaves the field out, gives it another type, or adds one beside it.
func agree(t *testing.T, schema *jsonschema.Schema, data []byte, decode func([]byte) error) (n int) {
	t.Helper()
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	try := func(what string) {
		n++
		broken, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		refused, invalid := decode(broken), schema.Validate(value(t, broken))
		switch {
		case refused == nil && invalid != nil:
			t.Errorf("%s is read, and its schema refuses it: %v", what, invalid)
		case refused != nil && invalid == nil && !slices.ContainsFunc(together, func(part string) bool {
			return strings.Contains(refused.Error(), part)
		}) && !resource.MatchString(refused.Error()):
			t.Errorf("%s is accepted by its schema, and refused: %v", what, refused)
		}
	}
	var walk func(v any, path string)
	walk = func(v any, path string) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				old, at := v[k], path+"."+k
				delete(v, k)
				try(at + " left out")
				for _, other := range []any{"text", 0.5, true, []any{}, map[string]any{}, nil} {
					if fmt.Sprintf("%T", other) != fmt.Sprintf("%T", old) {
						v[k] = other
						try(fmt.Sprintf("%s = %v", at, other))
					}
				}
				if f, ok := old.(float64); ok {
					v[k] = -f - 1
					try(at + " negative")
				}
				v[k] = old
				walk(old, at)
			}
			v["unknown"] = 1.
			try(path + ".unknown added")
			delete(v, "unknown")
		case []any:
			if len(v) > 0 {
				walk(v[0], path+"[0]")
			}
		}
	}
	walk(root, "")
	return n
}
