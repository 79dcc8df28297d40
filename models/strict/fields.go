package strict

import (
	"fmt"
	"iter"
	"math"
	"strings"
)

// Fields are an object's fields, to be read one after the other. The document remembers its first error, after which every required
// field reads as a zero value and every list ends, so that a decoder reads like a schema:
//
//	func decodeTask(f strict.Fields) Task {
//		return Task{ID: f.ID("id"), Beta: f.Float("beta", strict.Above(0)), Straggler: f.Bool("straggler")}
//	}
//
// Whoever calls a decoder for a whole document asks Done for the first error.
type Fields struct {
	*Object
	id *identity // of an element of a list whose ids must differ, else nil
}

// An identity is the identifier of an object with its key.
type identity struct{ key, id string }

// An Item is a value of Fields: an element of an array, or a field of an object that serves as a map.
type Item struct{ Value }

// fail keeps the first error of the document.
func (d *document) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

// Err returns the document's first error.
func (f Fields) Err() error { return f.doc.err }

// Fail says what is wrong with a field, or with the object if it has none of that name.
func (f Fields) Fail(key, format string, args ...any) {
	if f.doc.err == nil {
		v := f.Object.Get(key)
		if v == nil {
			v = f.Value
		}
		v.doc.fail(v.Errorf(format, args...))
	}
}

// Done returns the document's first error, which may be that this object has a field that nobody asked for.
func (f Fields) Done() error {
	if f.doc.err == nil {
		f.doc.fail(f.Object.Done())
	}
	return f.doc.err
}

// Self is the object itself.
func (f Fields) Self() Item { return Item{*f.Value} }

// Has reports whether there is a field of that name.
func (f Fields) Has(key string) bool { return f.find(key) >= 0 }

// Item is a required field of any sort; after an error any value, which nobody looks at.
func (f Fields) Item(key string) Item {
	if f.doc.err != nil {
		return f.Self()
	}
	i := f.find(key)
	if i < 0 {
		_, err := f.Need(key)
		f.doc.fail(err)
		return f.Self()
	}
	f.fields[i].used = true
	at := &f.fields[i]
	return Item{Value{doc: f.doc, in: f.Value, key: at.key, at: at.at, end: at.end}}
}

// Text is a required string field.
func (f Fields) Text(key string) string { return f.Item(key).Text() }

// ID is a required identifier field; see Unique.
func (f Fields) ID(key string) string {
	id := f.Item(key).ID()
	if f.id != nil {
		*f.id = identity{key, id}
	}
	return id
}

// Bool is a required field, true or false.
func (f Fields) Bool(key string) bool { return f.Item(key).Bool() }

// Float is a required number field within limits.
func (f Fields) Float(key string, limits ...Limit) float64 { return f.Item(key).Float(limits...) }

// Int is a required integer field within limits.
func (f Fields) Int(key string, limits ...Limit) int { return f.Item(key).Int(limits...) }

// TextOr is a string field, or def when it is absent.
func (f Fields) TextOr(key, def string) string {
	if !f.Has(key) {
		return def
	}
	return f.Text(key)
}

// BoolOr is a field that is true or false, or def when it is absent.
func (f Fields) BoolOr(key string, def bool) bool {
	if !f.Has(key) {
		return def
	}
	return f.Bool(key)
}

// FloatOr is a number field within limits, or def when it is absent.
func (f Fields) FloatOr(key string, def float64, limits ...Limit) float64 {
	if !f.Has(key) {
		return def
	}
	return f.Float(key, limits...)
}

// IntOr is an integer field within limits, or def when it is absent.
func (f Fields) IntOr(key string, def int, limits ...Limit) int {
	if !f.Has(key) {
		return def
	}
	return f.Int(key, limits...)
}

// Map is a required field: an object whose keys are data.
func (f Fields) Map(key string) iter.Seq2[string, Item] { return f.Item(key).Map() }

// Array is a required field: an array that keeps the rules, of which Unique has no meaning here.
func (f Fields) Array(key string, rules ...Rule) Items {
	list := f.Item(key).Array()
	if list.n == 0 && has(rules, NotEmpty) {
		f.Fail(key, "the list of %s must not be empty", key)
	}
	return list
}

// Fail says what is wrong with the value.
func (i Item) Fail(format string, args ...any) {
	if i.doc.err == nil {
		i.doc.fail(i.Errorf(format, args...))
	}
}

// take keeps the error, if any, with which content was read; after an error content is zero.
func take[T any](d *document, content T, err error) T {
	if err != nil {
		d.fail(err)
	}
	if d.err != nil {
		var zero T
		return zero
	}
	return content
}

func (i Item) String() string { return i.Value.String() }

// IsObject reports whether the value is an object.
func (i Item) IsObject() bool { return i.kind() == '{' }

// IsText reports whether the value is a string.
func (i Item) IsText() bool { return i.kind() == '"' }

// Text is the value as a string.
func (i Item) Text() string {
	s, err := i.Value.Text()
	return take(i.doc, s, err)
}

// ID is the value as an identifier.
func (i Item) ID() string {
	s, err := i.Value.ID()
	return take(i.doc, s, err)
}

// Bool is the value as true or false.
func (i Item) Bool() bool {
	b, err := i.Value.Bool()
	return take(i.doc, b, err)
}

// Float is the value as a number within limits.
func (i Item) Float(limits ...Limit) float64 {
	x, err := i.Value.Float()
	return limited(&i.Value, take(i.doc, x, err), limits)
}

// Int is the value as an integer within limits.
func (i Item) Int(limits ...Limit) int {
	n, err := i.Value.Int()
	return limited(&i.Value, take(i.doc, n, err), limits)
}

// Array is the value as an array.
func (i Item) Array() Items {
	items := Items{Value: &Value{doc: i.doc, in: i.in, key: i.key, at: i.at, end: i.end}}
	if i.doc.err != nil {
		return items
	}
	if i.kind() != '[' {
		i.Fail("must be an array, not %v", i)
		return items
	}
	for at, more := first(i.doc.data, i.at); more; at, more = next(i.doc.data, skip(i.doc.data, at)) {
		items.n++
	}
	return items
}

// Fields is the value as an object.
func (i Item) Fields() Fields {
	v := &Value{doc: i.doc, in: i.in, key: i.key, at: i.at, end: i.end}
	if v.doc.err == nil {
		o, err := v.Object()
		if err == nil {
			return Fields{Object: o}
		}
		v.doc.fail(err)
	}
	return Fields{Object: &Object{Value: v}}
}

// Map returns the value as an object whose keys are data, in file order.
func (i Item) Map() iter.Seq2[string, Item] {
	return func(yield func(string, Item) bool) { i.Fields().each(yield) }
}

func (f Fields) each(yield func(string, Item) bool) {
	for k, at := range f.fields {
		item := Item{Value{doc: f.doc, in: f.Value, key: at.key, at: at.at, end: at.end}}
		if f.doc.err != nil || !yield(f.name(k), item) {
			return
		}
	}
}

// Items are the elements of an array.
type Items struct {
	*Value
	n int
}

// Len returns the number of elements.
func (a Items) Len() int { return a.n }

// All returns the elements with their indices, up to the first error.
func (a Items) All() iter.Seq2[int, Item] {
	return func(yield func(int, Item) bool) { a.each(yield) }
}

func (a Items) each(yield func(int, Item) bool) {
	if a.n == 0 {
		return
	}
	data, i := a.doc.data, 0
	for at, more := first(data, a.at); more && a.doc.err == nil; i++ {
		end := skip(data, at)
		if !yield(i, Item{Value{doc: a.doc, in: a.Value, key: i, at: at, end: end}}) {
			return
		}
		at, more = next(data, end)
	}
}

// Elements returns the elements of an array that is known to be short.
func (a Items) Elements() []Item {
	list := make([]Item, 0, a.n)
	for _, v := range a.All() {
		list = append(list, v)
	}
	return list
}

// A Rule is what the elements of an array keep.
type Rule int8

const (
	// NotEmpty wants at least one element.
	NotEmpty Rule = iota
	// Unique wants the ids that the decoder of the elements reads to differ.
	Unique
)

func has(rules []Rule, r Rule) bool {
	for _, rule := range rules {
		if rule == r {
			return true
		}
	}
	return false
}

// List reads a required array of objects that keep the rules, and no fields but those that decode reads.
func List[T any](f Fields, key string, decode func(Fields) T, rules ...Rule) []T {
	items := f.Array(key, rules...)
	list := make([]T, items.n)
	var seen map[string]int
	var named *identity
	if has(rules, Unique) {
		seen, named = make(map[string]int), new(identity)
	}
	for k, item := range items.All() {
		e := item.Fields()
		e.id = named
		list[k] = decode(e)
		if e.Done() != nil || seen == nil {
			continue
		}
		if first, twice := seen[named.id]; twice {
			e.Fail(named.key, "%q is also the id of %s[%d]%s", named.id, key, first, f.owner())
		}
		seen[named.id] = k
	}
	return list
}

// owner says whose the object's lists are, as in: tasks[3] of this job.
func (f Fields) owner() string {
	if f.in == nil || f.in.kind() != '[' {
		return ""
	}
	path := f.in.Path()
	return " of this " + strings.TrimSuffix(path[strings.LastIndexByte(path, '.')+1:], "s")
}

// Nested reads an object, which has no fields but those that decode reads.
func Nested[T any](i Item, decode func(Fields) T) T {
	f := i.Fields()
	content := decode(f)
	_ = f.Done() // the document remembers it
	return content
}

// Values reads a required array, each element by itself.
func Values[T any](f Fields, key string, decode func(Item) T, rules ...Rule) []T {
	items := f.Array(key, rules...)
	list := make([]T, items.n)
	for k, item := range items.All() {
		list[k] = decode(item)
	}
	return list
}

// Index returns the place of every id in a list.
func Index[T any](list []T, id func(*T) string) map[string]int {
	index := make(map[string]int, len(list))
	for k := range list {
		index[id(&list[k])] = k
	}
	return index
}

// A Limit is what a number must keep.
type Limit struct {
	low, high    float64 // infinite: none
	above, below bool    // low and high themselves are out
	between      bool    // how a message says it
}

// AtLeast wants a number ≥ low.
func AtLeast(low float64) Limit { return Limit{low: low, high: math.Inf(1)} }

// Above wants a number > low.
func Above(low float64) Limit { return Limit{low: low, high: math.Inf(1), above: true} }

// AtMost wants a number ≤ high.
func AtMost(high float64) Limit { return Limit{low: math.Inf(-1), high: high} }

// Below wants a number < high.
func Below(high float64) Limit { return Limit{low: math.Inf(-1), high: high, below: true} }

// Between wants a number from low to high.
func Between(low, high float64) Limit { return Limit{low: low, high: high, between: true} }

// And wants what two limits want, in one sentence.
func (l Limit) And(m Limit) Limit {
	return Limit{low: l.low, above: l.above, high: m.high, below: m.below}
}

func (l Limit) keeps(x float64) bool {
	return (x > l.low || x == l.low && !l.above) && (x < l.high || x == l.high && !l.below)
}

// want says what a number must be; format writes its bounds.
func (l Limit) want(format func(float64) string) string {
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

// limited is x, which was read from v, or zero where it is out of limits.
func limited[N int | float64](v *Value, x N, limits []Limit) N {
	for _, l := range limits {
		if v.doc.err == nil && !l.keeps(float64(x)) {
			format := func(bound float64) string { return fmt.Sprint(N(bound)) }
			v.doc.fail(v.Errorf("%v must be %s", x, l.want(format)))
			return 0
		}
	}
	return x
}
