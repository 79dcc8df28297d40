package strict

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxItems is the most elements that are held of an array: more than any file has, less than what fills a memory.
const maxItems = 1 << 24

// A decoder reads text that was found valid.
type decoder struct {
	file   *File
	dec    *jsontext.Decoder
	prefix string // path of the whole text
	head   bool   // keys that no field has are left alone, at the top
}

func (d *decoder) path() string {
	path := pathOf(d.dec, 0)
	if d.prefix == "" || path == "" || path[0] == '[' {
		return d.prefix + path
	}
	return d.prefix + "." + path
}

// value reads the next value whole.
func (d *decoder) value() (v Value, err error) {
	v.d = d
	v.raw, err = d.dec.ReadValue()
	if err != nil {
		err = Errorf(d.file.name, d.path(), "%v", err)
	}
	return v, err
}

// wrong is the error that names the required next value.
func (d *decoder) wrong(what string) error {
	v, err := d.value()
	if err != nil {
		return err
	}
	return v.Errorf("must be %s, not %s", what, &v)
}

// into reads the next value into what to points to.
func (d *decoder) into(to any) error {
	v := reflect.ValueOf(to).Elem()
	return d.read(v, formFor(v.Type()))
}

func (d *decoder) read(to reflect.Value, f *form) error {
	kind := d.dec.PeekKind()
	if d.file.exact && kind == 'n' && (to.Kind() == reflect.Pointer || to.Kind() == reflect.Slice) {
		return d.dec.SkipValue()
	}
	switch own := to.Addr().Interface().(type) {
	case Reader:
		v, err := d.value()
		if err == nil {
			err = own.ReadValue(&v)
		}
		switch {
		case err != nil:
		case to.CanInt():
			err = v.limited(to, float64(to.Int()), f)
		case to.CanFloat():
			err = v.limited(to, to.Float(), f)
		}
		return err
	case container:
		return own.decode(d, f)
	case *json.RawMessage:
		if kind != '{' {
			return d.wrong("a JSON object")
		}
		v, err := d.value()
		*own = append(json.RawMessage(nil), v.raw...)
		return err
	}
	switch to.Kind() {
	case reflect.Pointer:
		to.Set(reflect.New(f.elem.typ))
		return d.read(to.Elem(), f.elem)
	case reflect.Struct:
		return d.object(to, f)
	case reflect.Slice, reflect.Array:
		return d.list(to, f)
	}
	v, err := d.value()
	if err != nil {
		return err
	}
	return v.scalar(to, f)
}

// scalar reads a text, a number or a truth value.
func (v *Value) scalar(to reflect.Value, f *form) error {
	switch to.Kind() {
	case reflect.Bool:
		b, err := v.Bool()
		to.SetBool(b)
		return err
	case reflect.String:
		read := v.Text
		if f.id {
			read = v.id
		}
		s, err := read()
		to.SetString(s)
		switch n := len(f.words); {
		case err != nil || n == 0 || slices.Contains(f.words, s):
			return err
		case n > 3:
			return v.Errorf("%q must be one of %s", s, strings.Join(f.words, ", "))
		default:
			return v.Errorf("%q must be %s or %s", s, strings.Join(f.words[:n-1], ", "), f.words[n-1])
		}
	case reflect.Float64:
		x, err := v.Float()
		to.SetFloat(x)
		if err != nil {
			return err
		}
		return v.limited(to, x, f)
	case reflect.Int, reflect.Int64:
		n, err := v.integer(maxInteger)
		to.SetInt(n)
		if err != nil {
			return err
		}
		return v.limited(to, float64(n), f)
	case reflect.Uint64: // seeds, which are whole numbers up to 2^63 − 1 wherever they are given
		n, err := v.integer(math.MaxInt64)
		if n < 0 {
			return v.Errorf("%d must not be negative", n)
		}
		to.SetUint(uint64(n))
		return err
	}
	panic("strict: cannot read into " + to.Kind().String()) // a programmer's mistake
}

// limited is an error unless x, the number at to, keeps the limits.
func (v *Value) limited(to reflect.Value, x float64, f *form) error {
	for _, l := range f.limits {
		if !l.keeps(x) {
			return v.Errorf("%v must be %s", to, l.want(to))
		}
	}
	return nil
}

// keys hands the keys of the next value, an object, to each, which reads their values.
func (d *decoder) keys(each func(key string) error) error {
	if d.dec.PeekKind() != '{' {
		return d.wrong("a JSON object")
	}
	if _, err := d.dec.ReadToken(); err != nil {
		return err // not of valid text
	}
	for d.dec.PeekKind() != '}' {
		key, err := d.dec.ReadToken()
		if err != nil {
			return err
		}
		if err := each(key.String()); err != nil {
			return err
		}
	}
	_, err := d.dec.ReadToken()
	return err
}

func (d *decoder) object(to reflect.Value, f *form) error {
	top := d.dec.StackDepth() == 0 && d.prefix == ""
	var unknown error
	there := make([]bool, len(f.fields))
	next := 0 // where to look first: keys mostly come in the order of the fields
	read := func(d *decoder, key string) error {
		i := f.find(key, next)
		switch {
		case i >= 0 && d.file.nullable && d.dec.PeekKind() == 'n':
			next = i + 1
			return d.dec.SkipValue()
		case i >= 0:
			there[i], next = true, i+1
			if top && d.head {
				d.file.known[key] = true
			}
			return d.read(to.FieldByIndex(f.fields[i].at), f.fields[i].form)
		case top && (d.head || d.file.known[key]):
			return d.dec.SkipValue()
		case f.rest != nil:
			return to.FieldByIndex(f.rest.at).Addr().Interface().(container).add(d, key, f.rest.form)
		}
		v, err := d.value()
		if err == nil && unknown == nil {
			unknown = v.Errorf("unknown field (value %s)", &v)
		}
		return err
	}
	var err error
	if top && d.file.parts != nil {
		err = d.parts(read)
	} else {
		err = d.keys(func(key string) error { return read(d, key) })
	}
	if err != nil {
		return err
	}
	for i := range f.fields {
		switch field := &f.fields[i]; {
		case there[i]:
		case field.def != "":
			own := &decoder{file: &File{}, dec: decoderOf([]byte(field.def))}
			if err := own.read(to.FieldByIndex(field.at), field.form); err != nil {
				panic("strict: " + field.name + ": " + err.Error()) // a programmer's mistake
			}
		case !field.optional:
			return d.missing(field.name, "required field is missing")
		}
	}
	if !d.head {
		if name, fault := f.choice(there); fault != "" {
			return d.missing(name, fault)
		}
	}
	return unknown
}

// parts hands the document's fields to each, with what reads their values.
func (d *decoder) parts(each func(d *decoder, key string) error) error {
	for _, p := range d.file.parts {
		below := &decoder{file: d.file, dec: decoderOf(p.raw), prefix: At(p.key), head: d.head}
		if err := each(below, p.key); err != nil {
			return err
		}
	}
	return nil
}

// missing is an error at a field of the object that was read last.
func (d *decoder) missing(field, fault string) error {
	return Errorf(d.file.name, strings.TrimPrefix(d.path()+"."+At(field), "."), "%s", fault)
}

// elements reads the next value, an array, each of its elements by each, and returns their number.
func (d *decoder) elements(each func(i int) error) (n int, err error) {
	if d.dec.PeekKind() != '[' {
		return 0, d.wrong("an array")
	}
	if _, err := d.dec.ReadToken(); err != nil {
		return 0, err // not of valid text
	}
	for ; d.dec.PeekKind() != ']'; n++ {
		if err := each(n); err != nil {
			return n, err
		}
	}
	_, err = d.dec.ReadToken()
	return n, err
}

func (d *decoder) list(to reflect.Value, f *form) error {
	fixed := to.Kind() == reflect.Array
	if !fixed {
		to.Set(reflect.MakeSlice(to.Type(), 0, 0))
	}
	var seen map[string]int
	if f.elem.unique != nil {
		seen = map[string]int{}
	}
	n, err := d.elements(func(i int) error {
		switch {
		case fixed && i >= to.Len():
			return d.dec.SkipValue()
		case i == maxItems:
			return Errorf(d.file.name, d.path(), "an array of more than %d elements", maxItems)
		case !fixed:
			to.Grow(1)
			to.SetLen(i + 1)
		}
		if err := d.read(to.Index(i), f.elem); err != nil || seen == nil {
			return err
		}
		id := to.Index(i).FieldByIndex(f.elem.unique.at).String()
		if first, twice := seen[id]; twice {
			path := d.path()
			list := path[:strings.LastIndexByte(path, '[')]
			return Errorf(d.file.name, path+"."+f.elem.unique.name, "%q is also the id of %s[%d]%s", id, last(list), first, owner(list))
		}
		seen[id] = i
		return nil
	})
	switch {
	case err != nil:
		return err
	case fixed && n != to.Len():
		return Errorf(d.file.name, d.path(), "must have %d elements, not %d", to.Len(), n)
	case n == 0 && f.some:
		return Errorf(d.file.name, d.path(), "the list of %s must not be empty", last(d.path()))
	}
	return nil
}

// last is the last key of a path.
func last(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// owner says whose the list at a path is, as in: tasks[3] of this job.
func owner(list string) string {
	in := strings.LastIndexByte(list, '.')
	if in <= 0 || list[in-1] != ']' {
		return ""
	}
	name, _, _ := strings.Cut(last(list[:in]), "[")
	return " of this " + strings.TrimSuffix(name, "s")
}

// Tuple reads an array of as many elements as there are pointers, one into each.
func (v *Value) Tuple(what string, to ...any) error {
	d := &decoder{file: v.d.file, dec: decoderOf(v.raw), prefix: v.d.path()}
	n, err := d.elements(func(i int) error {
		if i >= len(to) {
			return d.dec.SkipValue()
		}
		return d.into(to[i])
	})
	if err == nil && n != len(to) {
		err = v.Errorf("%s, not %d", what, n)
	}
	return err
}

// Keys are the keys of an object, or nil.
func (v *Value) Keys() []string {
	keys := []string{}
	d := &decoder{file: v.d.file, dec: decoderOf(v.raw)}
	if err := d.keys(func(key string) error {
		keys = append(keys, key)
		return d.dec.SkipValue()
	}); err != nil {
		return nil
	}
	return keys
}

// Index returns the place of every id in a list.
func Index[T any](list []T, id func(*T) string) map[string]int {
	index := make(map[string]int, len(list))
	for k := range list {
		index[id(&list[k])] = k
	}
	return index
}
