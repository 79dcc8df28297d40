package google2011

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"schedgap/datasets/event"
	"schedgap/datasets/table"
)

// fields walks through the columns of one line. Its methods take the next column each and remember the first error, so that
// a table's parser reads like its schema. On a right line nothing is allocated.
type fields struct {
	columns []string // names
	line    []byte
	at      int // where the next column begins; len(line)+1 after the last
	col     int // the next column

	missing event.Fields
	reason  string // of the first error; empty: none
	bad     int    // its column
}

func (f *fields) reset(line []byte) {
	f.line, f.at, f.col, f.missing, f.reason = line, 0, 0, 0, ""
}

// over reports whether the line has no column left. The number of columns is checked at the end.
func (f *fields) over() bool { return f.at > len(f.line) }

// fail keeps the first error: what is wrong with column col, which begins at start.
func (f *fields) fail(col, start int, wrong string) {
	if f.reason != "" {
		return
	}
	value, _, _ := bytes.Cut(f.line[start:], []byte{','})
	f.bad, f.reason = col, quote(value)+" "+wrong
}

// quote shows a text in a message, shortened.
func quote(text []byte) string {
	const most = 60
	if len(text) > most {
		return strconv.Quote(string(text[:most]) + "…")
	}
	return strconv.Quote(string(text))
}

// text takes a column as it is.
func (f *fields) text() []byte {
	if f.over() {
		return nil
	}
	v := f.line[f.at:]
	if end := bytes.IndexByte(v, ','); end >= 0 {
		v = v[:end]
	}
	f.at += len(v) + 1
	f.col++
	return v
}

// optional takes an integer column, 0 ≤ v ≤ most, that may be empty, which is noted under mark.
func (f *fields) optional(most int64, mark event.Fields) int64 {
	start := f.at
	i := start
	var u uint64
	for ; i < len(f.line); i++ {
		digit := f.line[i] - '0'
		if digit > 9 {
			break
		}
		u = u*10 + uint64(digit)
	}
	switch {
	case f.over():
		return 0
	case i < len(f.line) && f.line[i] != ',':
		f.fail(f.col, start, "is not an integer")
		f.text()
		return 0
	case i-start > 19 || u > uint64(most): // 19 digits fit in 64 bits
		f.fail(f.col, start, fmt.Sprintf("is more than %d", most))
		u = 0
	case i == start:
		f.missing |= mark
	}
	f.at = i + 1
	f.col++
	return int64(u)
}

// need takes an integer column, 0 ≤ v ≤ most, that must not be empty.
func (f *fields) need(most int64) int64 {
	if start := f.at; start == len(f.line) || start < len(f.line) && f.line[start] == ',' {
		f.fail(f.col, start, "must not be empty")
	}
	return f.optional(most, 0)
}

var pow10 = [...]float64{
	1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21,
	1e22,
}

// amount takes a decimal column ≥ 0 that may be empty, which is noted under mark.
//
// Up to 15 digits make an integer below 2^53. Divided by a power of ten up to 10^22 it gives the nearest float64, as both
// are exact and the division rounds once. All else goes to strconv.
func (f *fields) amount(mark event.Fields) float64 {
	line, i := f.line, f.at
	var u uint64
	digits, scale := 0, 0
	for ; i < len(line); i++ {
		digit := line[i] - '0'
		if digit > 9 {
			break
		}
		u = u*10 + uint64(digit)
		digits++
	}
	if i < len(line) && line[i] == '.' {
		i++
		for ; i < len(line); i++ {
			digit := line[i] - '0'
			if digit > 9 {
				break
			}
			u = u*10 + uint64(digit)
			scale++
		}
		digits += scale
	}
	if i+3 < len(line) && line[i] == 'e' && line[i+1] == '-' && line[i+2]-'0' <= 9 && line[i+3]-'0' <= 9 { // as in 1.049e-05
		scale += int(line[i+2]-'0')*10 + int(line[i+3]-'0')
		i += 4
	}
	ends := i == len(line) || i < len(line) && line[i] == ','
	if !ends || digits == 0 || digits > 15 || scale >= len(pow10) {
		return f.otherAmount(mark)
	}
	f.at = i + 1
	f.col++
	return float64(u) / pow10[scale]
}

func (f *fields) otherAmount(mark event.Fields) float64 {
	col, start := f.col, f.at
	text := f.text()
	if len(text) == 0 {
		f.missing |= mark
		return 0
	}
	v, err := strconv.ParseFloat(string(text), 64)
	// ParseFloat also takes hexadecimal digits, infinities and NaN.
	if other := bytes.Trim(text, "0123456789.eE+-"); err != nil || len(other) > 0 || math.Signbit(v) {
		f.fail(col, start, "is not a finite decimal number ≥ 0")
		return 0
	}
	return v
}

// done returns what is wrong with the line, if anything: the number of its columns, or one of them.
func (f *fields) done(file string, n int) error {
	if f.reason == "" && f.col == len(f.columns) && f.at == len(f.line)+1 {
		return nil
	}
	if got := bytes.Count(f.line, []byte{','}) + 1; got != len(f.columns) {
		reason := fmt.Sprintf("%s has %d columns instead of %d", quote(f.line), got, len(f.columns))
		return &table.Error{File: file, Line: n, Reason: reason}
	}
	return &table.Error{File: file, Line: n, Column: f.columns[f.bad], Reason: f.reason}
}
