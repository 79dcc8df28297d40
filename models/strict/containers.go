package strict

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// A container reads itself.
type container interface {
	element() reflect.Type
	decode(d *decoder, f *form) error
	add(d *decoder, key string, f *form) error // one more key of a Map
	reset()
}

// A List is an array whose elements are read one after the other: Each is called with every element, which is there until the
// next one is read, and may end the reading by File.Fail. It is written likewise: Len elements, each as Item sets it.
type List[T any] struct {
	Len  int
	Item func(i int, e *T)
	Each func(i int, e *T)
}

// ListOf is the List of these elements, to be written.
func ListOf[T any](items []T) List[T] {
	return List[T]{Len: len(items), Item: func(i int, e *T) { *e = items[i] }}
}

// MarshalJSON implements json.Marshaler.
func (l List[T]) MarshalJSON() ([]byte, error) { return marshal(l) }

func (l List[T]) writeTo(w *writer) error {
	var e, zero T
	v := reflect.ValueOf(&e).Elem()
	return w.list(l.Len, func(i int) error {
		e = zero
		l.Item(i, &e)
		return w.write(v)
	})
}

func (l *List[T]) element() reflect.Type { return reflect.TypeFor[T]() }

func (l *List[T]) add(*decoder, string, *form) error { panic("strict: a list has no keys") }

func (l *List[T]) reset() { *l = List[T]{} }

func (l *List[T]) decode(d *decoder, f *form) error {
	var e T
	v := reflect.ValueOf(&e).Elem()
	_, err := d.elements(func(i int) error {
		f.elem.reset(v)
		if err := d.read(v, f.elem); err != nil {
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
	for key, value := range values {
		m = append(m, Entry[T]{key, value})
	}
	return m.Sort()
}

// Sort sorts m by key, and keeps of entries with the same key the last.
func (m Map[T]) Sort() Map[T] {
	slices.SortStableFunc(m, func(a, b Entry[T]) int { return strings.Compare(a.Key, b.Key) })
	kept := m[:0]
	for i, e := range m {
		if i+1 == len(m) || m[i+1].Key != e.Key {
			kept = append(kept, e)
		}
	}
	return kept
}

// MarshalJSON implements json.Marshaler.
func (m Map[T]) MarshalJSON() ([]byte, error) { return marshal(m) }

func (m Map[T]) writeTo(w *writer) error {
	w.text = append(w.text, '{')
	for i := range m {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		w.text = append(quote(w.text, m[i].Key), ':')
		if err := w.write(reflect.ValueOf(&m[i].Value).Elem()); err != nil {
			return fmt.Errorf("%s: %w", m[i].Key, err)
		}
		if err := w.long(); err != nil {
			return err
		}
	}
	w.text = append(w.text, '}')
	return nil
}

func marshal(v selfWriter) ([]byte, error) {
	w := &writer{most: math.MaxInt}
	err := v.writeTo(w)
	return w.text, err
}

func (m *Map[T]) element() reflect.Type { return reflect.TypeFor[T]() }

func (m *Map[T]) decode(d *decoder, f *form) error {
	if *m == nil || len(*m) > 0 {
		*m = Map[T]{}
	}
	return d.keys(func(key string) error { return m.add(d, key, f) })
}

// reset keeps the memory, for the next element of a List.
func (m *Map[T]) reset() { *m = (*m)[:0] }

func (m *Map[T]) add(d *decoder, key string, f *form) error {
	*m = append(*m, Entry[T]{Key: key})
	return d.read(reflect.ValueOf(&(*m)[len(*m)-1].Value).Elem(), f.elem)
}
