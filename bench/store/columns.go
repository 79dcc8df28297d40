package store

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"schedgap/bench"
	"schedgap/models"
	"schedgap/models/input"

	"github.com/parquet-go/parquet-go"
)

// batch is how many rows are read at a time: a footer may promise any number of them.
const batch = 4096

// EachRow hands on the rows of a Parquet file, some at a time, as far as it has the columns of R, such as bench.Record, in any
// order and with or without nulls where R has none; columns that may be null may be missing. The rows, but nothing that they
// point to, are used again. The decoder may panic on a file that was damaged cleverly enough, which is an error here. Errors name
// the file.
func EachRow[R any](path string, take func(rows []R) error) error {
	file, size, err := input.Open(path, math.MaxInt64) // read in pieces
	if err != nil {
		return err
	}
	defer file.Close()
	if err := eachRow(file, size, take); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func eachRow[R any](file io.ReaderAt, size int64, take func(rows []R) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not a sound Parquet file: %v", p)
		}
	}()
	f, err := parquet.OpenFile(file, size)
	if err != nil {
		return err
	}
	if got, ok := f.Lookup(bench.SchemaKey); ok {
		if err := bench.KnownSchema(got); err != nil {
			return err
		}
	}
	if err := sameColumns(f.Schema(), parquet.SchemaOf(new(R))); err != nil {
		return err
	}
	var rows []R
	for _, group := range f.RowGroups() {
		if _, err := readRows(rows, f, group, take); err != nil {
			return err
		}
	}
	return nil
}

// sameColumns reports the first wanted column that a schema lacks, unless it may be null, or has with another type.
func sameColumns(got, wanted *parquet.Schema) error {
	for _, f := range wanted.Fields() {
		leaf, ok := got.Lookup(f.Name())
		switch {
		case !ok && f.Optional(): // null
		case !ok:
			return fmt.Errorf("no column %s", f.Name())
		case leaf.Node.Type().Kind() != f.Type().Kind():
			return fmt.Errorf("column %s is %s, not %s", f.Name(), leaf.Node.Type(), f.Type())
		}
	}
	return nil
}

// readRows reads the columns of R out of a row group and appends its rows to rows, or hands them to take, unless that is nil. It
// reads column by column, since most columns repeat the same few strings and numbers: these are kept once and shared.
func readRows[R any](rows []R, f *parquet.File, group parquet.RowGroup, take func(rows []R) error) ([]R, error) {
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
		if take != nil {
			if err := take(rows); err != nil {
				return rows, err
			}
			rows = rows[:0]
		}
	}
	return rows, nil
}

// A column is a column of a row group with the field of R that it goes to.
type column struct {
	name   string
	field  []int
	values parquet.ColumnChunkValueReader
	set    func(field any, v parquet.Value) // field points to the field
}

// columnsOf opens the columns of a row group that R has fields for. Their types are known to be right; nullable ones may be
// missing.
func columnsOf[R any](f *parquet.File, group parquet.RowGroup) ([]column, error) {
	chunks := group.ColumnChunks()
	var columns []column
	t := reflect.TypeFor[R]()
	for _, field := range reflect.VisibleFields(t) {
		if field.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("parquet"), ",")
		leaf, ok := f.Schema().Lookup(name)
		if !ok {
			continue
		}
		set := setter(field.Type, strings.Contains(options, "dict"), name == "error", leaf.Node.Type().String())
		if set == nil {
			return nil, fmt.Errorf("no column for %s.%s", t, field.Name)
		}
		columns = append(columns, column{name, field.Index, parquet.NewColumnChunkValueReader(chunks[leaf.ColumnIndex]), set})
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
				c.set(rows.Index(at+i).FieldByIndex(c.field).Addr().Interface(), v)
			}
		}
		at += n
	}
	return nil
}

// setter returns the function that puts values of one column, whose Parquet type is kind, into fields of a type. dict says that
// the column repeats its strings, and lines that these may have line breaks. Nil: there are no such columns. In texts everything
// that does not print is escaped, whoever wrote the row: they are shown on terminals and in pages.
func setter(field reflect.Type, dict, lines bool, kind string) func(field any, v parquet.Value) {
	switch reflect.Zero(field).Interface().(type) {
	case string:
		if !dict {
			s := &block{}
			return func(field any, v parquet.Value) { *field.(*string) = models.Printable(s.keep(v.ByteArray()), lines) }
		}
		s := &texts{lines: lines}
		return func(field any, v parquet.Value) { *field.(*string) = *s.keep(v.ByteArray()) }
	case *string:
		s := &texts{lines: lines}
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
		unit := time.Microsecond // other programs that copy rows may choose another
		if strings.Contains(kind, "NANOS") {
			unit = time.Nanosecond
		} else if strings.Contains(kind, "MILLIS") {
			unit = time.Millisecond
		}
		return func(field any, v parquet.Value) { *field.(*time.Time) = time.Unix(0, v.Int64()*int64(unit)).UTC() }
	}
	return nil
}

// texts keeps the strings of a column, equal ones once.
type texts struct {
	lines bool // they may have line breaks
	last  *string
	known map[string]*string
}

func (t *texts) keep(b []byte) *string {
	if t.last != nil && *t.last == string(b) {
		return t.last
	}
	s := t.known[string(b)]
	if s == nil {
		text := models.Printable(string(b), t.lines)
		s = &text
		if t.known == nil {
			t.known = map[string]*string{}
		}
		t.known[string(b)] = s
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
