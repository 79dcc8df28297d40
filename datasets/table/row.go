package table

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"schedgap/datasets/event"
)

// A Row walks through the columns of one line. Its methods take the next column each and remember the first error, so that a
// table's parser reads like its schema. On a right line nothing is allocated.
type Row struct {
	File    string
	Columns []string     // names
	Sep     byte         // between two columns
	Absent  string       // stands for an empty number, beside nothing
	Missing event.Fields // marks of the columns that were empty

	n      int // of the line
	line   []byte
	at     int    // where the next column begins; len(line)+1 after the last
	start  int    // where the column that was taken last begins
	col    int    // the next column
	value  string // of the first error
	reason string // of the first error; empty: none
	bad    int    // its column
}

// Reset begins with line n of the file.
func (r *Row) Reset(n int, line []byte) {
	r.n, r.line, r.at, r.start, r.col, r.Missing, r.reason = n, line, 0, 0, 0, 0, ""
}

// over reports whether the line has no column left. The number of columns is checked at the end.
func (r *Row) over() bool { return r.at > len(r.line) }

// take goes on to the next column after one that ends at end.
func (r *Row) take(end int) {
	r.start, r.at = r.at, end+1
	r.col++
}

// Fail keeps the first error, a fault of the column that was taken last.
func (r *Row) Fail(wrong string) {
	if r.reason == "" {
		r.bad, r.value, r.reason = r.col-1, quote(r.Taken()), wrong
	}
}

// Taken is the text of the column that was taken last.
func (r *Row) Taken() []byte {
	text, _, _ := bytes.Cut(r.line[r.start:], []byte{r.Sep})
	return text
}

func quote(text []byte) string { return strconv.Quote(Shorten(string(text))) }

// Shorten cuts a text that is too long for a message.
func Shorten(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return text[:most] + "…"
}

// Text takes a column as it is.
func (r *Row) Text() []byte {
	if r.over() {
		return nil
	}
	v := r.line[r.at:]
	if end := bytes.IndexByte(v, r.Sep); end >= 0 {
		v = v[:end]
	}
	r.take(r.at + len(v))
	return v
}

// Name takes a column that must not be empty.
func (r *Row) Name() []byte {
	over := r.over()
	v := r.Text()
	if len(v) == 0 && !over {
		r.Fail("must not be empty")
	}
	return v
}

// Optional takes an integer column, 0 ≤ v ≤ most, that may be empty, which is noted under mark.
func (r *Row) Optional(most int64, mark event.Fields) int64 {
	if r.over() {
		return 0
	}
	i := r.at
	var u uint64
	for ; i < len(r.line); i++ {
		digit := r.line[i] - '0'
		if digit > 9 {
			break
		}
		u = u*10 + uint64(digit)
	}
	digits := i - r.at
	if i < len(r.line) && r.line[i] != r.Sep {
		r.Text()
		r.Fail("is not an integer ≥ 0")
		return 0
	}
	r.take(i)
	switch {
	case digits > 19 || u > uint64(most): // 19 digits fit in 64 bits
		r.Fail(fmt.Sprintf("is more than %d", most))
		u = 0
	case digits == 0:
		r.Missing |= mark
	}
	return int64(u)
}

// Need takes an integer column, 0 ≤ v ≤ most, that must not be empty.
func (r *Row) Need(most int64) int64 {
	at := r.at
	v := r.Optional(most, 0)
	if r.at == at+1 {
		r.Fail("must not be empty")
	}
	return v
}

var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
	1e22,
}

// Amount takes a decimal column ≥ 0 that may be empty, which is noted under mark.
//
// Up to 15 digits make an integer below 2^53. Divided by a power of ten up to 10^22 it gives the nearest float64, as both
// are exact and the division rounds once. All else goes to strconv.
func (r *Row) Amount(mark event.Fields) float64 {
	line, i := r.line, r.at
	var u uint64
	digits, scale := 0, 0
	for point := false; i < len(line); i++ {
		if line[i] == '.' && !point {
			point = true
			continue
		}
		digit := line[i] - '0'
		if digit > 9 {
			break
		}
		u = u*10 + uint64(digit)
		digits++
		if point {
			scale++
		}
	}
	if i+3 < len(line) && line[i] == 'e' && line[i+1] == '-' && line[i+2]-'0' <= 9 && line[i+3]-'0' <= 9 { // as in 1.049e-05
		scale += int(line[i+2]-'0')*10 + int(line[i+3]-'0')
		i += 4
	}
	ends := i == len(line) || i < len(line) && line[i] == r.Sep
	if !ends || digits == 0 || digits > 15 || scale >= len(pow10) {
		return r.otherAmount(mark)
	}
	r.take(i)
	return float64(u) / pow10[scale]
}

func (r *Row) otherAmount(mark event.Fields) float64 {
	text := r.Text()
	if len(text) == 0 || string(text) == r.Absent {
		r.Missing |= mark
		return 0
	}
	v, err := strconv.ParseFloat(string(text), 64)
	// ParseFloat also takes hexadecimal digits, infinities and NaN.
	if other := bytes.Trim(text, "0123456789.eE+-"); err != nil || len(other) > 0 || math.Signbit(v) {
		r.Fail("is not a finite number ≥ 0")
		return 0
	}
	return v
}

// Done returns the fault of the line, if any: the number of its columns, or one of them.
func (r *Row) Done() *Error {
	if r.reason == "" && r.col == len(r.Columns) && r.at == len(r.line)+1 {
		return nil
	}
	if got := bytes.Count(r.line, []byte{r.Sep}) + 1; got != len(r.Columns) {
		return &Error{
			File: r.File, Line: r.n, Value: quote(r.line), Reason: fmt.Sprintf("has %d columns instead of %d", got, len(r.Columns)),
		}
	}
	return &Error{File: r.File, Line: r.n, Column: r.Columns[r.bad], Value: r.value, Reason: r.reason}
}
