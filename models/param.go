package models

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"schedgap/models/nearest"
	"schedgap/models/strict"
)

// A Param is one named option of a generator, a derivation, an algorithm or a simulator. Its type is Default's: int,
// float64, bool or string.
type Param struct {
	Name    string   `json:"name"`
	Default any      `json:"default"`
	Choices []string `json:"choices,omitempty"`
	Doc     string   `json:"doc"` // meaning and unit
	Min     float64  `json:"-"`   // of numbers
	Max     float64  `json:"-"`   // of numbers; 0 with Min 0: unbounded above
	// Was is the former name. Lineages still use it while a newer parameter of that name is 0, so that old instances keep their bytes. A
	// lineage without Name has the value under Was.
	Was string `json:"-"`
}

// Meaning is the parameter's doc with its range.
func (p *Param) Meaning() string {
	if len(p.Choices) == 0 {
		return p.Doc
	}
	return fmt.Sprintf("%s (%s)", p.Doc, strings.Join(p.Choices, ", "))
}

// Between is a number from least to most, of the type of its default.
func Between[T int | float64](name string, usual T, least, most float64, doc string) Param {
	return Param{Name: name, Default: usual, Min: least, Max: most, Doc: doc}
}

// Choice is one of some words.
func Choice(name, usual string, words []string, doc string) Param {
	return Param{Name: name, Default: usual, Choices: words, Doc: doc}
}

// Flag is a parameter that is true only if it is given.
func Flag(name, doc string) Param { return Param{Name: name, Default: false, Doc: doc} }

// Values are parameters that were resolved: every one has a value of its Default's type.
type Values map[string]any

// Fixed are the values of parameters of older versions that nobody may choose any more. Lineages and records go on naming them, so
// that the same instances and runs have the same bytes and ids. Numbers are float64.
type Fixed Values

// Drop returns stored parameters without those that are fixed. One with another value than the fixed one stays, and Resolve refuses
// it by its name.
func (f Fixed) Drop(stored map[string]any) map[string]any {
	given := maps.Clone(stored)
	maps.DeleteFunc(given, func(name string, value any) bool {
		fixed, is := f[name]
		return is && value == fixed
	})
	return given
}

// Join returns v with the fixed values.
func (f Fixed) Join(v Values) Values {
	if len(f) == 0 {
		return v
	}
	joined := maps.Clone(Values(f))
	maps.Copy(joined, v)
	return joined
}

// Recorded returns the values as lineages have them, see Param.Was.
func Recorded(params []Param, v Values) Values {
	for _, p := range params {
		if p.Was != "" && v[p.Was] == 0. {
			v = maps.Clone(v)
			v[p.Was] = v[p.Name]
			delete(v, p.Name)
		}
	}
	return v
}

// Int returns an int parameter; asking for one that was not declared as such is a programmer's mistake and panics.
func (v Values) Int(name string) int { return v[name].(int) }

// Float returns a float64 parameter.
func (v Values) Float(name string) float64 { return v[name].(float64) }

// Text returns a string parameter.
func (v Values) Text(name string) string { return v[name].(string) }

// Bool returns a bool parameter.
func (v Values) Bool(name string) bool { return v[name].(bool) }

// Read fills in the fields of the struct that to points to: each by the value that its tag names, such as param:"launch", or of a
// text, such as param:"kill=surplus", by whether it is that word. Tags that name no value of the field's type are a programmer's
// mistake.
func (v Values) Read(to any) {
	s := reflect.ValueOf(to).Elem()
	for i := range s.NumField() {
		if name, word, is := strings.Cut(s.Type().Field(i).Tag.Get("param"), "="); is {
			s.Field(i).SetBool(v.Text(name) == word)
		} else if name != "" {
			s.Field(i).Set(reflect.ValueOf(v[name]))
		}
	}
}

// AtMost is the error of pairs of numbers in which the first is more than the second.
func (v Values) AtMost(pairs ...string) error {
	float := func(x any) float64 {
		if n, whole := x.(int); whole {
			return float64(n)
		}
		return x.(float64)
	}
	for ; len(pairs) > 1; pairs = pairs[2:] {
		if least, most := v[pairs[0]], v[pairs[1]]; float(least) > float(most) {
			return fmt.Errorf("parameter %s: %v must be at most %s, %v", pairs[0], least, pairs[1], most)
		}
	}
	return nil
}

// Defaults returns the values when nothing is given.
func Defaults(params []Param) Values {
	v := Values{}
	for _, p := range params {
		v[p.Name] = p.Default
	}
	return v
}

// Resolve checks the given values, typed ones from a suite or texts from a command line, against params and fills in the
// defaults. An unknown name, a value of another type and one out of range are errors that name the parameter.
func Resolve(params []Param, given map[string]any) (Values, error) {
	v := Defaults(params)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		i := slices.IndexFunc(params, func(p Param) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("value %v: %w", given[name], nearest.Unknown("parameter", name, names(params)))
		}
		val, err := params[i].convert(given[name])
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", name, err)
		}
		v[name] = val
	}
	return v, nil
}

// ParseAssignments reads key=value texts; a key given twice is an error.
func ParseAssignments(texts []string) (map[string]any, error) {
	given := map[string]any{}
	for _, t := range texts {
		key, val, ok := strings.Cut(t, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("parameter %q must have the form key=value", t)
		}
		if _, twice := given[key]; twice {
			return nil, fmt.Errorf("parameter %s is given twice", key)
		}
		given[key] = val
	}
	return given, nil
}

func names(params []Param) []string {
	list := make([]string, len(params))
	for i, p := range params {
		list[i] = p.Name
	}
	return list
}

func (p Param) convert(given any) (any, error) {
	switch p.Default.(type) {
	case int:
		f, err := number(given)
		if err != nil {
			return nil, err
		}
		if err := p.inRange(f, given); err != nil {
			return nil, err
		}
		switch n, whole := strict.Whole(text(given)); {
		case whole && -mostInteger <= n && n <= mostInteger:
			return int(n), nil
		case whole || math.Abs(f) > mostInteger:
			return nil, fmt.Errorf("%v is too large for an integer", given)
		}
		return nil, fmt.Errorf("%v must be an integer", given)
	case float64:
		f, err := number(given)
		if err != nil {
			return nil, err
		}
		return f, p.inRange(f, given)
	case bool:
		switch g := given.(type) {
		case bool:
			return g, nil
		case string:
			if b, err := strconv.ParseBool(g); err == nil {
				return b, nil
			}
		}
		return nil, fmt.Errorf("%v must be true or false", given)
	}
	s, ok := given.(string)
	if !ok {
		if _, err := number(given); err != nil { // a text may look like a number, such as the alpha of pocd, which may be inf
			return nil, fmt.Errorf("%v must be a text", given)
		}
		s = text(given)
	}
	if len(p.Choices) > 0 && !slices.Contains(p.Choices, s) {
		return nil, fmt.Errorf("%q must be one of %s", s, strings.Join(p.Choices, ", "))
	}
	return s, nil
}

// mostInteger is the largest integer of a parameter, as of a file: most tools hold JSON numbers as float64.
const mostInteger = 1 << 53

// inRange is an error unless f, the number given, keeps the limits.
func (p Param) inRange(f float64, given any) error {
	switch {
	case f < p.Min:
		return fmt.Errorf("%v must be at least %v", given, p.Min)
	case (p.Max != 0 || p.Min < 0) && f > p.Max:
		return fmt.Errorf("%v must be at most %v", given, p.Max)
	}
	return nil
}

// text is a number as it was given.
func text(given any) string {
	if f, ok := given.(float64); ok {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return fmt.Sprint(given)
}

func number(given any) (float64, error) {
	var f float64
	switch g := given.(type) {
	case float64:
		f = g
	case int:
		f = float64(g)
	case int64:
		f = float64(g)
	case uint64:
		f = float64(g)
	case string:
		var err error
		f, err = strconv.ParseFloat(g, 64)
		if err != nil {
			return 0, fmt.Errorf("%q must be a number", g)
		}
	default:
		return 0, fmt.Errorf("%v must be a number", given)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, fmt.Errorf("%v must be a finite number", given)
	}
	return f, nil
}
