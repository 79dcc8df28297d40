package suite

import (
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/strict"
)

// A Span is a positive duration with its unit.
type Span time.Duration

// ReadValue implements strict.Reader.
func (s *Span) ReadValue(v *strict.Value) error {
	d, err := duration(v)
	if err == nil && d <= 0 {
		err = v.Errorf("%v must be positive", v)
	}
	*s = Span(d)
	return err
}

// FormSchema implements strict.Described.
func (*Span) FormSchema() strict.Schema { return strict.Words() }

// MarshalYAML implements yaml.InterfaceMarshaler.
func (s Span) MarshalYAML() (any, error) { return time.Duration(s).String(), nil }

func duration(v *strict.Value) (time.Duration, error) {
	text, err := v.Text()
	if err != nil {
		return 0, v.Errorf("%v must be a duration with its unit, such as 90s or 10m", v)
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, v.Errorf("%v must be a duration such as 90s or 10m", v)
	}
	return d, nil
}

// A size is a number of bytes, as ParseSize reads it.
type size int64

// ReadValue implements strict.Reader.
func (s *size) ReadValue(v *strict.Value) error {
	text, err := v.Text()
	if err != nil {
		text = v.String() // a number of bytes
	}
	n, err := ParseSize(text)
	if err != nil {
		return v.Errorf("%v", err)
	}
	*s = size(n)
	return nil
}

// FormSchema implements strict.Described.
func (*size) FormSchema() strict.Schema {
	return strict.OneOf(strict.Words(), strict.Schema{"type": "number", "minimum": minSize})
}

// MarshalYAML implements yaml.InterfaceMarshaler.
func (s size) MarshalYAML() (any, error) { return FormatSize(int64(s)), nil }

// ReadValue implements strict.Reader.
func (w *Window) ReadValue(v *strict.Value) error {
	var from, to bound
	if err := v.Tuple("it must be two durations, the start and a later end", &from, &to); err != nil {
		return err
	}
	w.From, w.To = time.Duration(from), time.Duration(to)
	if w.From < 0 || w.From >= w.To {
		return v.Errorf("[%v %v] must be two durations, the start and a later end", w.From, w.To)
	}
	return nil
}

// A bound of a window may be 0.
type bound time.Duration

// ReadValue implements strict.Reader.
func (b *bound) ReadValue(v *strict.Value) error {
	d, err := duration(v)
	*b = bound(d)
	return err
}

// FormSchema implements strict.Described.
func (*bound) FormSchema() strict.Schema { return strict.Words() }

// FormSchema implements strict.Described.
func (*Window) FormSchema() strict.Schema { return strict.Tuple(strict.Words(), strict.Words()) }

// IsZero says that there is none.
func (w Window) IsZero() bool { return w.To == 0 }

// MarshalYAML implements yaml.InterfaceMarshaler.
func (w Window) MarshalYAML() (any, error) { return []string{w.From.String(), w.To.String()}, nil }

// Params are numbers, texts, true and false by name.
type Params map[string]any

// ReadValue implements strict.Reader.
func (p *Params) ReadValue(v *strict.Value) error {
	var given strict.Map[scalar]
	if err := v.Into(&given); err != nil {
		return err
	}
	*p = Params{}
	for _, e := range given {
		(*p)[e.Key] = e.Value.value
	}
	return nil
}

// FormSchema implements strict.Described.
func (*Params) FormSchema() strict.Schema {
	return strict.Schema{
		"type":                 "object",
		"additionalProperties": strict.OneOf(strict.Schema{"type": "number"}, strict.Words(), strict.Schema{"type": "boolean"}),
	}
}

type scalar struct{ value any }

// ReadValue implements strict.Reader.
func (s *scalar) ReadValue(v *strict.Value) error {
	if text, err := v.Text(); err == nil {
		s.value = text
	} else if truth, err := v.Bool(); err == nil {
		s.value = truth
	} else if number, err := v.Float(); err == nil {
		s.value = number
		if text := string(v.Raw()); strict.Rounded(text, number) {
			s.value = text // as on a command line; whoever wants an integer reads it exactly
		}
	} else {
		return v.Errorf("%v must be a number, a text, true or false", v)
	}
	return nil
}

// entryFields is an Entry without its ways to be read and written.
type entryFields Entry

// ReadValue implements strict.Reader.
func (e *Entry) ReadValue(v *strict.Value) error {
	if name, err := v.Text(); err == nil { // one of the built-in ones
		e.Name = name
		return nil
	}
	if v.Keys() == nil {
		return v.Errorf("%v must be an algorithm's name or a mapping with a name", v)
	}
	if err := v.Into((*entryFields)(e)); err != nil {
		return err
	}
	if err := models.CheckName(e.Name); err != nil {
		return v.Fail("name", "%v", err)
	}
	if len(e.Command) > 0 && e.restricts() {
		return v.Errorf("the command %q takes no without, copies or preemption: these are for exact algorithms", e.Name)
	}
	if len(e.Command) > 0 && (e.Params != nil || e.Solver != "" || e.Model != "") {
		return v.Errorf("the command %q takes no params, solver or model; put options into the command", e.Name)
	}
	return nil
}

// restricts reports whether the entry restricts its algorithm.
func (e *Entry) restricts() bool { return len(e.Without) > 0 || e.Copies > 0 || e.Preemption == "no" }

// algorithm is the name of the entry's algorithm of a problem, with its restrictions.
func (e *Entry) algorithm(p *bench.Problem) (string, error) {
	if !e.restricts() {
		return e.Name, nil
	}
	without, limits := e.Without, map[string]int{}
	if e.Preemption == "no" {
		without = append(slices.Clip(without), "preemption")
	}
	if e.Copies > 0 {
		limits["copies"] = e.Copies
	}
	return p.Restricted(e.Name, without, limits)
}

// FormSchema implements strict.Described.
func (*Entry) FormSchema() strict.Schema {
	return strict.OneOf(strict.Words(), strict.Describe(entryFields{}))
}

// MarshalYAML implements yaml.InterfaceMarshaler.
func (e Entry) MarshalYAML() (any, error) {
	if e.Params == nil && len(e.Command) == 0 && e.Solver == "" && e.Model == "" && !e.restricts() {
		return e.Name, nil
	}
	return entryFields(e), nil
}

// sourceFields is a Source without its way to be read.
type sourceFields Source

var kinds = []string{"generate", "trace", "files", "library"}

// ReadValue implements strict.Reader.
func (s *Source) ReadValue(v *strict.Value) error {
	switch keys := v.Keys(); {
	case keys == nil:
	case len(keys) != 1:
		return v.Errorf("%v with %d keys, it must have one of %s", v, len(keys), strings.Join(kinds, ", "))
	case !slices.Contains(kinds, keys[0]):
		return v.Errorf("unknown field %q, it must be one of %s", keys[0], strings.Join(kinds, ", "))
	}
	return v.Into((*sourceFields)(s))
}

// FormSchema implements strict.Described.
func (*Source) FormSchema() strict.Schema {
	s := strict.Describe(sourceFields{})
	s["minProperties"], s["maxProperties"] = 1, 1
	return s
}
