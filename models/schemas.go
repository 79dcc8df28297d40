package models

import (
	"schedgap/models/schema"
)

// InstanceSchemaFile describes the instance files of the problem as JSON Schema.
func (p *Problem[I, S]) InstanceSchemaFile() ([]byte, error) {
	name := schema.Text()
	name.MinLength = 1
	header := schema.Fields{
		schema.Need("problem", "", schema.Word(p.Name)),
		schema.Need("version", "of the format", &schema.Schema{Const: FormatVersion}),
		schema.Need("name", "", name),
		schema.May("lineage", "where a derived instance comes from", &schema.Schema{Type: "object"}),
	}
	s := schema.Object(append(header, p.InstanceSchema...)...)
	return s.File(p.Name+" instance", p.Title+"; docs/problems/"+p.Name+".md")
}

// SolutionSchemaFile describes the solution files of the problem as JSON Schema.
func (p *Problem[I, S]) SolutionSchemaFile() ([]byte, error) {
	envelope := schema.Fields{
		schema.Need("problem", "", schema.Word(p.Name)),
		schema.Need("instance", "the instance's name", schema.Text()),
		schema.Need("algorithm", "", schema.Text()),
		schema.May("objective", "claimed, compared with the checker's", schema.Number()),
	}
	s := schema.Object(append(envelope, p.SolutionSchema...)...)
	for _, name := range p.SolutionChoice {
		s.OneOf = append(s.OneOf, &schema.Schema{Required: []string{name}})
	}
	return s.File(p.Name+" solution", p.Title+"; docs/problems/"+p.Name+".md")
}
