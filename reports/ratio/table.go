package ratio

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"schedgap/bench"
)

// FeaturePrefix begins the names of the columns that ratios.parquet has beside a Row's: the instances' features.
const FeaturePrefix = "feature_"

// A table is the rows of a set with a column for every feature and factor that some instance has. It reads them out of one
// structure that is filled again and again, column by column: taking each row apart by reflection took half the time of a report.
type table struct {
	set      *Set
	group    int // how many rows a file has in a group, a multiple of together
	features []feature
	schema   *parquet.Schema
	cells    []func() parquet.Value // the current row
	known    []parquet.Value        // the current instance's features
}

// A feature is a column of features or factors: of numbers if all instances have a number or nothing, else of words.
type feature struct {
	name   string
	number bool
}

// table returns the table of what row points to, a Row or an InstanceRow.
func (s *Set) table(row any) *table {
	t := &table{set: s, group: rowGroup}
	for _, p := range s.Problems {
		for _, in := range p.Instances {
			for name, value := range in.columns {
				_, number := value.(float64)
				i, found := slices.BinarySearchFunc(t.features, name, func(f feature, name string) int { return cmp.Compare(f.name, name) })
				if !found {
					t.features = slices.Insert(t.features, i, feature{name, true})
				}
				t.features[i].number = t.features[i].number && number
			}
		}
	}
	var fields []reflect.StructField
	for _, f := range reflect.VisibleFields(reflect.TypeOf(row).Elem()) {
		if tag := f.Tag.Get("parquet"); tag != "" && tag != "-" {
			t.cells = append(t.cells, reading(reflect.ValueOf(row).Elem().FieldByIndex(f.Index).Addr().Interface()))
			f.Index, f.Offset = nil, 0
			fields = append(fields, f)
		}
	}
	t.known = make([]parquet.Value, len(t.features))
	for i, f := range t.features {
		kind, dict := reflect.TypeFor[*string](), ",dict"
		if f.number {
			kind, dict = reflect.TypeFor[*float64](), ""
		}
		tag := reflect.StructTag("parquet:" + strconv.Quote(f.name+",optional"+dict))
		fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(i), Type: kind, Tag: tag})
		t.cells = append(t.cells, func() parquet.Value { return t.known[i] })
	}
	t.schema = parquet.NewSchema("Row", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
	return t
}

// reading returns what reads the field that it gets a pointer to.
func reading(field any) func() parquet.Value {
	switch f := field.(type) {
	case *string:
		return func() parquet.Value { return text(*f) }
	case **string:
		return nullable(f, text)
	case **bool:
		return nullable(f, parquet.BooleanValue)
	case **int64:
		return nullable(f, parquet.Int64Value)
	case **float64:
		return nullable(f, parquet.DoubleValue)
	}
	v := reflect.ValueOf(field).Elem()
	return func() parquet.Value { return parquet.ValueOf(v.Interface()) }
}

func nullable[T any](f **T, value func(T) parquet.Value) func() parquet.Value {
	return func() parquet.Value {
		if *f == nil {
			return parquet.NullValue()
		}
		return present(value(**f))
	}
}

// present is a value of a column that may have nulls.
func present(v parquet.Value) parquet.Value { return v.Level(0, 1, 0) }

// text does not copy s, which nobody changes.
func text(s string) parquet.Value {
	return parquet.ByteArrayValue(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// describe sets the features of an instance.
func (t *table) describe(in *Instance) {
	columns := maps.Collect(in.columns)
	for i, f := range t.features {
		value, has := columns[f.name]
		switch x, number := value.(float64); {
		case has && f.number && number:
			t.known[i] = present(parquet.DoubleValue(x))
		case has && !f.number:
			t.known[i] = present(text(fmt.Sprint(value)))
		default:
			t.known[i] = parquet.NullValue()
		}
	}
}

// ratios makes row all rows in turn.
func (t *table) ratios(ctx context.Context, row *Row) iter.Seq[error] {
	return func(yield func(error) bool) {
		var in *Instance
		for _, p := range t.set.Problems {
			for *row = range p.Rows() {
				if row.Unit.In != in {
					in = row.Unit.In
					t.describe(in)
				}
				if !yield(ctx.Err()) {
					return
				}
			}
		}
	}
}

// A file's rows are handed on together, which costs less than one by one, and are in memory until their group ends.
const (
	together = 256
	rowGroup = 512 * together
)

// WriteParquet writes the rows of all problems, with the features and factors of their instances.
func (s *Set) WriteParquet(ctx context.Context, w io.Writer) error {
	row := new(Row)
	t := s.table(row)
	return t.write(w, "ratios.parquet", t.ratios(ctx, row))
}

func (t *table) write(w io.Writer, name string, rows iter.Seq[error]) error {
	pw := parquet.NewGenericWriter[any](
		w, t.schema, parquet.Compression(&zstd.Codec{}), parquet.CreatedBy("schedgap", strconv.Itoa(bench.SchemaVersion), ""),
		parquet.KeyValueMetadata(bench.SchemaKey, strconv.Itoa(bench.SchemaVersion)),
	)
	columns, n := make([][]parquet.Value, len(t.cells)), 0
	hand := func() (err error) {
		if len(columns[0]) == 0 { // given nothing the library takes an address of nothing, which the race detector refuses
			return nil
		}
		for i, c := range pw.ColumnWriters() {
			_, writeErr := c.WriteRowValues(columns[i])
			err, columns[i] = cmp.Or(err, writeErr), columns[i][:0]
		}
		return err
	}
	for err := range rows {
		for i, cell := range t.cells {
			columns[i] = append(columns[i], cell())
		}
		n++
		if n%together == 0 && err == nil {
			err = hand()
		}
		if n%t.group == 0 && err == nil {
			err = pw.Flush()
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := hand(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := pw.Close(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// WriteCSV writes the same rows as text, for spreadsheets: the columns' names first, nulls as nothing, numbers with all their
// digits. A text that a spreadsheet would take for a formula gets a mark in front, as OWASP recommends.
func (s *Set) WriteCSV(ctx context.Context, w io.Writer) error {
	row := new(Row)
	t := s.table(row)
	cw := csv.NewWriter(w)
	var cells []string
	for _, f := range t.schema.Fields() {
		cells = append(cells, f.Name())
	}
	err := cw.Write(cells)
	for rowErr := range t.ratios(ctx, row) {
		err = cmp.Or(err, rowErr)
		if err != nil {
			break
		}
		for i, value := range t.cells {
			cells[i] = cell(value())
		}
		err = cw.Write(cells)
	}
	cw.Flush()
	if err == nil {
		err = cw.Error()
	}
	if err != nil {
		return fmt.Errorf("the ratios as CSV: %w", err)
	}
	return nil
}

func cell(v parquet.Value) string {
	switch {
	case v.IsNull():
		return ""
	case v.Kind() == parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	case v.Kind() == parquet.ByteArray && strings.IndexAny(v.String(), "=+-@\t\r") == 0:
		return "'" + v.String()
	}
	return v.String()
}
