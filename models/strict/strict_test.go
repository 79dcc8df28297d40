package strict_test

import (
	"fmt"
	"strings"
	"testing"

	"schedgap/models/strict"
)

// Each mistake is one sentence that names the file, the path and the value.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{``, "f: the JSON document ends too early, at byte 0"},
		{`{"a":1`, "f: the JSON document ends too early, at byte 6"},
		{`[1]`, "f: must be a JSON object, not an array"},
		{`{"a":1}{}`, "f: trailing data after the JSON object at byte 8"},
		{`{"a":1,"a":2}`, `f: duplicate key "a"`},
		{`{"x":{"b":1,"b":2}}`, `f: x: duplicate key "b"`},
		{`{"a":1e999}`, "f: a: 1e999 is not a finite number"},
		{`{"a":"1"}`, `f: a: must be a number, not "1"`},
		{`{"a":null}`, "f: a: must be a number, not null"},
		{`{"A":1}`, "f: a: required field is missing"},
		{`{"a":1,"` + strings.Repeat("x", 100_000) + `":2}`, "f: " + strings.Repeat("x", 200) + "…" + strings.Repeat("x", 100) + ": unknown field (value 2)"},
		{`{"a":1,"b":2}`, "f: b: unknown field (value 2)"},
	} {
		o, err := strict.Parse("f", []byte(c.text))
		if err == nil {
			o.Float("a")
			err = o.Done()
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
}

// Beyond the limits, which the sentence names with the place, nothing is read.
func TestLimits(t *testing.T) {
	var keys strings.Builder
	for i := range 1_000_001 {
		fmt.Fprintf(&keys, `,"%d":0`, i)
	}
	for text, want := range map[string]string{
		`{"a":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`: "f: a" + strings.Repeat("[0]", 64) + ": nested deeper than 64 levels",
		`{"a":[{` + keys.String()[1:] + `}]}`:                             "f: a[0]: an object of more than 1000000 keys",
	} {
		if _, err := strict.Parse("f", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.20s…: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{
		`{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`,
		`{"a":[0` + strings.Repeat(",0", 1_000_000) + `]}`,
	} {
		if _, err := strict.Parse("f", []byte(text)); err != nil {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
}

// 5.0 counts as an integer, 5.5 and what a float64 cannot hold exactly do not.
func TestInt(t *testing.T) {
	for text, want := range map[string]int{"5": 5, "5.0": 5, "5e2": 500, "-3": -3} {
		o, err := strict.Parse("f", []byte(`{"a":`+text+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Int("a"); o.Err() != nil || got != want {
			t.Errorf("%s: %d %v", text, got, o.Err())
		}
	}
	for _, text := range []string{"5.5", "1e300", "9007199254740993000"} {
		o, err := strict.Parse("f", []byte(`{"a":`+text+`}`))
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Int("a"); o.Err() == nil {
			t.Errorf("%s is read as %d", text, got)
		}
	}
}

// Identifiers are free of commas, colons and white space.
func TestID(t *testing.T) {
	for text, ok := range map[string]bool{"a": true, "job-1_ü": true, "": false, "a,b": false, "a:b": false, "a b": false, "\\u00a0": false, "\\u001b[2J": false, "a\\u202eb": false} {
		o, err := strict.Parse("f", []byte(`{"a":"`+text+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		if o.ID("a"); (o.Err() == nil) != ok {
			t.Errorf("%q: %v", text, o.Err())
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,{"b":"c"}],"d":null}`, `{"a":1,"a":2}`, "{\"\xff\":1}", `{"a":1}x`, `[[[[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := strict.Parse("f", data)
		if err != nil {
			if o.Object != nil || err.Error() == "" {
				t.Error("an error with an object, or without a sentence")
			}
			return
		}
		for _, key := range o.Keys() {
			_, _ = o.Get(key).Float()
			_, _ = o.Get(key).ID()
		}
		if err := o.Done(); err != nil {
			t.Error(err)
		}
	})
}
