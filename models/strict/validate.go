package strict

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Limits of a document. No format of schedgap nests deeper than ten, and none has objects with more keys than an instance
// has jobs, stragglers or slots. Keys are limited because those of an object are held in memory to find duplicates.
const (
	maxDepth = 64
	maxKeys  = 1_000_000
)

// validate returns an error unless data is one JSON value within the limits.
func validate(file string, data []byte) error {
	if within(data) {
		dec := jsontext.NewDecoder(bytes.NewBuffer(data)) // of all readers, a Buffer is read in place
		if _, err := dec.ReadValue(); err == nil {
			if _, err := dec.ReadToken(); errors.Is(err, io.EOF) {
				return nil
			}
		}
	}
	return explain(file, data)
}

// within reports whether a document, if it is valid, surely keeps to the limits.
func within(data []byte) bool {
	var around [maxDepth + 1]struct { // the objects and arrays around the position
		object bool
		commas int
	}
	depth := 0
	for at := 0; at < len(data); at++ {
		switch data[at] {
		case '"':
			at = skipString(data, at) - 1
		case '{', '[':
			if depth++; depth > maxDepth {
				return false
			}
			around[depth].object, around[depth].commas = data[at] == '{', 0
		case '}', ']':
			depth = max(depth-1, 0)
		case ',':
			a := &around[depth]
			if a.commas++; a.object && a.commas >= maxKeys {
				return false
			}
		}
	}
	return true
}

// explain finds what is wrong with data, and returns nil if nothing is.
func explain(file string, data []byte) error {
	dec := jsontext.NewDecoder(bytes.NewBuffer(data))
	if err := explainValue(dec, file, "", 0); err != nil {
		return err
	}
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		return Errorf(file, "", "trailing data after the JSON object at byte %d", dec.InputOffset())
	}
	return nil
}

func explainValue(dec *jsontext.Decoder, file, path string, depth int) error {
	if depth > maxDepth {
		return Errorf(file, path, "nested deeper than %d levels", maxDepth)
	}
	tok, err := dec.ReadToken()
	if err != nil {
		return syntaxError(file, path, dec, err)
	}
	end := map[jsontext.Kind]jsontext.Kind{'{': '}', '[': ']'}[tok.Kind()]
	if end == 0 {
		return nil
	}
	for n := 0; dec.PeekKind() != end; n++ {
		var child string
		if end == ']' {
			child = element(path, n)
		} else {
			key, err := dec.ReadToken()
			if err != nil {
				return syntaxError(file, path, dec, err)
			}
			if n == maxKeys {
				return Errorf(file, path, "an object of more than %d keys", maxKeys)
			}
			child = join(path, key.String())
		}
		if err := explainValue(dec, file, child, depth+1); err != nil {
			return err
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return syntaxError(file, path, dec, err)
	}
	return nil
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
