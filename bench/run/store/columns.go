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

// EachRow passes the rows of a Parquet file to take, some at a time. R is a type such as bench.Record. The file's columns may be
// in any order, nullable or not; columns that may be null may be missing. The slice of rows is reused, but no memory that the
// rows point to. Errors name the file.
func EachRow[R any](path string, take func(rows []R) error) error {
	file, size, err := input.Open(path, math.MaxInt64) // read in pieces
	if err != nil {
		return err
	}
	defer file.Close()
	err = eachRow(file, size, parquet.SchemaOf(new(R)), func(f *parquet.File) error {
		if got, ok := f.Lookup(bench.SchemaKey); ok {
			return bench.KnownSchema(got)
		}
		return nil
	}, take)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// eachRow is EachRow for a file that has the columns of schema, R's among them, and that sound approves of. The decoder may panic
// on a file that was damaged cleverly enough, which is an error here. It reads column by column.
func eachRow[R any](
	file io.ReaderAt, size int64, schema *parquet.Schema, sound func(f *parquet.File) error, take func(rows []R) error,
) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not a sound Parquet file: %v", p)
		}
	}()
	f, err := parquet.OpenFile(file, size, parquet.SkipBloomFilters(true), parquet.SkipPageIndex(true))
	if err != nil {
		return err
	}
	if err := sound(f); err != nil {
		return err
	}
	if err := sameColumns(f.Schema(), schema); err != nil {
		return err
	}
	values := make([]parquet.Value, 256)
	var rows []R
	for _, group := range f.RowGroups() {
		columns, err := columnsOf[R](f, group)
		if err != nil {
			return err
		}
		defer func() {
			for _, c := range columns {
				c.values.Close()
			}
		}()
		for left := group.NumRows(); left > 0; left -= int64(len(rows)) {
			rows = slices.Grow(rows[:0], batch)[:min(batch, left)]
			clear(rows) // a null leaves its field alone
			for _, c := range columns {
				if err := c.read(reflect.ValueOf(rows), values); err != nil {
					return fmt.Errorf("column %s of the last %d rows: %w", c.name, left, err)
				}
			}
			if err := take(rows); err != nil {
				return err
			}
		}
	}
	return nil
}

// oldNames are columns as files of older versions call them. They may be null.
var oldNames = map[string]string{"mip_gap": "gap"}

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
		if old := oldNames[name]; !ok && old != "" {
			leaf, ok = f.Schema().Lookup(old)
		}
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

// setter returns the function that puts values of one column, whose Parquet type is kind, into fields of a type. repeats says
// that the column has few different texts, lines that they may have line breaks. Nil: there are no such columns. Unprintable
// characters in texts are escaped, since rows may come from others and end up on terminals and pages.
func setter(field reflect.Type, repeats, lines bool, kind string) func(field any, v parquet.Value) {
	switch reflect.Zero(field).Interface().(type) {
	case string, *string:
		known := map[string]*string{}
		var last *string
		return put(func(v parquet.Value) *string {
			b := v.ByteArray()
			if last == nil || *last != string(b) {
				last = known[string(b)]
				if last == nil {
					last = new(models.Printable(string(b), lines))
					if repeats {
						known[*last] = last
					}
				}
			}
			return last
		})
	case int64, *int64:
		return put(shared(parquet.Value.Int64))
	case float64, *float64:
		return put(shared(parquet.Value.Double))
	case *bool:
		return put(shared(parquet.Value.Boolean))
	case time.Time:
		unit := time.Microsecond // other programs that copy rows may choose another
		if strings.Contains(kind, "NANOS") {
			unit = time.Nanosecond
		} else if strings.Contains(kind, "MILLIS") {
			unit = time.Millisecond
		}
		return put(func(v parquet.Value) *time.Time { return new(time.Unix(0, v.Int64()*int64(unit)).UTC()) })
	}
	return nil
}

// put returns the function that puts a decoded value into a field of its type or of a pointer to that type.
func put[T any](value func(v parquet.Value) *T) func(field any, v parquet.Value) {
	return func(field any, v parquet.Value) {
		switch field := field.(type) {
		case *T:
			*field = *value(v)
		case **T:
			*field = value(v)
		}
	}
}

// shared returns what keeps the numbers of a column, neighbours that are equal once.
func shared[T comparable](number func(v parquet.Value) T) func(v parquet.Value) *T {
	var last *T
	var zero T // −0 equals it, too, and must not become it
	return func(v parquet.Value) *T {
		if x := number(v); last == nil || *last != x || x == zero {
			last = &x
		}
		return last
	}
}
