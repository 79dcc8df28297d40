// Package strict reads JSON the way every input of schedgap is read: keys are case-sensitive, duplicate and unknown keys,
// trailing data, invalid UTF-8 and numbers that overflow are errors, nothing is repaired, and every error names the file,
// the field's path and the offending value in one sentence. The tags of a struct declare the contents of a file; see form.
package strict

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// An Error is bad input: the file, the path of the field inside it and the fault of the value found there.
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

// At is the path of keys and indices, such as jobs[3].work. Keys that would tear a sentence apart are quoted.
func At(parts ...any) string {
	path := ""
	for _, part := range parts {
		key, isKey := part.(string)
		switch {
		case !isKey:
			path += fmt.Sprintf("[%d]", part)
			continue
		case strings.ContainsFunc(key, func(r rune) bool { return !strconv.IsPrint(r) }):
			key = strconv.Quote(key)
		}
		if path != "" {
			path += "."
		}
		path += key
	}
	return path
}

// A File is a document, one JSON object. It remembers the first error, after which nothing is read any more.
type File struct {
	name  string
	data  []byte
	parts []part // of the document, an object; nil: it is something else
	err   error
	known map[string]bool // keys that Head has read

	exact    bool // see Decode
	nullable bool // see ReadNullable
}

// A part is one of the document's own fields.
type part struct {
	key string
	raw jsontext.Value
}

// Open begins to read data, the contents of the file of that name.
func Open(name string, data []byte) (*File, error) {
	parts, ok := split(data)
	if !ok {
		parts = nil
		if err := validate(name, data); err != nil {
			return nil, err
		}
	}
	return &File{name: name, data: data, parts: parts, known: map[string]bool{}}, nil
}

// split finds the fields of a valid document, an object within the limits. Of all others it knows only that they are not that:
// validate, which takes several times as long, has the words for them.
func split(data []byte) (parts []part, ok bool) {
	if !within(data) {
		return nil, false
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return nil, false
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return nil, false
		}
		p := part{key: key.String()}
		p.raw, err = dec.ReadValue()
		if err != nil {
			return nil, false
		}
		parts = append(parts, p)
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, false
	}
	_, err := dec.ReadToken()
	return parts, errors.Is(err, io.EOF)
}

// within reports whether text, if it is valid JSON, keeps the limits of depth and keys.
func within(text []byte) bool {
	var keys [maxDepth + 1]int // so far, of the objects around
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			depth++
			if depth > maxDepth {
				return false
			}
			keys[depth] = 0
		case '}', ']':
			depth = max(0, depth-1)
		case ':':
			keys[depth]++
			if keys[depth] > maxKeys {
				return false
			}
		}
	}
	return true
}

// Read reads data, the contents of the file of that name, into the struct that to points to.
func Read(name string, data []byte, to any) (*File, error) {
	f, err := Open(name, data)
	if err != nil {
		return nil, err
	}
	f.Read(to)
	return f, f.err
}

// ReadNullable is Read for documents in which a field without a value may be null: such a field counts as absent.
func ReadNullable(name string, data []byte, to any) error {
	f, err := Open(name, data)
	if err != nil {
		return err
	}
	f.nullable = true
	f.Read(to)
	return f.err
}

// Decode reads data, one JSON object, into the struct that to points to. Lists and pointers may be null, and integers have 64
// bits. Errors name the field and the value, and no file.
func Decode(data []byte, to any) error {
	f, err := Open("", data)
	if err != nil {
		return err
	}
	f.exact = true
	f.Read(to)
	return f.err
}

// Head reads those of the object's fields that the struct has to which to points, and leaves the others to Read. It returns
// false after an error.
func (f *File) Head(to any) bool { return f.read(to, true) }

// Read reads the object's fields, but those that Head has read, into the struct to which to points. It returns false after an
// error.
func (f *File) Read(to any) bool { return f.read(to, false) }

func (f *File) read(to any, head bool) bool {
	if f.err == nil {
		d := &decoder{file: f, dec: decoderOf(f.data), head: head}
		if err := d.into(to); err != nil {
			f.err = err
		}
	}
	return f.err == nil
}

// Fail records a fault at a path.
func (f *File) Fail(path, format string, args ...any) {
	if f.err == nil {
		f.err = Errorf(f.name, path, format, args...)
	}
}

// Find returns the place of an id that stands at a path, or says that it is none of what, such as a job.
func (f *File) Find(index map[string]int, id, what string, path ...any) (place int, ok bool) {
	place, ok = index[id]
	if !ok {
		f.Fail(At(path...), "%q is not the id of %s", id, what)
	}
	return place, ok
}

// Err returns the first error.
func (f *File) Err() error { return f.err }

// decoderOf reads text that was found valid, or the default in a tag.
func decoderOf(data []byte) *jsontext.Decoder {
	// Of all readers, a Buffer is read in place.
	return jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true))
}

// Limits of a document. No format of schedgap nests deeper than ten, and none has objects with more keys than an instance
// has jobs, stragglers or slots. Keys are limited because those of an object are held in memory to find duplicates.
const (
	maxDepth = 64
	maxKeys  = 1_000_000
)

// validate returns an error unless data is one JSON value within the limits.
func validate(file string, data []byte) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	for {
		if _, err := dec.ReadToken(); err != nil {
			return syntaxError(file, dec, err)
		}
		depth := dec.StackDepth()
		switch kind, n := dec.StackIndex(depth); {
		case depth > maxDepth+1:
			return Errorf(file, pathOf(dec, 0), "nested deeper than %d levels", maxDepth)
		case kind == '{' && n > 2*maxKeys:
			return Errorf(file, pathOf(dec, 1), "an object of more than %d keys", maxKeys)
		case depth == 0:
			if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
				return Errorf(file, "", "trailing data after the JSON object at byte %d", dec.InputOffset())
			}
			return nil
		}
	}
}

func syntaxError(file string, dec *jsontext.Decoder, err error) error {
	var se *jsontext.SyntacticError
	above := 1 // of the value before, unless a key waits for its own
	if kind, n := dec.StackIndex(dec.StackDepth()); kind == '{' && n%2 == 1 {
		above = 0
	}
	path := pathOf(dec, above)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Errorf(file, path, "the JSON document ends too early, at byte %d", dec.InputOffset())
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &se):
		return Errorf(file, path, "duplicate key %q", se.JSONPointer.LastToken())
	case errors.As(err, &se):
		return Errorf(file, path, "not valid JSON at byte %d: %v", se.ByteOffset, se.Err)
	}
	return Errorf(file, path, "%v", err)
}

// pathOf is the path of the value that was read last, or of one so many levels above it.
func pathOf(dec *jsontext.Decoder, above int) string {
	var parts []any
	for token := range dec.StackPointer().Tokens() {
		if kind, _ := dec.StackIndex(len(parts) + 1); kind == '[' {
			i, _ := strconv.Atoi(token) // of an array
			parts = append(parts, i)
		} else {
			parts = append(parts, token)
		}
	}
	return At(parts[:max(0, len(parts)-above)]...)
}
