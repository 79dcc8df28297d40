package strict

import (
	"reflect"
	"strconv"
	"strings"
)

// maxItems is the most elements that Decode reads of an array: more than any file has, less than what fills a memory.
const maxItems = 1 << 24

// Decode reads data, which is one JSON object, into the struct that to points to: fields by their json tags, of which those with
// omitempty may be missing. Lists and pointers may be null. Errors name the field and the value, and no file.
func Decode(data []byte, to any) error {
	f, err := Parse("", data)
	if err != nil {
		return err
	}
	f.Self().into(reflect.ValueOf(to).Elem())
	return f.Err()
}

func (i Item) into(v reflect.Value) {
	switch kind := v.Kind(); kind {
	case reflect.Pointer:
		if i.kind() != 'n' {
			v.Set(reflect.New(v.Type().Elem()))
			i.into(v.Elem())
		}
	case reflect.Struct:
		i.intoStruct(v)
	case reflect.Slice:
		if i.kind() == 'n' {
			return
		}
		items := i.Array()
		if items.n > maxItems {
			i.Fail("an array of more than %d elements", maxItems)
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), items.n, items.n)) // no larger than it must be
		for k, item := range items.All() {
			item.into(v.Index(k))
		}
	case reflect.Array:
		items := i.Array()
		if i.doc.err == nil && items.n != v.Len() {
			i.Fail("must have %d elements, not %d", v.Len(), items.n)
		}
		for k, item := range items.All() {
			item.into(v.Index(k))
		}
	case reflect.Int, reflect.Int64:
		if i.kind() != '0' {
			i.Fail("must be an integer, not %v", i)
			return
		}
		n, err := strconv.ParseInt(string(i.raw()), 10, 64) // a float64 would not hold all
		if err != nil {
			i.Fail("%v is no integer of 64 bits", i)
		}
		v.SetInt(n)
	case reflect.Float64:
		v.SetFloat(i.Float())
	case reflect.Bool:
		v.SetBool(i.Bool())
	case reflect.String:
		v.SetString(i.Text())
	default:
		panic("strict: cannot read into " + kind.String()) // a programmer's mistake
	}
}

func (i Item) intoStruct(v reflect.Value) {
	f := i.Fields()
	for k := range v.NumField() {
		name, option, _ := strings.Cut(v.Type().Field(k).Tag.Get("json"), ",")
		if f.Err() == nil && (option != "omitempty" || f.Has(name)) {
			f.Item(name).into(v.Field(k))
		}
	}
	_ = f.Done() // the document remembers it
}
