package suite

import (
	"math"
	"reflect"
	"slices"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/schema"
	"schedgap/models/strict"
)

// Schema describes suite files as JSON Schema; the parameters of generators and derivations are those of the problems. It wants
// numbers as numbers, where Parse also reads texts that look like them.
func Schema(problems []*bench.Problem) ([]byte, error) {
	names := make([]string, len(problems))
	for i, p := range problems {
		names[i] = p.Name
	}
	fields := slices.DeleteFunc(strict.Schema(Suite{}), func(f schema.Field) bool { return f.Name == "dir" })
	fields[1].Type = schema.Word(names...)
	s := schema.Object(fields...)
	for _, p := range problems {
		s.AllOf = append(s.AllOf, &schema.Schema{
			If: &schema.Schema{Properties: schema.Fields{schema.Field{
				Name: "problem", Type: &schema.Schema{Const: p.Name},
				Optional: true,
			}}},
			Then: sourceParams(p),
		})
	}
	return s.File("suite", "what schedgap run works through")
}

// sourceParams says which parameters the sources of a problem's instances have.
func sourceParams(p *bench.Problem) *schema.Schema {
	may := func(name, doc string, s *schema.Schema) schema.Fields {
		return schema.Fields{{Name: name, Doc: doc, Type: s, Optional: true}}
	}
	var sources schema.Fields
	add := func(kind string, s *bench.Source) {
		if s == nil {
			return
		}
		var fields schema.Fields
		for _, q := range s.Params {
			fields = append(fields, may(q.Name, q.Doc, paramSchema(q))...)
		}
		sources = append(sources, may(kind, "", &schema.Schema{Properties: may("params", "", schema.Object(fields...))})...)
	}
	add("generate", p.Generator)
	add("trace", p.Deriver)
	return &schema.Schema{Properties: may("instances", "", &schema.Schema{Items: &schema.Schema{Properties: sources}})}
}

func paramSchema(p models.Param) *schema.Schema {
	s := &schema.Schema{Default: p.Default}
	switch p.Default.(type) {
	case int, float64:
		if s.Type = "number"; reflect.TypeOf(p.Default).Kind() == reflect.Int {
			s.Type = "integer"
		}
		high := p.Max
		if high == 0 && p.Min >= 0 {
			high = math.Inf(1)
		}
		s.Bound(p.Min, high, false, false)
	case bool:
		s.Type = "boolean"
	default:
		if s.OneOf = []*schema.Schema{schema.Word(), {Type: "number"}}; len(p.Choices) > 0 { // a text may look like a number
			s = schema.Word(p.Choices...)
			s.Default = p.Default
		}
	}
	return s
}
