// Package strict reads JSON the way every input of schedgap is read: keys are case-sensitive, duplicate and unknown keys,
// trailing data, invalid UTF-8 and numbers that overflow are errors, nothing is repaired, and every error names the file,
// the field's path and the offending value in one sentence.
package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// An Error is bad input: the file, the path of the field inside it and what is wrong with the value found there.
type Error struct {
	File   string // as the user named it
	Path   string // such as jobs[3].work; empty for the document as a whole
	Reason string // names the offending value
}

func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("%s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s: %s: %s", e.File, e.Path, e.Reason)
}

// Errorf returns an Error at path of file.
func Errorf(file, path, format string, args ...any) error {
	return &Error{File: file, Path: path, Reason: fmt.Sprintf(format, args...)}
}

// maxDepth bounds the nesting of a document; no format of schedgap nests deeper than ten.
const maxDepth = 64

// A Value is one JSON value of a document with its place.
type Value struct {
	doc  *document
	path string
	kind jsontext.Kind // 'n' 't' 'f' '"' '0' '{' '['
	text string        // a string's value, a number's literal
	keys []string
	vals []*Value // of the keys, or the elements
}

type document struct{ file string }

// Parse reads data, the contents of file, as one JSON object.
func Parse(file string, data []byte) (*Object, error) {
	doc := &document{file: file}
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	v, err := parseValue(dec, doc, "", 0)
	if err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, Errorf(file, "", "trailing data after the JSON object at byte %d", dec.InputOffset())
	}
	return v.Object()
}

func parseValue(dec *jsontext.Decoder, doc *document, path string, depth int) (*Value, error) {
	if depth > maxDepth {
		return nil, Errorf(doc.file, path, "nested deeper than %d levels", maxDepth)
	}
	tok, err := dec.ReadToken()
	if err != nil {
		return nil, syntaxError(doc.file, path, dec, err)
	}
	v := &Value{doc: doc, path: path, kind: tok.Kind()}
	switch v.kind {
	case '"', '0':
		v.text = tok.String()
	case '{':
		for dec.PeekKind() != '}' {
			key, err := dec.ReadToken()
			if err != nil {
				return nil, syntaxError(doc.file, path, dec, err)
			}
			name := key.String()
			child, err := parseValue(dec, doc, join(path, name), depth+1)
			if err != nil {
				return nil, err
			}
			v.keys, v.vals = append(v.keys, name), append(v.vals, child)
		}
		if _, err := dec.ReadToken(); err != nil {
			return nil, syntaxError(doc.file, path, dec, err)
		}
	case '[':
		for dec.PeekKind() != ']' {
			child, err := parseValue(dec, doc, fmt.Sprintf("%s[%d]", path, len(v.vals)), depth+1)
			if err != nil {
				return nil, err
			}
			v.vals = append(v.vals, child)
		}
		if _, err := dec.ReadToken(); err != nil {
			return nil, syntaxError(doc.file, path, dec, err)
		}
	}
	return v, nil
}

// join is the path of a key. Keys that would tear a sentence apart are quoted.
func join(path, key string) string {
	if strings.ContainsFunc(key, func(r rune) bool { return !strconv.IsPrint(r) }) {
		key = strconv.Quote(key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}

func syntaxError(file, path string, dec *jsontext.Decoder, err error) error {
	var se *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Errorf(file, path, "the JSON document ends too early, at byte %d", dec.InputOffset())
	case errors.Is(err, jsontext.ErrDuplicateName):
		name := ""
		if errors.As(err, &se) {
			name = se.JSONPointer.LastToken()
		}
		return Errorf(file, path, "duplicate key %q", name)
	case errors.As(err, &se):
		return Errorf(file, path, "not valid JSON at byte %d: %v", se.ByteOffset, se.Err)
	}
	return Errorf(file, path, "%v", err)
}

// Path is the value's place in its document, such as jobs[3].work.
func (v *Value) Path() string { return v.path }

// Errorf returns an Error that names v's file and path.
func (v *Value) Errorf(format string, args ...any) error {
	return Errorf(v.doc.file, v.path, format, args...)
}

// String shows the value for a message: a literal, or what sort of thing it is.
func (v *Value) String() string {
	switch v.kind {
	case 'n':
		return "null"
	case 't':
		return "true"
	case 'f':
		return "false"
	case '"':
		return strconv.Quote(shorten(v.text))
	case '0':
		return shorten(v.text)
	case '[':
		return "an array"
	}
	return "an object"
}

func shorten(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// Text returns the value as a string.
func (v *Value) Text() (string, error) {
	if v.kind != '"' {
		return "", v.Errorf("must be a string, not %v", v)
	}
	return v.text, nil
}

// ID returns the value as an identifier: a string of one or more characters without commas, colons and white space.
func (v *Value) ID() (string, error) {
	s, err := v.Text()
	if err != nil {
		return "", err
	}
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r == ',' || r == ':' || isSpace(r) }) {
		return "", v.Errorf("%v is not an identifier: it must be non-empty and free of commas, colons and white space", v)
	}
	return s, nil
}

// isSpace is \s of the identifiers' pattern, with the other Unicode spaces, which no file can want in an id.
func isSpace(r rune) bool {
	return strings.ContainsRune(" \t\n\v\f\r\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", r) || (r >= 0x2000 && r <= 0x200a)
}

// Float returns the value as a finite number.
func (v *Value) Float() (float64, error) {
	if v.kind != '0' {
		return 0, v.Errorf("must be a number, not %v", v)
	}
	f, err := strconv.ParseFloat(v.text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, v.Errorf("%v is not a finite number", v)
	}
	return f, nil
}

// maxInteger is the largest integer that a float64 holds exactly: JSON numbers are read as such by most tools.
const maxInteger = 1 << 53

// Int returns the value as an integer; 5.0 counts as one.
func (v *Value) Int() (int, error) {
	f, err := v.Float()
	if err != nil {
		return 0, err
	}
	if f != math.Trunc(f) {
		return 0, v.Errorf("%v must be an integer", v)
	}
	if math.Abs(f) > maxInteger {
		return 0, v.Errorf("%v is too large for an integer", v)
	}
	return int(f), nil
}

// Bool returns the value as true or false.
func (v *Value) Bool() (bool, error) {
	if v.kind != 't' && v.kind != 'f' {
		return false, v.Errorf("must be true or false, not %v", v)
	}
	return v.kind == 't', nil
}

// Array returns the value's elements.
func (v *Value) Array() ([]*Value, error) {
	if v.kind != '[' {
		return nil, v.Errorf("must be an array, not %v", v)
	}
	return v.vals, nil
}

// Object returns the value as an object.
func (v *Value) Object() (*Object, error) {
	if v.kind != '{' {
		return nil, v.Errorf("must be a JSON object, not %v", v)
	}
	o := &Object{Value: v}
	// Objects of a few keys, nearly all of them, are searched faster than a map is built.
	if len(v.keys) > 8 {
		o.index = make(map[string]int, len(v.keys))
		for i, k := range v.keys {
			o.index[k] = i
		}
	}
	o.used = make([]bool, len(v.keys))
	return o, nil
}

// An Object gives access to the fields of a JSON object and remembers which were asked for, so that Done finds the unknown
// ones.
type Object struct {
	*Value
	index map[string]int
	used  []bool
}

func (o *Object) find(key string) int {
	if o.index != nil {
		if i, ok := o.index[key]; ok {
			return i
		}
		return -1
	}
	return slices.Index(o.keys, key)
}

// Get returns the field, or nil when the object has none of that name.
func (o *Object) Get(key string) *Value {
	i := o.find(key)
	if i < 0 {
		return nil
	}
	o.used[i] = true
	return o.vals[i]
}

// Need returns the field, or an error when the object has none of that name.
func (o *Object) Need(key string) (*Value, error) {
	v := o.Get(key)
	if v == nil {
		return nil, Errorf(o.doc.file, join(o.path, key), "required field is missing")
	}
	return v, nil
}

// Keys returns the object's keys in file order, all of them then counting as known.
func (o *Object) Keys() []string {
	for i := range o.used {
		o.used[i] = true
	}
	return o.keys
}

// Done returns an error that names the first field nobody asked for.
func (o *Object) Done() error {
	for i, used := range o.used {
		if !used {
			return Errorf(o.doc.file, join(o.path, o.keys[i]), "unknown field (value %v)", o.vals[i])
		}
	}
	return nil
}

// Text returns a required string field.
func (o *Object) Text(key string) (string, error) { return need(o, key, (*Value).Text) }

// ID returns a required identifier field.
func (o *Object) ID(key string) (string, error) { return need(o, key, (*Value).ID) }

// Float returns a required number field.
func (o *Object) Float(key string) (float64, error) { return need(o, key, (*Value).Float) }

// Int returns a required integer field.
func (o *Object) Int(key string) (int, error) { return need(o, key, (*Value).Int) }

// Bool returns a required boolean field.
func (o *Object) Bool(key string) (bool, error) { return need(o, key, (*Value).Bool) }

// Array returns the elements of a required array field.
func (o *Object) Array(key string) ([]*Value, error) { return need(o, key, (*Value).Array) }

// Object returns a required object field.
func (o *Object) Object(key string) (*Object, error) { return need(o, key, (*Value).Object) }

// FloatOr returns a number field, or def when it is absent.
func (o *Object) FloatOr(key string, def float64) (float64, error) {
	return or(o, key, def, (*Value).Float)
}

// IntOr returns an integer field, or def when it is absent.
func (o *Object) IntOr(key string, def int) (int, error) { return or(o, key, def, (*Value).Int) }

// BoolOr returns a boolean field, or def when it is absent.
func (o *Object) BoolOr(key string, def bool) (bool, error) { return or(o, key, def, (*Value).Bool) }

func need[T any](o *Object, key string, as func(*Value) (T, error)) (T, error) {
	v, err := o.Need(key)
	if err != nil {
		var zero T
		return zero, err
	}
	return as(v)
}

func or[T any](o *Object, key string, def T, as func(*Value) (T, error)) (T, error) {
	v := o.Get(key)
	if v == nil {
		return def, nil
	}
	return as(v)
}
