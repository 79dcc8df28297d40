package suite

import (
	"slices"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/strict"
)

// Schema describes suite files as JSON Schema, including the parameters of the problems' generators and derivations. It requires
// numbers where Parse also accepts texts that look like numbers.
func Schema(problems []*bench.Problem) ([]byte, error) {
	names, cases := make([]string, len(problems)), make([]strict.Schema, len(problems))
	for i, p := range problems {
		names[i] = p.Name
		cases[i] = strict.Schema{"if": within(strict.Schema{"const": p.Name}, "problem"), "then": sourceParams(p)}
	}
	s := strict.Describe(Suite{})
	s["properties"] = slices.DeleteFunc(s["properties"].(strict.Map[strict.Schema]), func(e strict.Entry[strict.Schema]) bool {
		return e.Key == "dir" || e.Key == "folder"
	})
	s.Property("problem")["anyOf"] = []strict.Schema{{"enum": names}, {"pattern": `^\.|/`, "description": "the folder of your own problem"}}
	s["allOf"] = cases
	return s.File("suite", "what schedgap run works through")
}

// within says of the value of a property, or of a property of that, what s says.
func within(s strict.Schema, path ...string) strict.Schema {
	for _, name := range slices.Backward(path) {
		s = strict.Schema{"properties": strict.Schema{name: s}}
	}
	return s
}

// sourceParams says which parameters the sources of a problem's instances have.
func sourceParams(p *bench.Problem) strict.Schema {
	sources := strict.Schema{}
	add := func(kind string, s *bench.Source) {
		if s == nil {
			return
		}
		params := strict.Map[strict.Schema]{}
		for _, q := range s.Params {
			params = append(params, strict.Entry[strict.Schema]{Key: q.Name, Value: paramSchema(q)})
		}
		sources[kind] = within(strict.Schema{"type": "object", "properties": params, "additionalProperties": false}, "params")
	}
	add("generate", p.Generator)
	add("trace", p.Deriver)
	return within(strict.Schema{"items": strict.Schema{"properties": sources}}, "instances")
}

func paramSchema(p models.Param) strict.Schema {
	s := strict.Schema{"type": "boolean"}
	switch p.Default.(type) {
	case int, float64:
		s = strict.Schema{"type": "number", "minimum": p.Min}
		if _, whole := p.Default.(int); whole {
			s["type"] = "integer"
		}
		if p.Max != 0 || p.Min < 0 {
			s["maximum"] = p.Max
		}
	case string:
		s = strict.OneOf(strict.Words(), strict.Schema{"type": "number"})
		if len(p.Choices) > 0 {
			s = strict.Words(p.Choices...) // otherwise a text may look like a number
		}
	}
	s["default"], s["description"] = p.Default, p.Doc
	return s
}
