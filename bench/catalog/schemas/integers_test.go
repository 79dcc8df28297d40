package schemas_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"schedgap/bench/catalog"
	"schedgap/bench/plan/suite"
	"schedgap/bench/plan/suite/suitetest"
	"schedgap/models"
)

// rounds are numbers that a float64 would make an integer, or another one.
var rounds = []string{"9007199254740993", "9007199254740993.0", "9007199254740992.5", "1.00000000000000000001", "9.007199254740993e15"}

// TestIntegersOfFiles: every field of instances and solutions that the schemas call an integer refuses these numbers, with the
// field and the number as it stands in the file.
func TestIntegersOfFiles(t *testing.T) {
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range registry.Problems {
		examples, err := p.Examples()
		if err != nil {
			t.Fatal(err)
		}
		reached := map[string]bool{}
		for _, in := range examples {
			plant(t, schemaTree(t, p.Name+".instance"), in.JSON, reached, func(data []byte) error {
				_, err := p.ParseInstance("file", data)
				return err
			})
			plant(t, schemaTree(t, p.Name+".solution"), solutionOf(t, p, in), reached, func(data []byte) error {
				_, err := in.Check("file", data)
				return err
			})
		}
		for _, kind := range []string{".instance", ".solution"} {
			for _, at := range integersOf(schemaTree(t, p.Name+kind), p.Name+kind) {
				if !reached[at] {
					t.Errorf("no example has the field %s", at)
				}
			}
		}
	}
}

func schemaTree(t *testing.T, name string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(folder, name+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s map[string]any
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	s["name"] = name
	return s
}

// below are the schemas of a value's parts by the ends of their paths.
func below(s map[string]any) map[string]map[string]any {
	parts := map[string]map[string]any{}
	properties, _ := s["properties"].(map[string]any)
	for name, of := range properties {
		parts["."+name] = of.(map[string]any)
	}
	if of, ok := s["additionalProperties"].(map[string]any); ok {
		parts[".*"] = of
	}
	if of, ok := s["items"].(map[string]any); ok {
		parts["[]"] = of
	}
	prefix, _ := s["prefixItems"].([]any)
	for i, of := range prefix {
		parts[fmt.Sprintf("[%d]", i)] = of.(map[string]any)
	}
	return parts
}

func integersOf(s map[string]any, at string) (list []string) {
	if s["type"] == "integer" {
		return []string{at}
	}
	for end, part := range below(s) {
		list = append(list, integersOf(part, at+end)...)
	}
	return list
}

// plant puts the numbers at every place of a file whose schema says integer.
func plant(t *testing.T, schema map[string]any, data []byte, reached map[string]bool, decode func([]byte) error) {
	t.Helper()
	var root any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	var walk func(s map[string]any, at, field string, v any, set func(any))
	walk = func(s map[string]any, at, field string, v any, set func(any)) {
		if s["type"] == "integer" {
			if reached[at] {
				return
			}
			reached[at] = true
			for _, number := range rounds {
				set(json.RawMessage(number))
				planted, err := json.Marshal(root)
				if err != nil {
					t.Fatal(err)
				}
				if err := decode(planted); err == nil || !strings.Contains(err.Error(), number) || !strings.Contains(err.Error(), field) {
					t.Errorf("%s = %s: %v", at, number, err)
				}
			}
			set(v)
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for end, part := range below(s) {
				name := end[1:]
				switch of, there := v[name]; {
				case end == ".*":
					for key, of := range v {
						walk(part, at+end, key, of, func(x any) { v[key] = x })
					}
				case end[0] == '.' && (there || part["type"] == "integer"):
					walk(part, at+end, name, of, func(x any) {
						v[name] = x
						if x == nil {
							delete(v, name)
						}
					})
				}
			}
		case []any:
			for end, part := range below(s) {
				for i := range v {
					if end == "[]" || end == fmt.Sprintf("[%d]", i) {
						walk(part, at+end, fmt.Sprintf("[%d]", i), v[i], func(x any) { v[i] = x })
					}
				}
			}
		}
	}
	walk(schema, schema["name"].(string), "", root, nil)
}

// TestIntegersOfParameters: no parameter that is an integer takes another one than was given, on a command line or in a suite.
func TestIntegersOfParameters(t *testing.T) {
	registry, err := catalog.New()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, p := range registry.Problems {
		lists := [][]models.Param{p.Generator.Params, p.Deriver.Params, p.Simulator.Params, p.Simulator.Specs}
		for i := range p.Algorithms {
			lists = append(lists, p.Algorithms[i].Params)
		}
		for _, param := range slices.Concat(lists...) {
			if _, integer := param.Default.(int); !integer {
				continue
			}
			n++
			for _, number := range rounds {
				refused := func(given any, err error) {
					if err == nil || !strings.Contains(err.Error(), number) || !strings.Contains(err.Error(), param.Name) {
						t.Errorf("%s: %s = %v: %v", p.Name, param.Name, given, err)
					}
				}
				_, err := models.Resolve([]models.Param{param}, map[string]any{param.Name: number})
				refused(number, err)
				given, err := inSuite(param.Name, number)
				if err == nil {
					_, err = models.Resolve([]models.Param{param}, given)
				} else {
					err = fmt.Errorf("%s: %w", param.Name, err) // it names the line
				}
				refused(given, err)
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d parameters", n)
	}
	unlimited := []models.Param{{Name: "k", Default: 1, Min: -1e300, Max: 1e300}}
	for _, number := range rounds {
		if v, err := models.Resolve(unlimited, map[string]any{"k": number}); err == nil {
			t.Errorf("%s is %v", number, v)
		}
	}
	for _, number := range []string{"9007199254740992", "-9007199254740992", "5.0", "0.5e1", "50e-1", "-0"} {
		if _, err := models.Resolve(unlimited, map[string]any{"k": number}); err != nil {
			t.Errorf("%s: %v", number, err)
		}
	}
}

func inSuite(name, number string) (map[string]any, error) {
	s, err := suitetest.Parse("s.yaml",
		fmt.Appendf(nil, "name: s\nproblem: flex\ninstances: [{generate: {n: 1, params: {%s: %s}}}]\nalgorithms: [fair]\n", name, number))
	if err != nil {
		return nil, err
	}
	return s.Instances[0].Generate.Params, nil
}

// TestIntegersOfSuites: fields of suites that are integers are read exactly or refused with field or line, and number.
func TestIntegersOfSuites(t *testing.T) {
	const text = "name: s\nproblem: flex\ninstances: [{generate: {n: %s, seed: %s}}]\nalgorithms: [fair]\nseeds: [%s]\nlimits: {threads: %s, memory: %s}\n"
	for field := range 5 {
		for _, number := range rounds {
			values := []any{"1", "1", "1", "1", "4GiB"}
			values[field] = number
			s, err := suitetest.Parse("s.yaml", fmt.Appendf(nil, text, values...))
			switch {
			case err != nil && strings.Contains(err.Error(), number):
			case err == nil && number == rounds[0] && (s.Instances[0].Generate.Seed == 1<<53+1 || s.Seeds[0] == 1<<53+1 || s.Limits.Memory == 1<<53+1):
			default:
				t.Errorf("field %d = %s: %v %+v", field, number, err, s)
			}
		}
	}
	for text, want := range map[string]int64{"9007199254740993": 1<<53 + 1, "8388609GiB": 8388609 << 30, "1.5GiB": 3 << 29} {
		if n, err := suite.ParseSize(text); err != nil || n != want {
			t.Errorf("%s: %d %v", text, n, err)
		}
	}
	for _, text := range []string{"9223372036854775808", "8388608TiB", "2097152.5"} {
		if n, err := suite.ParseSize(text); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: %d %v", text, n, err)
		}
	}
}
