package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// ErrLong says that a text would be longer than the caller keeps.
var ErrLong = errors.New("the text is longer than what is kept")

// Join writes one JSON object of the fields of several values, each of which marshals to an object, the first to one that has
// fields.
func Join(parts ...any) ([]byte, error) { return JoinUpTo(math.MaxInt, parts...) }

// JoinUpTo is Join. It stops with ErrLong soon after the text has become longer than most bytes.
func JoinUpTo(most int, parts ...any) ([]byte, error) {
	w := &writer{most: most}
	for i, part := range parts {
		at := len(w.text)
		if err := w.write(reflect.ValueOf(part)); err != nil {
			return nil, err
		}
		if at == len(w.text) || w.text[at] != '{' {
			return nil, fmt.Errorf("%T does not marshal to a JSON object", part)
		}
		w.text = w.text[:len(w.text)-1]
		switch {
		case i > 0 && len(w.text) == at+1:
			w.text = w.text[:at]
		case i > 0:
			w.text[at] = ','
		}
	}
	w.text = append(w.text, '}')
	return w.text, w.long()
}

// A writer writes what json.Marshal would, several times as fast: a solution has millions of numbers.
type writer struct {
	text []byte
	most int
}

func (w *writer) long() error {
	if len(w.text) > w.most {
		return ErrLong
	}
	return nil
}

// A selfWriter is a container, which is written element by element and never held as a whole.
type selfWriter interface{ writeTo(w *writer) error }

// A layout says how values of a type are written.
type layout struct {
	kind   reflect.Kind // Invalid: by json.Marshal
	own    bool         // a selfWriter
	fields []layoutField
}

type layoutField struct {
	key   []byte // with its colon
	at    []int  // reflect's index
	omits bool   // the zero value
}

var (
	layouts       sync.Map
	marshalerType = reflect.TypeFor[json.Marshaler]()
	selfType      = reflect.TypeFor[selfWriter]()
)

func layoutFor(t reflect.Type) *layout {
	l, ok := layouts.Load(t)
	if !ok {
		l, _ = layouts.LoadOrStore(t, layoutOf(t))
	}
	return l.(*layout)
}

// layoutOf leaves to json.Marshal what it has rules of its own for.
func layoutOf(t reflect.Type) *layout {
	l := &layout{}
	switch kind := t.Kind(); {
	case t.Implements(selfType):
		l.own = true
	case t.Implements(marshalerType), reflect.PointerTo(t).Implements(marshalerType):
	case kind == reflect.Struct:
		if l.addFields(t, nil) {
			l.kind = kind
		}
	case kind == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
	case slices.Contains([]reflect.Kind{
		reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint64, reflect.Float64, reflect.String,
		reflect.Slice, reflect.Array, reflect.Pointer, reflect.Interface,
	}, kind):
		l.kind = kind
	}
	return l
}

func (l *layout) addFields(t reflect.Type, at []int) bool {
	for i := range t.NumField() {
		field := t.Field(i)
		tag := field.Tag.Get("json")
		name, option, _ := strings.Cut(tag, ",")
		index := append(slices.Clip(at), i)
		switch {
		case tag == "-":
		case field.Anonymous && name == "":
			if field.Type.Kind() != reflect.Struct || !l.addFields(field.Type, index) {
				return false
			}
		case !field.IsExported():
		case name == "" || option != "" && option != "omitempty":
			return false
		default:
			key := append(quote(nil, name), ':')
			if slices.ContainsFunc(l.fields, func(f layoutField) bool { return string(f.key) == string(key) }) {
				return false
			}
			l.fields = append(l.fields, layoutField{key, index, option == "omitempty"})
		}
	}
	return true
}

func (w *writer) write(v reflect.Value) error {
	if !v.IsValid() {
		w.text = append(w.text, "null"...)
		return nil
	}
	l := layoutFor(v.Type())
	if l.own {
		return v.Interface().(selfWriter).writeTo(w)
	}
	switch l.kind {
	case reflect.Struct:
		return w.object(v, l)
	case reflect.Pointer, reflect.Interface:
		return w.write(v.Elem())
	case reflect.Slice, reflect.Array:
		if l.kind == reflect.Slice && v.IsNil() {
			w.text = append(w.text, "null"...)
			return nil
		}
		return w.list(v.Len(), func(i int) error { return w.write(v.Index(i)) })
	case reflect.Float64:
		if x := v.Float(); !math.IsNaN(x) && !math.IsInf(x, 0) { // json.Marshal has the error
			w.text = number(w.text, x)
			return nil
		}
	case reflect.String:
		w.text = quote(w.text, v.String())
		return nil
	case reflect.Int, reflect.Int64:
		w.text = strconv.AppendInt(w.text, v.Int(), 10)
		return nil
	case reflect.Uint64:
		w.text = strconv.AppendUint(w.text, v.Uint(), 10)
		return nil
	case reflect.Bool:
		w.text = strconv.AppendBool(w.text, v.Bool())
		return nil
	}
	if v.CanAddr() {
		v = v.Addr()
	}
	text, err := json.Marshal(v.Interface())
	w.text = append(w.text, text...)
	return err
}

func (w *writer) object(v reflect.Value, l *layout) error {
	w.text = append(w.text, '{')
	for i := range l.fields {
		f := &l.fields[i]
		value := v.FieldByIndex(f.at)
		if f.omits && empty(value) {
			continue
		}
		if w.text[len(w.text)-1] != '{' {
			w.text = append(w.text, ',')
		}
		w.text = append(w.text, f.key...)
		if err := w.write(value); err != nil {
			return err
		}
	}
	w.text = append(w.text, '}')
	return nil
}

// empty is what omitempty means by it.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

func (w *writer) list(n int, element func(i int) error) error {
	begin := len(w.text)
	w.text = append(w.text, '[')
	for i := range n {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		if err := element(i); err != nil {
			return err
		}
		if err := w.long(); err != nil {
			return err
		}
		if i == n/64 && n > 4096 { // the rest will be as long, and is not to be copied as it grows
			w.text = slices.Grow(w.text, min(66*(len(w.text)-begin), w.most-len(w.text)))
		}
	}
	w.text = append(w.text, ']')
	return nil
}

// number appends a finite number as json.Marshal writes it.
func number(b []byte, x float64) []byte {
	if a := math.Abs(x); a == 0 || a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(b, x, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, x, 'e', -1, 64)
	if n := len(b); b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' { // e-09 is e-9
		b[n-2] = b[n-1]
		b = b[:n-1]
	}
	return b
}

// quote appends a text as json.Marshal writes it.
func quote(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
			text, _ := json.Marshal(s) // texts have no errors
			return append(b, text...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
