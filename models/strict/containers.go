package strict

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// A container reads itself.
type container interface {
	element() reflect.Type
	decode(d *decoder, f *form) error
	add(d *decoder, key string, f *form) error // one more key of a Map
}

// A List is an array whose elements are read one after the other: Each is called with every element, which is there until the
// next one is read, and may end the reading by File.Fail. To be written it has Items.
type List[T any] struct {
	Items []T
	Each  func(i int, e *T)
}

// MarshalJSON implements json.Marshaler.
func (l List[T]) MarshalJSON() ([]byte, error) { return json.Marshal(l.Items) }

func (l *List[T]) element() reflect.Type { return reflect.TypeFor[T]() }

func (l *List[T]) add(*decoder, string, *form) error { panic("strict: a list has no keys") }

func (l *List[T]) decode(d *decoder, f *form) error {
	var e, zero T
	_, err := d.elements(func(i int) error {
		e = zero
		if err := d.read(reflect.ValueOf(&e).Elem(), f.elem); err != nil {
			return err
		}
		l.Each(i, &e)
		return d.file.err
	})
	return err
}

// A Map is an object whose keys are data, in the order of the file.
type Map[T any] []Entry[T]

// An Entry is a key of a Map with its value.
type Entry[T any] struct {
	Key   string
	Value T
}

// MapOf is a Map sorted by key.
func MapOf[T any](values map[string]T) (m Map[T]) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		m = append(m, Entry[T]{key, values[key]})
	}
	return m
}

// MarshalJSON implements json.Marshaler.
func (m Map[T]) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	enc := json.NewEncoder(b)
	for i, e := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(e.Key); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(e.Value); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Key, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (m *Map[T]) element() reflect.Type { return reflect.TypeFor[T]() }

func (m *Map[T]) decode(d *decoder, f *form) error {
	*m = Map[T]{}
	return d.keys(func(key string) error { return m.add(d, key, f) })
}

func (m *Map[T]) add(d *decoder, key string, f *form) error {
	*m = append(*m, Entry[T]{Key: key})
	return d.read(reflect.ValueOf(&(*m)[len(*m)-1].Value).Elem(), f.elem)
}
