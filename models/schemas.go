package models

import (
	"schedgap/models/schema"
	"schedgap/models/strict"
)

// InstanceSchemaFile describes the instance files of the problem as JSON Schema.
func (p *Problem[I, S]) InstanceSchemaFile() ([]byte, error) {
	head := strict.Schema(instanceHead{})
	head[0].Type = schema.Word(p.Name)
	head[1].Type = &schema.Schema{Const: FormatVersion}
	head[2].Type.MinLength = 1
	s := schema.Object(append(head, strict.Schema(p.InstanceForm)...)...)
	return s.File(p.Name+" instance", p.Title+"; docs/problems/"+p.Name+".md")
}

// SolutionSchemaFile describes the solution files of the problem as JSON Schema.
func (p *Problem[I, S]) SolutionSchemaFile() ([]byte, error) {
	head := strict.Schema(solutionHead{})
	head[0].Type = schema.Word(p.Name)
	s := schema.Object(append(head, strict.Schema(p.SolutionForm)...)...)
	for _, name := range p.SolutionChoice {
		s.OneOf = append(s.OneOf, &schema.Schema{Required: []string{name}})
	}
	return s.File(p.Name+" solution", p.Title+"; docs/problems/"+p.Name+".md")
}
