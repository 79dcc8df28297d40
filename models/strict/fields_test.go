package strict_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"schedgap/models/fail"
	"schedgap/models/strict"
)

type document struct {
	Owners []owner               `json:"owners"`
	Names  strict.Map[[]float64] `json:"names" is:"1..1e100"`
}

type owner struct {
	Parts []part `json:"parts" is:"some" doc:"what it has"`
}

type part struct {
	ID    string  `json:"id" is:"id,unique"`
	Share float64 `json:"share" is:">=0 <1"`
	Count int     `json:"count" is:">=1,<=1000000000" default:"7"`
	Kind  string  `json:"kind,omitempty" words:"a|b|c"`
	Grade *int    `json:"grade,omitempty"`
}

// Of several mistakes the first one of the file is named, a missing field at the end of its object, and what follows it is not
// read.
func TestFields(t *testing.T) {
	for text, want := range map[string]string{
		`{"owners":[{"parts":[{"id":"a","share":0.5},{"id":"b","share":0,"count":2.0}]}],"names":{"x":[1,2]}}`: "",

		`{"owners":[],"names":{"x":[]}}`:        "",
		`{"owners":[],"names":{"x":[1,"2",0]}}`: `f: names.x[1]: must be a number, not "2"`,
		`{"owners":[],"names":{"x":[1,0,"2"]}}`: "f: names.x[1]: 0 must be between 1 and 1e+100",
		`{"owners":[],"names":[]}`:              "f: names: must be a JSON object, not an array",
		`{"owners":[],"names":{},"more":1}`:     "f: more: unknown field (value 1)",
		`{"names":{"x":[1]},"owners":1}`:        "f: owners: must be an array, not 1",
		`{"names":{"x":[1]}}`:                   "f: owners: required field is missing",
		`{"owners":[{"parts":[]}]}`: "f: owners[0].parts: the list of parts must not be " +
			"empty",
		`{"owners":[{"parts":[{"id":"a","share":1}]}]}`: "f: owners[0].parts[0].share: 1 must be at least 0 " +
			"and less than 1",
		`{"owners":[{"parts":[{"id":"a","share":0,"count":0}]}]}`: "f: owners[0].parts[0].count: 0 must be at least 1",
		`{"owners":[{"parts":[{"id":"a","share":0,"count":1000000001}]}]}`: "f: owners[0].parts[0].count: 1000000001 must be at " +
			"most 1000000000",
		`{"owners":[{"parts":[{"id":"a","share":0,"kind":"d"}]}]}`: `f: owners[0].parts[0].kind: "d" must be a, b or c`,
		`{"owners":[{"parts":[{"id":"a","share":0,"grade":null}]}]}`: "f: owners[0].parts[0].grade: must be a number, not " +
			"null",
		`{"owners":[{"parts":null}]}`:                                        "f: owners[0].parts: must be an array, not null",
		`{"owners":[{"parts":[{"id":"a","share":0,"counts":1}],"x":2}]}`:     "f: owners[0].parts[0].counts: unknown field (value 1)",
		`{"owners":[{"parts":[{"id":"a","share":0}],"x":2},{}]}`:             "f: owners[0].x: unknown field (value 2)",
		`{"owners":[{"parts":[{"id":"a","share":0},{"id":"a","share":0}]}]}`: `f: owners[0].parts[1].id: "a" is also the id of parts[0] of this owner`,
		`{"owners":[{"parts":[{"id":"a","share":0},{"id":"a","share":true}]}]}`: "f: owners[0].parts[1].share: must be a number, not " +
			"true",
		`{"owners":[{"parts":[{"id":"a:b","share":2}]}],"names":1}`: `f: owners[0].parts[0].id: "a:b" is not an identifier: ` +
			"it must be non-empty and free of commas, colons and white space",
	} {
		var d document
		f, err := strict.Open("f", []byte(text))
		fail.On(t, err)
		f.Read(&d)
		var sum float64
		for _, e := range d.Names {
			for _, x := range e.Value {
				sum += x
			}
		}
		err = f.Err()
		if err != nil {
			if err.Error() != want {
				t.Errorf("%s:\n got %v\nwant %s", text, err, want)
			}
			var more part
			if f.Read(&more) || more != (part{}) || f.Err() != err {
				t.Errorf("%s: read on after %v", text, err)
			}
		} else if want != "" {
			t.Errorf("%s: accepted, want %s", text, want)
		} else if len(d.Owners) > 0 && (d.Owners[0].Parts[0].Count != 7 || d.Owners[0].Parts[1] != part{ID: "b", Count: 2} ||
			sum != 3) {
			t.Errorf("%s: read as %v, %v", text, d, sum)
		}
	}
}

// The schema says what reading wants.
func TestSchema(t *testing.T) {
	got, err := strict.Describe(document{}).File("d", "")
	fail.On(t, err)
	const want = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "additionalProperties": false,
  "description": "",
  "properties": {
    "owners": {
      "items": {
        "additionalProperties": false,
        "properties": {
          "parts": {
            "description": "what it has",
            "items": {
              "additionalProperties": false,
              "properties": {
                "id": {
                  "pattern": "^[^,:\\s]+$",
                  "type": "string"
                },
                "share": {
                  "exclusiveMaximum": 1,
                  "minimum": 0,
                  "type": "number"
                },
                "count": {
                  "default": 7,
                  "maximum": 1000000000,
                  "minimum": 1,
                  "type": "integer"
                },
                "kind": {
                  "enum": [
                    "a",
                    "b",
                    "c"
                  ],
                  "type": "string"
                },
                "grade": {
                  "type": "integer"
                }
              },
              "required": [
                "id",
                "share"
              ],
              "type": "object"
            },
            "minItems": 1,
            "type": "array"
          }
        },
        "required": [
          "parts"
        ],
        "type": "object"
      },
      "type": "array"
    },
    "names": {
      "additionalProperties": {
        "items": {
          "maximum": 1e+100,
          "minimum": 1,
          "type": "number"
        },
        "type": "array"
      },
      "type": "object"
    }
  },
  "required": [
    "owners",
    "names"
  ],
  "title": "d",
  "type": "object"
}
`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
}

type resources struct {
	ID  string              `json:"id"`
	Of  strict.Map[float64] `json:"-" is:"rest,>=0"`
	Max int                 `json:"max"`
}

// A Map of the rest has the keys that are no field's, wherever they stand.
func TestRest(t *testing.T) {
	for text, want := range map[string]string{
		`{"cpu":2,"id":"a","mem":3,"max":4}`:  "",
		`{"cpu":2,"id":"a","mem":3}`:          "f: max: required field is missing",
		`{"cpu":2,"id":"a","mem":-3,"max":4}`: "f: mem: -3 must be at least 0",
	} {
		var r resources
		_, err := strict.Read("f", []byte(text), &r)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %q", text, err, want)
		} else if d := cmp.Diff(resources{"a", strict.Map[float64]{{"cpu", 2}, {"mem", 3}}, 4}, r); err == nil && d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
}

// The head of a file is read before the rest, wherever it stands, and is no part of it.
func TestHead(t *testing.T) {
	for text, want := range map[string]string{
		`{"max":4,"cpu":2,"id":"a"}`:          "",
		`{"id":"a","max":4}`:                  "f: cpu: required field is missing",
		`{"id":"a","cpu":2,"gpu":1}`:          "f: max: required field is missing",
		`{"id":1,"cpu":2,"gpu":1}`:            `f: id: must be a string, not 1`,
		`{"id":"a","cpu":{"id":"b"},"max":1}`: "f: cpu: must be a number, not an object",
		`{"id":"a","cpu":1,"max":1,"m":[1]}`:  "f: m: unknown field (value an array)",
	} {
		var head struct {
			ID string `json:"id"`
		}
		var rest struct {
			CPU float64 `json:"cpu"`
			Max int     `json:"max"`
		}
		f, err := strict.Open("f", []byte(text))
		fail.On(t, err)
		f.Head(&head)
		f.Read(&rest)
		if err := f.Err(); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %q", text, err, want)
		} else if err == nil && (head.ID != "a" || rest.CPU != 2 || rest.Max != 4) {
			t.Errorf("%s: %v %v", text, head, rest)
		}
	}
}

// Proofs have lists and values that are null, and integers of 64 bits.
func TestDecode(t *testing.T) {
	type line struct {
		Big   int      `json:"big"`
		List  []int    `json:"list"`
		Value *float64 `json:"value"`
	}
	for text, want := range map[string]string{
		`{"big":9007199254740993,"list":null,"value":null}`:  "",
		`{"big":9223372036854775808,"list":[],"value":null}`: "big: 9223372036854775808 is no integer of 64 bits",
		`{"big":1.0,"list":[],"value":null}`:                 "big: 1.0 is no integer of 64 bits",
		`{"big":"1","list":[],"value":null}`:                 `big: must be an integer, not "1"`,
		`{"big":1,"list":[]}`:                                "value: required field is missing",
		`{"big":1,"list":[],"value":1,"Value":2}`:            "Value: unknown field (value 2)",
	} {
		var l line
		if err := strict.Decode([]byte(text), &l); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v, want %q", text, err, want)
		} else if err == nil && (l.Big != 9007199254740993 || l.List != nil || l.Value != nil) {
			t.Errorf("%s: %v", text, l)
		}
	}
}

// What is written has its keys in order, and the fields of several values in one object.
func TestJoin(t *testing.T) {
	r := resources{ID: "<a>", Of: strict.Map[float64]{{"mem", 3}, {"cpu", 2}}}
	got, err := strict.Join(r, r.Of, strict.Map[int]{}, strict.MapOf(map[string]strict.List[int]{"z": strict.ListOf([]int{1}), "y": {}}))
	if want := `{"id":"\u003ca\u003e","max":0,"mem":3,"cpu":2,"y":[],"z":[1]}`; err != nil || string(got) != want {
		t.Errorf("%v\n got %s\nwant %s", err, got, want)
	}
	if _, err := strict.Join(r, 7); err == nil {
		t.Error("a number is no object")
	}
}

// Both ways of writing agree on whatever a struct may hold, and what is too long is not written to its end.
func TestJoinAsMarshal(t *testing.T) {
	type inner struct {
		A float64  `json:"a"`
		B *float64 `json:"b,omitempty"`
		C []string `json:"c"`
	}
	type outer struct {
		inner
		D json.RawMessage   `json:"d,omitempty"`
		E map[string]int    `json:"e"`
		F any               `json:"f"`
		G []inner           `json:"g,omitempty"`
		H [2]bool           `json:"h"`
		I []byte            `json:"i"`
		J strict.Map[inner] `json:"j"`
		K int64             `json:"k,omitempty"`
		L uint64            `json:"l"`
		M int32             `json:"m"`
		N float64           `json:"-"`
		o int
	}
	rng := rand.New(rand.NewPCG(1, 2))
	number := func() float64 {
		if rng.IntN(4) == 0 {
			return float64(rng.IntN(9) - 4)
		}
		return (rng.Float64() - 0.5) * math.Pow(10, float64(rng.IntN(600)-300))
	}
	text := func() string { return string([]rune("a<>&\"\\\n\u2028\x7f\ufffdé\x00 ~")[rng.IntN(12):]) }
	part := func() inner {
		return inner{number(), []*float64{nil, new(number())}[rng.IntN(2)], [][]string{nil, {}, {text(), ""}}[rng.IntN(3)]}
	}
	for range 2000 {
		v := outer{
			inner: part(), D: []json.RawMessage{nil, json.RawMessage(`{"x": [1,  2]}`)}[rng.IntN(2)], E: map[string]int{text(): 1},
			F: []any{nil, number(), part(), &inner{}, text()}[rng.IntN(5)], G: [][]inner{nil, {}, {part(), part()}}[rng.IntN(3)],
			I: []byte("bytes"), J: strict.Map[inner]{{Key: text(), Value: part()}}, K: rng.Int64N(2), L: rng.Uint64(), M: -1, o: 1,
		}
		want, err := json.Marshal(v)
		fail.On(t, err)
		if got, err := strict.Join(v); err != nil || string(got) != string(want) {
			t.Fatalf("%v\n got %s\nwant %s", err, got, want)
		}
	}
	bad := new(json.UnsupportedValueError)
	if _, err := strict.Join(outer{F: math.NaN()}); !errors.As(err, &bad) {
		t.Errorf("%v", err)
	}
	asked := 0
	endless := struct {
		List strict.List[int] `json:"list"`
	}{strict.List[int]{Len: math.MaxInt, Item: func(i int, e *int) { *e, asked = i, i }}}
	if _, err := strict.JoinUpTo(1000, endless); !errors.Is(err, strict.ErrLong) || asked > 1000 {
		t.Errorf("%v after %d elements", err, asked)
	}
}

// A grade is read by itself: the length of a text.
type grade int

func (g *grade) ReadValue(v *strict.Value) error {
	s, err := v.Text()
	*g = grade(len(s))
	return err
}

type half float64

func (h *half) ReadValue(v *strict.Value) error {
	x, err := v.Float()
	*h = half(x / 2)
	return err
}

type pair struct{ a, b int }

func (p *pair) ReadValue(v *strict.Value) error { return v.Tuple("must be a pair", &p.a, &p.b) }

type keys []string

func (k *keys) ReadValue(v *strict.Value) error {
	*k = v.Keys()
	return nil
}

type embedded struct {
	E int `json:"e,omitempty" is:">0"`
}

type kinds struct {
	First *int `json:"first,omitempty"`
	embedded
	Grade grade                           `json:"grade,omitempty" is:">=2"`
	Half  half                            `json:"half,omitempty" is:">=1"`
	Pair  pair                            `json:"pair,omitempty"`
	Keys  keys                            `json:"keys,omitempty"`
	Raw   json.RawMessage                 `json:"raw,omitempty"`
	Seed  uint64                          `json:"seed,omitempty"`
	Two   [2]int                          `json:"two,omitempty"`
	Bool  bool                            `json:"bool,omitempty"`
	Map   strict.Map[int]                 `json:"map,omitempty"`
	Rests strict.List[resources]          `json:"rests,omitempty"`
	List  strict.List[struct{ embedded }] `json:"list,omitempty"`
}

// Values of every kind are read or named; a list's element has nothing of the one before it, and a map nothing that it had.
func TestKinds(t *testing.T) {
	one := 1
	for text, want := range map[string]struct {
		k     kinds
		fault string
	}{
		`{"first":1,"e":3}`:            {k: kinds{First: &one, embedded: embedded{3}}},
		`{"e":0}`:                      {fault: "f: e: 0 must be greater than 0"},
		`{"grade":"abc","half":3}`:     {k: kinds{Grade: 3, Half: 1.5}},
		`{"grade":"a"}`:                {fault: "f: grade: 1 must be at least 2"},
		`{"grade":1}`:                  {fault: "f: grade: must be a string, not 1"},
		`{"half":1}`:                   {fault: "f: half: 0.5 must be at least 1"},
		`{"half":"x"}`:                 {fault: `f: half: must be a number, not "x"`},
		`{"pair":[1,2]}`:               {k: kinds{Pair: pair{1, 2}}},
		`{"pair":[1]}`:                 {fault: "f: pair: must be a pair, not 1"},
		`{"pair":[1,2,3]}`:             {fault: "f: pair: must be a pair, not 3"},
		`{"pair":[1,"2"]}`:             {fault: `f: pair[1]: must be a number, not "2"`},
		`{"keys":{"b":1,"a":[]}}`:      {k: kinds{Keys: keys{"b", "a"}}},
		`{"keys":1}`:                   {},
		`{"raw":{"x":1}}`:              {k: kinds{Raw: json.RawMessage(`{"x":1}`)}},
		`{"raw":1}`:                    {fault: "f: raw: must be a JSON object, not 1"},
		`{"seed":9223372036854775807}`: {k: kinds{Seed: math.MaxInt64}},
		`{"seed":0}`:                   {},
		`{"seed":-1}`:                  {fault: "f: seed: -1 must not be negative"},
		`{"two":[1,2]}`:                {k: kinds{Two: [2]int{1, 2}}},
		`{"two":[1]}`:                  {fault: "f: two: must have 2 elements, not 1"},
		`{"two":[1,2,3]}`:              {fault: "f: two: must have 2 elements, not 3"},
		`{"bool":true}`:                {k: kinds{Bool: true}},
		`{"bool":false}`:               {},
		`{"bool":1}`:                   {fault: "f: bool: must be true or false, not 1"},
		`{"map":{}}`:                   {k: kinds{Map: strict.Map[int]{}}},
	} {
		var got kinds
		_, err := strict.Read("f", []byte(text), &got)
		if (err != nil) != (want.fault != "") || err != nil && err.Error() != want.fault {
			t.Errorf("%s: %v, want %q", text, err, want.fault)
		} else if d := cmp.Diff(want.k, got, cmp.AllowUnexported(kinds{}, pair{}), cmpopts.IgnoreFields(kinds{}, "Rests", "List")); err == nil && d != "" {
			t.Errorf("%s: %s", text, d)
		}
	}
	k := kinds{Map: strict.Map[int]{{Key: "old", Value: 1}}}
	var rests []int
	var list []int
	k.Rests.Each = func(_ int, r *resources) { rests = append(rests, len(r.Of)) }
	k.List.Each = func(_ int, e *struct{ embedded }) { list = append(list, e.E) }
	_, err := strict.Read("f", []byte(`{"map":{"new":2},"rests":[{"id":"a","max":1,"x":1},{"id":"b","max":1}],"list":[{"e":1},{}]}`), &k)
	if d := cmp.Diff([]any{strict.Map[int]{{Key: "new", Value: 2}}, []int{1, 0}, []int{1, 0}}, []any{k.Map, rests, list}); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
	var some []bool
	null := struct {
		List strict.List[*int] `json:"list"`
	}{strict.List[*int]{Each: func(_ int, e **int) { some = append(some, *e != nil) }}}
	if err := strict.Decode([]byte(`{"list":[1,null]}`), &null); err != nil || len(some) != 2 || !some[0] || some[1] {
		t.Errorf("%v %v", some, err)
	}
	// A null where that is a field without a value counts as absent.
	for text, want := range map[string]string{
		`{"first":null,"e":1,"grade":null}`: "", `{"e":1}x`: `f: trailing data after the JSON object at byte 7`, `{"e":"1"}`: `f: e: must be a number, not "1"`,
	} {
		var k kinds
		if err := strict.ReadNullable("f", []byte(text), &k); err != nil && err.Error() != want || err == nil && (want != "" || k.First != nil || k.E != 1) {
			t.Errorf("%s: %v, %+v", text, err, k)
		}
	}
}

// Of fields one of which there must be, there is one, in whichever struct they are; the first fault stays.
func TestEither(t *testing.T) {
	type other struct {
		X int `json:"x,omitempty"`
	}
	type choice struct {
		A int `json:"a" is:"either"`
		B int `json:"b" is:"either" doc:"the other"`
	}
	for text, want := range map[string]string{
		`{"a":1}`: "", `{"b":1}`: "", `{"b":1,"a":2}`: "f: b: must not stand beside a", `{}`: "f: a: required field is missing, or b instead of it",
	} {
		if _, err := strict.Read("f", []byte(text), &choice{}); err != nil && err.Error() != want || err == nil && want != "" {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	s := strict.Describe(other{}, choice{})
	want := []strict.Schema{{"required": []string{"a"}}, {"required": []string{"b"}}}
	if d := cmp.Diff(want, s["oneOf"]); d != "" || s.Property("b")["description"] != "the other" || s.Property("c") != nil {
		t.Errorf("%s, %v", d, s.Property("b"))
	}
	f, err := strict.Open("f", []byte(`{}`))
	fail.On(t, err)
	if i, ok := f.Find(map[string]int{"a": 3}, "a", "a job", "x"); i != 3 || !ok || f.Err() != nil {
		t.Errorf("%d, %v", i, f.Err())
	}
	_, ok := f.Find(map[string]int{"a": 3}, "b", "a job", "x", 1)
	f.Fail("y", "second")
	if ok || f.Err() == nil || f.Err().Error() != `f: x[1]: "b" is not the id of a job` {
		t.Errorf("%v", f.Err())
	}
}

// Texts of one character, numbers at the ends of both ways to write them, and structs with rules of json.Marshal's own are written as it does.
func TestJoinOfCorners(t *testing.T) {
	type inner struct {
		A int `json:"a"`
		B int `json:"b,string"`
	}
	type shadow struct {
		inner
		A string `json:"a"`
	}
	type single struct {
		A int `json:"a"`
	}
	type shade struct {
		single
		A string `json:"a"`
	}
	type behind struct {
		*inner
		C int `json:"c"`
	}
	all := []any{
		inner{1, 2},
		shadow{inner{1, 2}, "x"},
		shade{single{1}, "x"},
		behind{&inner{1, 2}, 3},
		behind{C: 3},
		struct {
			X []float64 `json:"x"`
		}{[]float64{0, 1e-6, math.Nextafter(1e-6, 0), 1e21, math.Nextafter(1e21, 0), -1e21, 1e-300, 1e300}},
		struct {
			X []int `json:"x"`
		}{make([]int, 5000)},
	}
	for c := range 256 {
		all = append(all, struct {
			X string `json:"x"`
		}{string([]byte{byte(c)})})
	}
	for _, v := range all {
		want, err := json.Marshal(v)
		fail.On(t, err)
		for most, long := range map[int]error{math.MaxInt: nil, len(want): nil, len(want) - 1: strict.ErrLong} {
			if got, err := strict.JoinUpTo(most, v); !errors.Is(err, long) || err == nil && string(got) != string(want) {
				t.Errorf("up to %d: %v\n got %.300s\nwant %.300s", most, err, got, want)
			}
		}
	}
	if got, err := strict.Join(strict.Map[int]{}); err != nil || string(got) != "{}" {
		t.Errorf("no field: %s, %v", got, err)
	}
}
