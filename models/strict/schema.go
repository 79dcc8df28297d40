package strict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// A Schema describes one value in the terms of JSON Schema, draft 2020-12: the form of a document. Rules between values, such
// as ids that must exist, are checked by the decoder.
type Schema map[string]any

// Describe is the schema of an object with the fields that Read reads into structs of these types.
func Describe(like ...any) Schema {
	all := &form{}
	for _, one := range like {
		f := formFor(reflect.TypeOf(one))
		for _, i := range f.either {
			all.either = append(all.either, len(all.fields)+i)
		}
		all.fields, all.rest = append(all.fields, f.fields...), f.rest
	}
	return all.object()
}

// Words describes a text, one of these if there are any.
func Words(words ...string) Schema {
	if len(words) == 0 {
		return Schema{"type": "string"}
	}
	return Schema{"type": "string", "enum": words}
}

// OneOf describes a value that one of several schemas describes.
func OneOf(of ...Schema) Schema { return Schema{"oneOf": of} }

// Tuple describes an array of exactly these elements.
func Tuple(of ...Schema) Schema {
	return Schema{"type": "array", "prefixItems": of, "items": false, "minItems": len(of), "maxItems": len(of)}
}

// Property is the schema of an object's field.
func (s Schema) Property(name string) Schema {
	for _, e := range s["properties"].(Map[Schema]) {
		if e.Key == name {
			return e.Value
		}
	}
	return nil
}

// File returns the schema as a document of its own.
func (s Schema) File(title, description string) ([]byte, error) {
	s["$schema"], s["title"], s["description"] = "https://json-schema.org/draft/2020-12/schema", title, description
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(s); err != nil {
		return nil, fmt.Errorf("schema of %s: %w", title, err)
	}
	return b.Bytes(), nil
}

func (f *form) object() Schema {
	properties, required := Map[Schema]{}, []string{}
	for i := range f.fields {
		field := &f.fields[i]
		s := field.form.schema()
		if field.def != "" {
			s["default"] = json.RawMessage(field.def)
		}
		if field.doc != "" {
			s["description"] = field.doc
		}
		if !field.optional {
			required = append(required, field.name)
		}
		properties = append(properties, Entry[Schema]{field.name, s})
	}
	s := Schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	var either []Schema
	for _, i := range f.either {
		either = append(either, Schema{"required": []string{f.fields[i].name}})
	}
	if either != nil {
		s["oneOf"] = either
	}
	if f.rest != nil {
		s["additionalProperties"] = f.rest.form.elem.schema()
	}
	return s
}

func (f *form) schema() Schema {
	switch like := reflect.New(f.typ).Interface().(type) {
	case Described:
		return like.FormSchema()
	case *json.RawMessage:
		return Schema{"type": "object"}
	case container:
		if f.typ.Kind() == reflect.Slice { // a Map
			return Schema{"type": "object", "additionalProperties": f.elem.schema()}
		}
		return Schema{"type": "array", "items": f.elem.schema()}
	}
	limits := f.limits
	if strings.ContainsAny(f.stated, "<>") {
		limits = append(limits[:len(limits):len(limits)], parseLimit(f.stated))
	}
	s := Schema{}
	switch f.typ.Kind() {
	case reflect.Pointer:
		return f.elem.schema()
	case reflect.Struct:
		return f.object()
	case reflect.Slice:
		s["type"], s["items"] = "array", f.elem.schema()
		if f.some {
			s["minItems"] = 1
		}
		return s
	case reflect.Bool:
		s["type"] = "boolean"
	case reflect.String:
		return f.text()
	case reflect.Float64:
		s["type"] = "number"
	case reflect.Uint64:
		s["type"], s["minimum"] = "integer", 0
	default:
		s["type"] = "integer"
	}
	for _, l := range limits {
		l.describe(s)
	}
	return s
}

func (f *form) text() Schema {
	switch {
	case f.id:
		return Schema{"type": "string", "pattern": `^[^,:\s]+$`}
	case f.stated != "":
		return Words(strings.Split(f.stated, "|")...)
	}
	return Words(f.words...)
}

func (l limit) describe(s Schema) {
	if !math.IsInf(l.low, 0) {
		s[map[bool]string{false: "minimum", true: "exclusiveMinimum"}[l.above]] = l.low
	}
	if !math.IsInf(l.high, 0) {
		s[map[bool]string{false: "maximum", true: "exclusiveMaximum"}[l.below]] = l.high
	}
}
