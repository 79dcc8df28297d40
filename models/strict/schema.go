package strict

import (
	"encoding/json"
	"reflect"
	"strings"

	"schedgap/models/schema"
)

// Schema describes the fields that Read reads into a struct of like's type.
func Schema(like any) schema.Fields {
	fields, _ := formFor(reflect.TypeOf(like)).properties()
	return fields
}

// properties are a struct's fields; rest describes the values of all other keys and is nil where there must be none.
func (f *form) properties() (fields schema.Fields, rest *schema.Schema) {
	for i := range f.fields {
		field := &f.fields[i]
		s := field.form.schema()
		if field.def != "" {
			_ = json.Unmarshal([]byte(field.def), &s.Default) // reading would panic
		}
		fields = append(fields, schema.Field{Name: field.name, Doc: field.doc, Type: s, Optional: field.optional})
	}
	if f.rest != nil {
		rest = f.rest.form.elem.schema()
	}
	return fields, rest
}

func (f *form) schema() *schema.Schema {
	switch like := reflect.New(f.typ).Interface().(type) {
	case Reader:
		return like.FormSchema()
	case *json.RawMessage:
		return &schema.Schema{Type: "object"}
	case container:
		if f.typ.Kind() == reflect.Slice { // a Map
			return &schema.Schema{Type: "object", AdditionalProperties: f.elem.schema()}
		}
		return schema.List(f.elem.schema())
	}
	s := &schema.Schema{}
	switch f.typ.Kind() {
	case reflect.Pointer:
		return f.elem.schema()
	case reflect.Struct:
		fields, rest := f.properties()
		if s = schema.Object(fields...); rest != nil {
			s.AdditionalProperties = rest
		}
	case reflect.Slice:
		if s = schema.List(f.elem.schema()); f.some {
			s.MinItems = 1
		}
	case reflect.Bool:
		s.Type = "boolean"
	case reflect.String:
		s = f.textSchema()
	case reflect.Float64:
		s.Type = "number"
	case reflect.Uint64:
		s.Type, s.Minimum = "integer", new(float64)
	default:
		s.Type = "integer"
	}
	limits := f.limits
	if strings.ContainsAny(f.stated, "<>") {
		limits = append(limits[:len(limits):len(limits)], parseLimit(f.stated))
	}
	if f.elem == nil {
		for _, l := range limits {
			s.Bound(l.low, l.high, l.above, l.below)
		}
	}
	return s
}

func (f *form) textSchema() *schema.Schema {
	words := f.words
	if f.stated != "" {
		words = strings.Split(f.stated, "|")
	}
	if f.id {
		return schema.ID()
	}
	return schema.Word(words...)
}
