// Package schema describes the JSON documents that schedgap reads, in the terms of JSON Schema, draft 2020-12. A description says
// what a document looks like; what its values mean together, such as ids that must exist, is the decoder's to check.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// A Schema describes one value.
type Schema struct {
	Draft       string `json:"$schema,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Type        string `json:"type,omitempty"`
	Const       any    `json:"const,omitempty"`
	Enum        []any  `json:"enum,omitempty"`
	Default     any    `json:"default,omitempty"`

	Minimum          *float64 `json:"minimum,omitempty"`
	Maximum          *float64 `json:"maximum,omitempty"`
	ExclusiveMinimum *float64 `json:"exclusiveMinimum,omitempty"`
	ExclusiveMaximum *float64 `json:"exclusiveMaximum,omitempty"`
	Pattern          string   `json:"pattern,omitempty"`
	MinLength        int      `json:"minLength,omitempty"`

	PrefixItems []*Schema `json:"prefixItems,omitempty"`
	Items       any       `json:"items,omitempty"` // *Schema, or false after PrefixItems
	MinItems    int       `json:"minItems,omitempty"`
	MaxItems    int       `json:"maxItems,omitempty"`

	Properties           Fields    `json:"properties,omitempty"`
	Required             []string  `json:"required,omitempty"`
	AdditionalProperties any       `json:"additionalProperties,omitempty"` // *Schema, or false
	MinProperties        int       `json:"minProperties,omitempty"`
	MaxProperties        int       `json:"maxProperties,omitempty"`
	OneOf                []*Schema `json:"oneOf,omitempty"`
	AllOf                []*Schema `json:"allOf,omitempty"`
	If                   *Schema   `json:"if,omitempty"`
	Then                 *Schema   `json:"then,omitempty"`
}

// A Field is one key of an object.
type Field struct {
	Name     string
	Doc      string // meaning and unit; empty where the name says it
	Type     *Schema
	Optional bool
}

// Fields are an object's keys in order.
type Fields []Field

// MarshalJSON implements json.Marshaler.
func (fs Fields) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i, f := range fs {
		described := *f.Type
		if f.Doc != "" {
			described.Description = f.Doc
		}
		value, err := json.Marshal(&described)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		separator := byte(',')
		if i == 0 {
			separator = '{'
		}
		b.WriteByte(separator)
		fmt.Fprintf(&b, "%q:%s", f.Name, value)
	}
	if len(fs) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Need is a required field.
func Need(name, doc string, t *Schema) Field { return Field{Name: name, Doc: doc, Type: t} }

// May is an optional field.
func May(name, doc string, t *Schema) Field {
	return Field{Name: name, Doc: doc, Type: t, Optional: true}
}

// Object is an object of these fields and no others.
func Object(fields ...Field) *Schema {
	s := &Schema{Type: "object", Properties: fields, AdditionalProperties: false}
	for _, f := range fields {
		if !f.Optional {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s
}

// Map is an object whose keys are ids.
func Map(of *Schema) *Schema { return &Schema{Type: "object", AdditionalProperties: of} }

// List is an array.
func List(of *Schema) *Schema { return &Schema{Type: "array", Items: of} }

// Some is an array of at least one element.
func Some(of *Schema) *Schema { return &Schema{Type: "array", Items: of, MinItems: 1} }

// Tuple is an array of exactly these elements.
func Tuple(of ...*Schema) *Schema {
	return &Schema{Type: "array", PrefixItems: of, Items: false, MinItems: len(of), MaxItems: len(of)}
}

// ID is an identifier.
func ID() *Schema { return &Schema{Type: "string", Pattern: `^[^,:\s]+$`} }

// Text is any string.
func Text() *Schema { return &Schema{Type: "string"} }

// Word is one of a few strings.
func Word(words ...string) *Schema {
	s := &Schema{Type: "string"}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

// Bool is true or false.
func Bool() *Schema { return &Schema{Type: "boolean"} }

// Number is a finite number.
func Number() *Schema { return &Schema{Type: "number"} }

// Integer is a whole number; 5.0 counts as one.
func Integer() *Schema { return &Schema{Type: "integer"} }

// OneOf is a value of exactly one of these.
func OneOf(list ...*Schema) *Schema { return &Schema{OneOf: list} }

// AtLeast bounds a number from below.
func (s *Schema) AtLeast(low float64) *Schema { s.Minimum = &low; return s }

// AtMost bounds a number from above.
func (s *Schema) AtMost(high float64) *Schema { s.Maximum = &high; return s }

// Above bounds a number from below, the bound not included.
func (s *Schema) Above(low float64) *Schema { s.ExclusiveMinimum = &low; return s }

// Below bounds a number from above, the bound not included.
func (s *Schema) Below(high float64) *Schema { s.ExclusiveMaximum = &high; return s }

// Or says what an absent field stands for.
func (s *Schema) Or(value any) *Schema { s.Default = value; return s }

// File returns the description as a document of its own.
func (s *Schema) File(title, description string) ([]byte, error) {
	top := *s
	top.Draft, top.Title, top.Description = "https://json-schema.org/draft/2020-12/schema", title, description
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&top); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", title, err)
	}
	return b.Bytes(), nil
}
