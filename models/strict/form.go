package strict

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A form is the file format of a Go type. The tags of a struct's fields are the one declaration of a format: reading and the
// schema follow from them, and encoding/json writes by them.
//
//	json     the key; with omitempty it may be missing
//	is       rules, separated by commas: optional, either (of the fields with this rule there is exactly one), some (elements), id,
//	         unique (an id in its list), limits such as >0 or >=0 <1, 1..5 and rest (a Map of all keys that are no field's)
//	words    the texts that are allowed, separated by |
//	default  the value of a missing field, in JSON
//	schema   limits or words for which the decoder has sentences of its own
//	doc      meaning and unit
//
// Rules of a list's or a map's numbers and ids stand in the tags of the list or map.
type form struct {
	typ    reflect.Type
	elem   *form       // of lists, maps and pointers
	fields []formField // of structs
	rest   *formField  // takes all other keys; nil: there must be none
	unique *formField  // has ids that differ in a list; nil: there is none
	either []int       // fields of which there is exactly one, or none

	id, some bool
	limits   []limit
	words    []string
	stated   string // the tag schema
}

type formField struct {
	name     string
	doc      string
	at       []int // reflect's index
	optional bool
	def      string // JSON; empty: none
	form     *form
}

// A Reader is a type with a form of its own.
type Reader interface {
	// ReadValue reads what stands in the file.
	ReadValue(v *Value) error
}

// A Described Reader says what that is.
type Described interface{ FormSchema() Schema }

var (
	readerType    = reflect.TypeFor[Reader]()
	containerType = reflect.TypeFor[container]()
	rawType       = reflect.TypeFor[json.RawMessage]()
)

// forms are those of types without tags, which documents of many lines read by again and again.
var forms sync.Map

// formFor is formOf without tags.
func formFor(t reflect.Type) *form {
	f, ok := forms.Load(t)
	if !ok {
		f, _ = forms.LoadOrStore(t, formOf(t, ""))
	}
	return f.(*form)
}

// formOf returns the form of a type whose field has the tags. Tags that mean nothing are a programmer's mistake.
func formOf(t reflect.Type, tag reflect.StructTag) *form {
	f := &form{typ: t}
	for rule := range strings.SplitSeq(tag.Get("is"), ",") {
		switch rule {
		case "id":
			f.id = true
		case "some":
			f.some = true
		case "", "optional", "either", "unique", "rest":
		default:
			f.limits = append(f.limits, parseLimit(rule))
		}
	}
	if words := tag.Get("words"); words != "" {
		f.words = strings.Split(words, "|")
	}
	f.stated = tag.Get("schema")
	pointer := reflect.PointerTo(t)
	switch {
	case pointer.Implements(readerType):
	case pointer.Implements(containerType):
		f.elem = formOf(reflect.New(t).Interface().(container).element(), tag)
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice && t != rawType, t.Kind() == reflect.Array:
		f.elem = formOf(t.Elem(), tag)
	case t.Kind() == reflect.Struct:
		f.addFields(t, nil)
	}
	return f
}

func (f *form) addFields(t reflect.Type, at []int) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, option, _ := strings.Cut(field.Tag.Get("json"), ",")
		index := append(slices.Clip(at), i)
		if field.Anonymous && name == "" {
			f.addFields(field.Type, index)
			continue
		}
		rules := strings.Split(field.Tag.Get("is"), ",")
		def := field.Tag.Get("default")
		own := formField{
			name: name, doc: field.Tag.Get("doc"), at: index, def: def,
			optional: option == "omitempty" || def != "" || slices.Contains(rules, "optional"),
		}
		switch {
		case slices.Contains(rules, "rest"):
			own.form = formOf(field.Type, field.Tag)
			f.rest = &own
		case name != "-" && field.IsExported():
			own.form = formOf(field.Type, field.Tag)
			if slices.Contains(rules, "either") {
				own.optional = true
				f.either = append(f.either, len(f.fields))
			}
			f.fields = append(f.fields, own)
			if slices.Contains(rules, "unique") {
				f.unique = &own
			}
		}
	}
}

// reset makes the value at to that of a missing field again.
func (f *form) reset(to reflect.Value) {
	if len(f.fields) == 0 || f.rest != nil {
		to.SetZero()
		return
	}
	for i := range f.fields {
		if field := to.FieldByIndex(f.fields[i].at); reflect.PointerTo(field.Type()).Implements(containerType) {
			field.Addr().Interface().(container).reset()
		} else {
			field.SetZero()
		}
	}
}

// find returns the index of the field of that name, or -1; it looks at next first.
func (f *form) find(name string, next int) int {
	if next < len(f.fields) && f.fields[next].name == name {
		return next
	}
	return slices.IndexFunc(f.fields, func(field formField) bool { return field.name == name })
}

// choice says what is wrong with the number of the fields of which there must be one: which are there; empty: nothing.
func (f *form) choice(there []bool) (name, fault string) {
	var names []string
	for _, i := range f.either {
		names = append(names, f.fields[i].name)
		switch {
		case there[i] && name != "":
			return f.fields[i].name, "must not stand beside " + name
		case there[i]:
			name = f.fields[i].name
		}
	}
	if name == "" && len(names) > 0 {
		return names[0], "required field is missing, or " + strings.Join(names[1:], " or ") + " instead of it"
	}
	return "", ""
}

// A limit is a bound that a number must keep.
type limit struct {
	low, high    float64 // infinite: none
	above, below bool    // low and high themselves are out
	between      bool    // how a message says it
}

// parseLimit reads bounds such as >0, >=0 <1 or 1..5.
func parseLimit(rule string) limit {
	number := func(text string) float64 {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(fmt.Sprintf("strict: the tag %q means nothing", rule))
		}
		return x
	}
	if low, high, ok := strings.Cut(rule, ".."); ok {
		return limit{low: number(low), high: number(high), between: true}
	}
	l := limit{low: math.Inf(-1), high: math.Inf(1)}
	for bound := range strings.FieldsSeq(rule) {
		digits := strings.TrimLeft(bound, "<>=")
		switch strings.TrimSuffix(bound, digits) {
		case ">":
			l.low, l.above = number(digits), true
		case ">=":
			l.low = number(digits)
		case "<":
			l.high, l.below = number(digits), true
		default:
			l.high = number(strings.TrimPrefix(bound, "<="))
		}
	}
	return l
}

func (l limit) keeps(x float64) bool {
	return (x > l.low || x == l.low && !l.above) && (x < l.high || x == l.high && !l.below)
}

// want describes the allowed numbers of v's type.
func (l limit) want(v reflect.Value) string {
	format := func(bound float64) string { return fmt.Sprint(reflect.ValueOf(bound).Convert(v.Type())) }
	if l.between {
		return "between " + format(l.low) + " and " + format(l.high)
	}
	var want []string
	if !math.IsInf(l.low, 0) {
		want = append(want, map[bool]string{false: "at least ", true: "greater than "}[l.above]+format(l.low))
	}
	if !math.IsInf(l.high, 0) {
		want = append(want, map[bool]string{false: "at most ", true: "less than "}[l.below]+format(l.high))
	}
	return strings.Join(want, " and ")
}
