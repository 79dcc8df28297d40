package models

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
)

// Moves take the instances of a problem apart, for small changes in searches among instances and
// simplification. They change a draft, which is valid only once its file was read again.
type Moves[I Instance] struct {
	// Parts are the changeable parts of a draft. A change of a list makes them stale.
	Parts func(draft I) Parts
	// Mend brings a changed draft back towards validity where one number bounds another; nil func: nothing does.
	Mend func(draft I)
	// Start are the generator's parameters for small instances with which a search begins, where its defaults are larger.
	Start map[string]any
	// Jobs is the generator's parameter that counts the elements of the first list.
	Jobs string
}

// Parts are the changeable parts of a draft. The objective and the rules are not among them: metric, aggregate, α, regime,
// multitasking, speed.
type Parts struct {
	Lists   []List // that of the jobs first
	Numbers []Number
	Changes []Change // that neither lists nor numbers express, such as edges of a graph
}

// A Number is one number of a draft.
type Number struct {
	Path string // as in the instance file, such as jobs[2].work
	Kind string // numbers of one kind may change places
	Unit string // numbers of one unit may be multiplied together; empty: it has none
	// Least and Most bound the values worth trying; the validator may allow more.
	Least, Most float64
	Integer     bool
	// Idle says that the objective does not look at it, so that only simplification has a use for it.
	Idle    bool
	Default *float64 // that it has where the file leaves it out; nil: it must be there
	Get     func() float64
	Set     func(v float64)
}

// A List is one list of a draft.
type List struct {
	Path string // such as jobs or jobs[1].phases
	Kind string // such as jobs or phases
	Len  func() int
	Drop func(i int)
	Copy func(i int) // the copy comes right behind
	Swap func(i, j int)
	// Split makes two elements of one, the first with a share of the work, and Merge makes one of two. Nil means undefined.
	Split func(i int, share float64)
	Merge func(i, j int)
	// Rename gives the elements ids that count them; nil: they have none.
	Rename func()
}

// A Change is a change at random.
type Change struct {
	Name string
	Do   func(rng *rand.Rand)
}

// Copy returns a deep copy of an instance, with another header, for its moves.
func Copy[I Instance](in I, h Header) I {
	c := deep(reflect.ValueOf(in))
	c.Elem().FieldByName("Header").Set(reflect.ValueOf(h))
	return c.Interface().(I)
}

// deep copies what pointers, slices and exported fields lead to.
func deep(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			c.Set(reflect.New(v.Type().Elem()))
			c.Elem().Set(deep(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			c.Index(i).Set(deep(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := c.Field(i); field.CanSet() {
				field.Set(deep(v.Field(i)))
			}
		}
	}
	return c
}

// ListOf is the list of the elements of s, whose ids are their fields ID. New ids begin with prefix.
func ListOf[T any](path, kind, prefix string, s *[]T) List {
	id := func(e *T) *string { return reflect.ValueOf(e).Elem().FieldByName("ID").Addr().Interface().(*string) }
	return List{
		Path: path, Kind: kind,
		Len:  func() int { return len(*s) },
		Drop: func(i int) { *s = slices.Delete(*s, i, i+1) },
		Swap: func(i, j int) { (*s)[i], (*s)[j] = (*s)[j], (*s)[i] },
		Rename: func() {
			for i := range *s {
				*id(&(*s)[i]) = fmt.Sprint(prefix, i+1)
			}
		},
		Copy: func(i int) {
			c := deep(reflect.ValueOf((*s)[i])).Interface().(T)
			for n := 1; ; n++ {
				name := fmt.Sprint(prefix, n)
				if !slices.ContainsFunc(*s, func(e T) bool { return *id(&e) == name }) {
					*id(&c) = name
					break
				}
			}
			*s = slices.Insert(*s, i+1, c)
		},
	}
}

// A Numeric is the type of a field that a Number may stand for.
type Numeric interface{ ~int | ~float64 }

// NumberOf is the number at v.
func NumberOf[T Numeric](path, kind, unit string, v *T, least, most float64) Number {
	_, integer := any(*v).(int)
	return Number{
		Path: path, Kind: kind, Unit: unit, Least: least, Most: most, Integer: integer,
		Get: func() float64 { return float64(*v) },
		Set: func(x float64) { *v = T(x) },
	}
}

// Or sets the number for files that leave it out.
func (n Number) Or(value float64) Number {
	n.Default = &value
	return n
}
