// Package strict reads JSON the way every input of schedgap is read: keys are case-sensitive, duplicate and unknown keys,
// trailing data, invalid UTF-8 and numbers that overflow are errors, nothing is repaired, and every error names the file,
// the field's path and the offending value in one sentence.
//
// A document is checked once and then read in place: values are positions in its text, and nothing is built that the caller
// does not ask for. The text must therefore not change while its values are in use; the texts and numbers that they return
// may be kept.
package strict

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// An Error is bad input: the file, the path of the field inside it and what is wrong with the value found there.
type Error struct {
	File   string // as the user named it; empty: the caller says it
	Path   string // such as jobs[3].work; empty for the document as a whole
	Reason string // names the offending value
}

func (e *Error) Error() string {
	s := e.Reason
	for _, before := range []string{e.Path, e.File} {
		if before != "" {
			s = before + ": " + s
		}
	}
	return s
}

// Errorf returns an Error at path of file.
func Errorf(file, path, format string, args ...any) error {
	return &Error{File: file, Path: Clip(path, 300), Reason: Clip(fmt.Sprintf(format, args...), 600)}
}

// Clip cuts the middle out of a text that is longer than most bytes: an id may be as long as its file.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most*2/3], "") + "…" + strings.ToValidUTF8(s[len(s)-most/3:], "")
}

type document struct {
	file string
	data []byte // valid JSON
	err  error  // the first one that Fields met
}

// A Value is one JSON value of a document with its place.
type Value struct {
	doc     *document
	in      *Value // the array or object around it; nil for the document as a whole
	key     int    // its index in an array, the position of its key in an object
	at, end int    // its text is data[at:end]
}

// Parse reads data, the contents of file, as one JSON object.
func Parse(file string, data []byte) (Fields, error) {
	if err := validate(file, data); err != nil {
		return Fields{}, err
	}
	at := space(data, 0)
	o, err := (&Value{doc: &document{file: file, data: data}, at: at, end: skip(data, at)}).Object()
	return Fields{Object: o}, err
}

func (v *Value) raw() jsontext.Value { return v.doc.data[v.at:v.end] }

// kind is one of n t f " 0 { [, as the value's text begins; all numbers are 0.
func (v *Value) kind() jsontext.Kind { return v.raw().Kind() }

// unquote returns the string whose JSON text is given.
func unquote(text []byte) string {
	if !escaped(text) {
		return string(text[1 : len(text)-1])
	}
	s, _ := jsontext.AppendUnquote(nil, text) // it was found valid
	return string(s)
}

// Path is the value's place in its document, such as jobs[3].work.
func (v *Value) Path() string {
	switch {
	case v.in == nil:
		return ""
	case v.in.kind() == '[':
		return element(v.in.Path(), v.key)
	}
	data := v.doc.data
	return join(v.in.Path(), unquote(data[v.key:skipString(data, v.key)]))
}

// element is the path of an array's element.
func element(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }

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

// Errorf returns an Error that names v's file and path.
func (v *Value) Errorf(format string, args ...any) error {
	return Errorf(v.doc.file, v.Path(), format, args...)
}

// String shows the value for a message: a literal, or what sort of thing it is.
func (v *Value) String() string {
	switch v.kind() {
	case 'n':
		return "null"
	case 't':
		return "true"
	case 'f':
		return "false"
	case '"':
		return strconv.Quote(shorten(unquote(v.raw())))
	case '0':
		return shorten(string(v.raw()))
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
	if v.kind() != '"' {
		return "", v.Errorf("must be a string, not %s", v.String())
	}
	return unquote(v.raw()), nil
}

// ID returns the value as an identifier: a string of one or more characters without commas, colons and white space.
func (v *Value) ID() (string, error) {
	s, err := v.Text()
	if err != nil {
		return "", err
	}
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r == ',' || r == ':' || isSpace(r) }) {
		return "", v.Errorf("%v is not an identifier: it must be non-empty and free of commas, colons and white space", v.String())
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return "", v.Errorf("%v is not an identifier: it has characters that do not print", v.String())
	}
	return s, nil
}

// isSpace is \s of the identifiers' pattern, with the other Unicode spaces, which no file can want in an id.
func isSpace(r rune) bool {
	return strings.ContainsRune(" \t\n\v\f\r\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", r) || (r >= 0x2000 && r <= 0x200a)
}

// Float returns the value as a finite number.
func (v *Value) Float() (float64, error) {
	if v.kind() != '0' {
		return 0, v.Errorf("must be a number, not %s", v.String())
	}
	f, err := strconv.ParseFloat(string(v.raw()), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, v.Errorf("%v is not a finite number", v.String())
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
		return 0, v.Errorf("%v must be an integer", v.String())
	}
	if math.Abs(f) > maxInteger {
		return 0, v.Errorf("%v is too large for an integer", v.String())
	}
	return int(f), nil
}

// Bool returns the value as true or false.
func (v *Value) Bool() (bool, error) {
	if v.kind() != 't' && v.kind() != 'f' {
		return false, v.Errorf("must be true or false, not %s", v.String())
	}
	return v.kind() == 't', nil
}

// Raw returns a copy of the value's text.
func (v *Value) Raw() []byte { return bytes.Clone(v.raw()) }

// Object returns the value as an object.
func (v *Value) Object() (*Object, error) {
	if v.kind() != '{' {
		return nil, v.Errorf("must be a JSON object, not %v", v)
	}
	o, data := &Object{Value: v}, v.doc.data
	for at, more := first(data, v.at); more; {
		f := field{key: at, at: colon(data, skipString(data, at))}
		f.end = skip(data, f.at)
		if o.fields == nil {
			o.fields = make([]field, 0, 4)
		}
		o.fields = append(o.fields, f)
		at, more = next(data, f.end)
	}
	return o, nil
}

// An Object gives access to the fields of a JSON object and remembers which were asked for, so that Done finds the unknown
// ones.
type Object struct {
	*Value
	fields []field
	last   int // the field found last
}

// A field is a key of an object with its value's place.
type field struct {
	key, at, end int
	used         bool
}

func (o *Object) name(i int) string {
	key := o.fields[i].key
	return unquote(o.doc.data[key:skipString(o.doc.data, key)])
}

func (o *Object) value(i int) *Value {
	f := &o.fields[i]
	return &Value{doc: o.doc, in: o.Value, key: f.key, at: f.at, end: f.end}
}

// find returns the index of a key. Fields are mostly asked for in the order of the file, so the search goes on where the last
// one ended.
func (o *Object) find(key string) int {
	n := len(o.fields)
	for i := range n {
		i = (o.last + i) % n
		if o.named(i, key) {
			o.last = i
			return i
		}
	}
	return -1
}

// named reports whether field i has the name key.
func (o *Object) named(i int, key string) bool {
	text := o.doc.data[o.fields[i].key:]
	if text = text[:skipString(text, 0)]; escaped(text) {
		return unquote(text) == key
	}
	return string(text[1:len(text)-1]) == key
}

// Get returns the field, or nil when the object has none of that name.
func (o *Object) Get(key string) *Value {
	i := o.find(key)
	if i < 0 {
		return nil
	}
	o.fields[i].used = true
	return o.value(i)
}

// Need returns the field, or an error when the object has none of that name.
func (o *Object) Need(key string) (*Value, error) {
	v := o.Get(key)
	if v == nil {
		return nil, Errorf(o.doc.file, join(o.Path(), key), "required field is missing")
	}
	return v, nil
}

// Keys returns the object's keys in file order, all of them then counting as known.
func (o *Object) Keys() []string {
	keys := make([]string, len(o.fields))
	for i := range o.fields {
		o.fields[i].used, keys[i] = true, o.name(i)
	}
	return keys
}

// Done returns an error that names the first field nobody asked for.
func (o *Object) Done() error {
	for i := range o.fields {
		if !o.fields[i].used {
			v := o.value(i)
			return v.Errorf("unknown field (value %v)", v)
		}
	}
	return nil
}
