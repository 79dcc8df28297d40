package models

import "schedgap/models/strict"

// InstanceSchemaFile describes the instance files of the problem as JSON Schema.
func (p *Problem[I, S]) InstanceSchemaFile() ([]byte, error) {
	s := strict.Describe(instanceHead{}, p.InstanceForm)
	s.Property("version")["const"] = FormatVersion
	s.Property("name")["minLength"] = 1
	return p.schemaFile(s, "instance")
}

// SolutionSchemaFile describes the solution files of the problem as JSON Schema.
func (p *Problem[I, S]) SolutionSchemaFile() ([]byte, error) {
	return p.schemaFile(strict.Describe(solutionHead{}, p.SolutionForm), "solution")
}

func (p *Problem[I, S]) schemaFile(s strict.Schema, of string) ([]byte, error) {
	s.Property("problem")["const"] = p.Name
	return s.File(p.Name+" "+of, p.Title+"; docs/problems/"+p.Name+".md")
}
