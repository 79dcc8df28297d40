package strict_test

import (
	"fmt"
	"math"
	"strconv"
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
		{`{"a":1,"` + strings.Repeat("x", 100_000) + `":2}`, "f: " + strings.Repeat("x", 200) + "…" + strings.Repeat("x",
			100) + ": unknown field (value 2)"},
		{`{"a":1,"b":2}`, "f: b: unknown field (value 2)"},
		{`{"a":{"b":x}}`, "f: a.b: not valid JSON at byte 10: invalid character 'x' at start of value"},
		{`{"a":[1,x]}`, "f: a: not valid JSON at byte 8: invalid character 'x' at start of value"},
		{`{"a":[[1],2,x]}`, "f: a: not valid JSON at byte 12: invalid character 'x' at start of value"},
		{`{"a":1,"b":{"c":1 x}}`, "f: b: not valid JSON at byte 18: invalid character 'x' after object value (expecting ',' or '}')"},
		{`{"a":"` + strings.Repeat("x", 60) + `"}`, `f: a: must be a number, not "` + strings.Repeat("x", 60) + `"`},
		{`{"a":"` + strings.Repeat("x", 61) + `"}`, `f: a: must be a number, not "` + strings.Repeat("x", 60) + `…"`},
		{`{"a":1,"b":` + strings.Repeat("1", 60) + `}`, "f: b: unknown field (value " + strings.Repeat("1", 60) + ")"},
		{`{"a":1,"b":` + strings.Repeat("1", 61) + `}`, "f: b: unknown field (value " + strings.Repeat("1", 60) + "…)"},
	} {
		var d struct {
			A float64 `json:"a"`
		}
		_, err := strict.Read("f", []byte(c.text), &d)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
	}
	if got := strict.Clip("abc", 3) + strict.Clip("abcd", 3); got != "abcab…d" {
		t.Errorf("clipped to %s", got)
	}
}

// Beyond the limits, which the sentence names with the place, nothing is read.
func TestLimits(t *testing.T) {
	var keys strings.Builder
	for i := range 1_000_001 {
		fmt.Fprintf(&keys, `,"%d":0`, i)
	}
	var objects strings.Builder // beside each other, not in each other
	for i := range 100 {
		fmt.Fprintf(&objects, `,"a%d":{}`, i)
	}
	for text, want := range map[string]string{
		`{"a":` + strings.Repeat("[", 65) + strings.Repeat("]", 65) + `}`: "f: a" + strings.Repeat("[0]", 64) +
			": nested deeper than 64 levels",
		`{"a":[{` + keys.String()[1:] + `}]}`: "f: a[0]: an object of more than 1000000 keys",
	} {
		if _, err := strict.Open("f", []byte(text)); err == nil || err.Error() != want {
			t.Errorf("%.20s…: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{
		`{"a":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`,
		`{"a":[0` + strings.Repeat(",0", 1_000_000) + `]}`,
		`{"0":0` + objects.String() + `,"b":0}`,
	} {
		if _, err := strict.Open("f", []byte(text)); err != nil {
			t.Errorf("%.20s…: %v", text, err)
		}
	}
}

// 5.0 counts as an integer, 5.5 and what a float64 cannot hold exactly do not.
func TestInt(t *testing.T) {
	var d struct {
		A int `json:"a"`
	}
	for text, want := range map[string]int{
		"5": 5, "5.0": 5, "5e2": 500, "-3": -3, "9007199254740992": 1 << 53, "-9007199254740992": -1 << 53,
	} {
		if _, err := strict.Read("f", []byte(`{"a":`+text+`}`), &d); err != nil || d.A != want {
			t.Errorf("%s: %d %v", text, d.A, err)
		}
	}
	for text, why := range map[string]string{
		"5.5": "must be an integer", "1e300": "is too large for an integer", "9007199254740993000": "is too large for an integer",
		"9007199254740993": "is too large for an integer", "-9007199254740993": "is too large for an integer",
		"9223372036854775808": "is too large for an integer",
	} {
		if _, err := strict.Read("f", []byte(`{"a":`+text+`}`), &d); err == nil || err.Error() != "f: a: "+text+" "+why {
			t.Errorf("%s is read as %d, %v", text, d.A, err)
		}
	}
}

// Identifiers are free of commas, colons and white space.
func TestID(t *testing.T) {
	const space, print = "it must be non-empty and free of commas, colons and white space", "it has characters that do not print"
	for text, want := range map[string]string{
		"a": "", "job-1_ü": "", "€": "", "": space, "a,b": space, "a:b": space, "a b": space,
		"\\u00a0": space, "\\u2000": space, "\\u2005": space, "\\u200a": space, "\\u200b": print, "\\u001b[2J": print, "a\\u202eb": print,
	} {
		var d struct {
			A string `json:"a" is:"id"`
		}
		if _, err := strict.Read("f", []byte(`{"a":"`+text+`"}`), &d); (err == nil) != (want == "") ||
			err != nil && !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,{"b":"c"}],"d":null}`, `{"a":1,"a":2}`, "{\"\xff\":1}", `{"a":1}x`, `[[[[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := strict.Open("f", data)
		if err != nil {
			if o != nil || err.Error() == "" {
				t.Error("an error with an object, or without a sentence")
			}
			return
		}
		var d struct {
			All strict.Map[strict.Map[float64]] `json:"-" is:"rest"`
		}
		o.Read(&d)
		if err := o.Err(); err != nil && !strings.HasPrefix(err.Error(), "f: ") {
			t.Error(err)
		}
	})
}

// TestWhole: integers are read in any form and never rounded.
func TestWhole(t *testing.T) {
	for text, want := range map[string]int64{
		"5": 5, "+5": 5, "-5.0": -5, "0.5e1": 5, "50e-1": 5, "5e0": 5, "-0.000e999999999999": 0, "9007199254740993.0": 1<<53 + 1,
		"9.223372036854775807e18": math.MaxInt64, "-9223372036854775808": math.MinInt64,
		"0001e3": 1000,
	} {
		if n, ok := strict.Whole(text); !ok || n != want {
			t.Errorf("%s: %d %v", text, n, ok)
		}
	}
	for _, text := range []string{
		"", "x", "0x10", "1_0", "inf", "nan", "1e-400", "5.00000000000000000001", "9007199254740992.5", "1e-99999999999999999999", "1e", "5e1.0", "--1",
		"9223372036854775808", "-1e400", "1e99999999999999999999",
	} {
		if n, ok := strict.Whole(text); ok {
			t.Errorf("%q is %d", text, n)
		}
	}
	for text, want := range map[string]bool{
		"9007199254740993": true, "9007199254740992.5": true, "4.00000000000000000001": true, "4.611686018427388e+18": false, "1e17": false,
		"3.14159265358979323846": false, "1e300": false, "9223372036854775808": false, "123456789012345678": true, "5.0": false,
	} {
		x, _ := strconv.ParseFloat(text, 64)
		if got := strict.Rounded(text, x); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
