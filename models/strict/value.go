package strict

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// A Value is the JSON value that was read last, for types with a form of their own.
type Value struct {
	d   *decoder
	raw jsontext.Value
}

// Errorf returns an Error that names the file and the value's path.
func (v *Value) Errorf(format string, args ...any) error {
	return Errorf(v.d.file.name, v.d.path(), format, args...)
}

// Fail is Errorf at a path below the value.
func (v *Value) Fail(below, format string, args ...any) error {
	return Errorf(v.d.file.name, strings.TrimPrefix(v.d.path()+"."+below, "."), format, args...)
}

// Into reads the value into what to points to, by the tags of its type.
func (v *Value) Into(to any) error {
	return (&decoder{file: v.d.file, dec: decoderOf(v.raw), prefix: v.d.path()}).into(to)
}

// Raw is the value's text.
func (v *Value) Raw() []byte { return v.raw }

// String shows the value for a message: a literal, or what sort of thing it is.
func (v *Value) String() string {
	const most = 60
	s := string(v.raw)
	switch v.raw.Kind() {
	case '[':
		return "an array"
	case '{':
		return "an object"
	case '"':
		s = v.text()
		if len(s) > most {
			s = strings.ToValidUTF8(s[:most], "") + "…"
		}
		return strconv.Quote(s)
	}
	if len(s) > most {
		s = s[:most] + "…"
	}
	return s
}

func (v *Value) text() string {
	s, _ := jsontext.AppendUnquote(nil, v.raw) // it was found valid
	return string(s)
}

// Text returns the value as a string.
func (v *Value) Text() (string, error) {
	if v.raw.Kind() != '"' {
		return "", v.Errorf("must be a string, not %s", v)
	}
	return v.text(), nil
}

// id returns the value as an identifier: a string of one or more characters without commas, colons and white space.
func (v *Value) id() (string, error) {
	s, err := v.Text()
	if err != nil {
		return "", err
	}
	if s == "" || strings.ContainsFunc(s, func(r rune) bool { return r == ',' || r == ':' || isSpace(r) }) {
		return "", v.Errorf("%s is not an identifier: it must be non-empty and free of commas, colons and white space", v)
	}
	if strings.ContainsFunc(s, func(r rune) bool { return !strconv.IsPrint(r) }) {
		return "", v.Errorf("%s is not an identifier: it has characters that do not print", v)
	}
	return s, nil
}

// isSpace is \s of the identifiers' pattern, with the other Unicode spaces, which no file can want in an id.
func isSpace(r rune) bool {
	return strings.ContainsRune(" \t\n\v\f\r\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", r) ||
		(r >= 0x2000 && r <= 0x200a)
}

// Float returns the value as a finite number.
func (v *Value) Float() (float64, error) {
	if v.raw.Kind() != '0' {
		return 0, v.Errorf("must be a number, not %s", v)
	}
	f, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return 0, v.Errorf("%s is not a finite number", v)
	}
	return f, nil
}

// maxInteger is the largest integer that a float64 holds exactly: JSON numbers are read as such by most tools.
const maxInteger = 1 << 53

// integer returns the value as an integer of at most that size; 5.0 counts as one.
func (v *Value) integer(most int64) (int64, error) {
	if v.raw.Kind() != '0' && v.d.file.exact {
		return 0, v.Errorf("must be an integer, not %s", v)
	}
	if v.d.file.exact {
		n, err := strconv.ParseInt(string(v.raw), 10, 64)
		if err != nil {
			return 0, v.Errorf("%s is no integer of 64 bits", v)
		}
		return n, nil
	}
	f, err := v.Float()
	if err != nil {
		return 0, err
	}
	switch n, whole := Whole(string(v.raw)); {
	case whole && -most <= n && n <= most:
		return n, nil
	case whole || math.Abs(f) >= 1<<63:
		return 0, v.Errorf("%s is too large for an integer", v)
	}
	return 0, v.Errorf("%s must be an integer", v)
}

// Whole reads a decimal number whose value is an integer, in whatever form: 5, 5.0 and 0.5e1 are 5. It does not round, as a float64
// would: 9007199254740993 is that number, and 5.00000000000000000001 is no integer. ok is false if the text is no number, its value
// is no integer, or 64 bits do not hold it.
func Whole(text string) (n int64, ok bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if f != f || err != nil && !errors.Is(err, strconv.ErrRange) || strings.ContainsAny(text, "xXpPiI_") {
		return 0, false
	}
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	sign := mantissa[:len(mantissa)-len(strings.TrimLeft(mantissa, "+-"))]
	before, after, _ := strings.Cut(mantissa[len(sign):], ".")
	after = strings.TrimRight(after, "0")
	digits := strings.TrimLeft(before+after, "0")
	if digits == "" {
		return 0, true
	}
	exponent, err := strconv.Atoi(power)
	if err != nil && power != "" { // beyond what a length can be
		return 0, false
	}
	short := strings.TrimRight(digits, "0")
	zeros := exponent - len(after) + len(digits) - len(short) // that follow the digits in short
	if zeros < 0 {
		return 0, false
	}
	const most = 19 // digits of an integer of 64 bits
	n, err = strconv.ParseInt(sign+short+strings.Repeat("0", min(zeros, most)), 10, 64)
	return n, err == nil
}

// Rounded reports whether x, a float64 read of a text, is a whole number of 64 bits and the text means another one: where an integer
// is wanted, x would be a silent change. A text with the fewest digits that tell x from other float64 is x itself.
func Rounded(text string, x float64) bool {
	if x != math.Trunc(x) || math.Abs(x) >= 1<<63 {
		return false
	}
	n, whole := Whole(text)
	short, _ := Whole(strconv.FormatFloat(x, 'e', -1, 64))
	return !whole || n != int64(x) && n != short
}

// Bool returns the value as true or false.
func (v *Value) Bool() (bool, error) {
	if kind := v.raw.Kind(); kind != 't' && kind != 'f' {
		return false, v.Errorf("must be true or false, not %s", v)
	}
	return v.raw.Kind() == 't', nil
}
