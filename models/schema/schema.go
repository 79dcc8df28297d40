// Package schema describes the JSON documents that schedgap reads, in the terms of JSON Schema, draft 2020-12. A description says
// what a document looks like; what its values mean together, such as ids that must exist, is the decoder's to check.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
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

// List is an array.
func List(of *Schema) *Schema { return &Schema{Type: "array", Items: of} }

// Tuple is an array of exactly these elements.
func Tuple(of ...*Schema) *Schema {
	return &Schema{Type: "array", PrefixItems: of, Items: false, MinItems: len(of), MaxItems: len(of)}
}

// ID is an identifier.
func ID() *Schema { return &Schema{Type: "string", Pattern: `^[^,:\s]+$`} }

// Word is one of a few strings, or any string.
func Word(words ...string) *Schema {
	s := &Schema{Type: "string"}
	for _, w := range words {
		s.Enum = append(s.Enum, w)
	}
	return s
}

// Bound bounds a number; infinite: on that side there is no bound. Above and below say that a bound is out itself.
func (s *Schema) Bound(low, high float64, above, below bool) {
	if to := &s.Minimum; !math.IsInf(low, 0) {
		if above {
			to = &s.ExclusiveMinimum
		}
		*to = &low
	}
	if to := &s.Maximum; !math.IsInf(high, 0) {
		if below {
			to = &s.ExclusiveMaximum
		}
		*to = &high
	}
}

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
