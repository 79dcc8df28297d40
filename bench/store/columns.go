package store

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
)

// batch is how many rows are read at a time: a footer may promise any number of them.
const batch = 4096

// readRows reads the columns of R out of a row group and appends its rows to rows. It reads column by column, since most
// columns repeat the same few strings and numbers: these are kept once and shared.
func readRows[R any](rows []R, f *parquet.File, group parquet.RowGroup) ([]R, error) {
	columns, err := columnsOf[R](f, group)
	if err != nil {
		return rows, err
	}
	defer func() {
		for _, c := range columns {
			c.values.Close()
		}
	}()
	values := make([]parquet.Value, 256)
	for left := group.NumRows(); left > 0; {
		at, n := len(rows), int(min(batch, left))
		rows = slices.Grow(rows, n)[:at+n]
		clear(rows[at:]) // a null leaves its field alone
		to := reflect.ValueOf(rows[at:])
		for _, c := range columns {
			if err := c.read(to, values); err != nil {
				return rows, fmt.Errorf("column %s of rows %d to %d: %w", c.name, at, at+n-1, err)
			}
		}
		left -= int64(n)
	}
	return rows, nil
}

// A column is a column of a row group with the field of R that it goes to.
type column struct {
	name   string
	field  int
	values parquet.ColumnChunkValueReader
	set    func(field any, v parquet.Value) // field points to the field
}

// columnsOf opens the columns of a row group that R has fields for. Their types are known to be right.
func columnsOf[R any](f *parquet.File, group parquet.RowGroup) ([]column, error) {
	chunks := group.ColumnChunks()
	var columns []column
	t := reflect.TypeFor[R]()
	for i := range t.NumField() {
		name, options, _ := strings.Cut(t.Field(i).Tag.Get("parquet"), ",")
		leaf, ok := f.Schema().Lookup(name)
		set := setter(t.Field(i).Type, strings.Contains(options, "dict"))
		if !ok && slices.Contains(laterColumns, name) {
			continue // null
		}
		if !ok || set == nil {
			return nil, fmt.Errorf("no column for %s.%s", t, t.Field(i).Name)
		}
		columns = append(columns, column{name, i, parquet.NewColumnChunkValueReader(chunks[leaf.ColumnIndex]), set})
	}
	return columns, nil
}

// read fills in the column's field of all rows.
func (c *column) read(rows reflect.Value, values []parquet.Value) error {
	for at := 0; at < rows.Len(); {
		n, err := c.values.ReadValues(values[:min(len(values), rows.Len()-at)])
		if n == 0 {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return cmp.Or(err, io.ErrNoProgress)
		}
		for i, v := range values[:n] {
			if !v.IsNull() {
				c.set(rows.Index(at+i).Field(c.field).Addr().Interface(), v)
			}
		}
		at += n
	}
	return nil
}

// setter returns the function that puts values of one column into fields of a type, where dict says that the column repeats
// its strings; nil: there are no such columns.
func setter(field reflect.Type, dict bool) func(field any, v parquet.Value) {
	switch reflect.Zero(field).Interface().(type) {
	case string:
		if !dict {
			s := &block{}
			return func(field any, v parquet.Value) { *field.(*string) = s.keep(v.ByteArray()) }
		}
		s := &texts{}
		return func(field any, v parquet.Value) { *field.(*string) = *s.keep(v.ByteArray()) }
	case *string:
		s := &texts{}
		return func(field any, v parquet.Value) { *field.(**string) = s.keep(v.ByteArray()) }
	case int64:
		return func(field any, v parquet.Value) { *field.(*int64) = v.Int64() }
	case *int64:
		s := &numbers[int64]{}
		return func(field any, v parquet.Value) { *field.(**int64) = s.keep(v.Int64()) }
	case float64:
		return func(field any, v parquet.Value) { *field.(*float64) = v.Double() }
	case *float64:
		s := &numbers[float64]{}
		return func(field any, v parquet.Value) { *field.(**float64) = s.keep(v.Double()) }
	case *bool:
		s := &numbers[bool]{}
		return func(field any, v parquet.Value) { *field.(**bool) = s.keep(v.Boolean()) }
	case time.Time:
		return func(field any, v parquet.Value) { *field.(*time.Time) = time.UnixMicro(v.Int64()).UTC() }
	}
	return nil
}

// texts keeps the strings of a column, equal ones once.
type texts struct {
	last  *string
	known map[string]*string
}

func (t *texts) keep(b []byte) *string {
	if t.last != nil && *t.last == string(b) {
		return t.last
	}
	s := t.known[string(b)]
	if s == nil {
		text := string(b)
		s = &text
		if t.known == nil {
			t.known = map[string]*string{}
		}
		t.known[text] = s
	}
	t.last = s
	return s
}

// A block keeps strings that differ side by side, which takes less memory and time than one by one.
type block struct{ strings.Builder }

func (b *block) keep(text []byte) string {
	if b.Cap()-b.Len() < len(text) {
		size := max(len(text), min(max(256, 2*b.Cap()), 8192))
		b.Builder = strings.Builder{}
		b.Grow(size)
	}
	b.Write(text)
	return b.String()[b.Len()-len(text):]
}

// numbers keeps the numbers of a column together, neighbours that are equal once.
type numbers[T comparable] struct{ block []T }

func (s *numbers[T]) keep(x T) *T {
	var zero T // −0 equals it, too, and must not become it
	if n := len(s.block); n == 0 || s.block[n-1] != x || x == zero {
		if n == cap(s.block) {
			s.block = make([]T, 0, min(max(8, 2*n), 512))
		}
		s.block = append(s.block, x)
	}
	return &s.block[len(s.block)-1]
}
