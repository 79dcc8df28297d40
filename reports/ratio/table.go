package ratio

import (
	"bufio"
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

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"schedgap/bench"
)

// FeaturePrefix begins the names of the columns that ratios.parquet has beside a Row's: the instances' features.
const FeaturePrefix = "feature_"

// A table is the rows of a set with a column for every feature and factor that some instance has.
type table struct {
	set      *Set
	features []feature
	leaves   [][]int      // the columns of a Row, or of an InstanceRow, in it
	kind     reflect.Type // a structure of these and the features, without embedded ones: Schema.Deconstruct takes a zero in these for null
	schema   *parquet.Schema
}

// A feature is a column of features or factors: of numbers if all instances have a number or nothing, else of words.
type feature struct {
	name   string
	number bool
}

func (s *Set) table(row reflect.Type) *table {
	t := &table{set: s}
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
	for _, f := range reflect.VisibleFields(row) {
		if tag := f.Tag.Get("parquet"); tag != "" && tag != "-" {
			t.leaves, f.Index, f.Offset = append(t.leaves, f.Index), nil, 0
			fields = append(fields, f)
		}
	}
	for i, f := range t.features {
		kind, dict := reflect.TypeFor[*string](), ",dict"
		if f.number {
			kind, dict = reflect.TypeFor[*float64](), ""
		}
		tag := reflect.StructTag("parquet:" + strconv.Quote(f.name+",optional"+dict))
		fields = append(fields, reflect.StructField{Name: "F" + strconv.Itoa(i), Type: kind, Tag: tag})
	}
	t.kind = reflect.StructOf(fields)
	t.schema = parquet.NewSchema("Row", parquet.SchemaOf(reflect.New(t.kind).Interface()))
	return t
}

// of is what an instance has in the columns of the features.
func (t *table) of(in *Instance) []reflect.Value {
	values, columns := make([]reflect.Value, len(t.features)), maps.Collect(in.columns)
	for i, f := range t.features {
		value, has := columns[f.name]
		switch x, number := value.(float64); {
		case has && f.number && number:
			values[i] = reflect.ValueOf(&x)
		case has && !f.number:
			text := fmt.Sprint(value)
			values[i] = reflect.ValueOf(&text)
		default:
			values[i] = reflect.Zero(t.kind.Field(len(t.leaves) + i).Type)
		}
	}
	return values
}

// describe sets the features of an instance in a structure of kind.
func (t *table) describe(whole reflect.Value, in *Instance) {
	for i, v := range t.of(in) {
		whole.Field(len(t.leaves) + i).Set(v)
	}
}

// deconstruct appends the values of a row and of the features in whole.
func (t *table) deconstruct(values parquet.Row, whole, row reflect.Value) parquet.Row {
	for i, leaf := range t.leaves {
		whole.Elem().Field(i).Set(row.FieldByIndex(leaf))
	}
	return t.schema.Deconstruct(values, whole.Interface())
}

// rows yields all rows; what one holds is valid until the next.
func (t *table) rows(ctx context.Context) iter.Seq2[parquet.Row, error] {
	return func(yield func(parquet.Row, error) bool) {
		var (
			whole  = reflect.New(t.kind)
			row    = new(Row)
			ends   [6]float64
			values parquet.Row
			in     *Instance
		)
		for _, p := range t.set.Problems {
			for u, reference := range p.comparisons() {
				if u.In != in {
					in = u.In
					t.describe(whole.Elem(), in)
				}
				p.fill(row, u, reference, p.Distance(u, reference), &ends)
				values = t.deconstruct(values[:0], whole, reflect.ValueOf(row).Elem())
				if !yield(values, ctx.Err()) {
					return
				}
			}
		}
	}
}

// rowGroup is after how many rows a file is written on: until then they are in memory.
const rowGroup = 1 << 17

// WriteParquet writes the rows of all problems, with the features and factors of their instances.
func (s *Set) WriteParquet(ctx context.Context, w io.Writer) error {
	t := s.table(reflect.TypeFor[Row]())
	return t.write(w, "ratios.parquet", t.rows(ctx))
}

func (t *table) write(w io.Writer, name string, rows iter.Seq2[parquet.Row, error]) error {
	pw := parquet.NewGenericWriter[any](
		w, t.schema, parquet.Compression(&zstd.Codec{}), parquet.CreatedBy("schedgap", strconv.Itoa(bench.SchemaVersion), ""),
		parquet.KeyValueMetadata(bench.SchemaKey, strconv.Itoa(bench.SchemaVersion)), parquet.MaxRowsPerRowGroup(rowGroup),
	)
	const together = 256 // rows, which costs less than one by one
	batch, n := make([]parquet.Row, together), 0
	for row, err := range rows {
		batch[n] = append(batch[n][:0], row...)
		if n++; n == together && err == nil {
			_, err = pw.WriteRows(batch)
			n = 0
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	_, err := pw.WriteRows(batch[:n])
	if err = cmp.Or(err, pw.Close()); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// WriteCSV writes the same rows as text, for spreadsheets: the columns' names first, nulls as nothing, numbers with all their
// digits. A text that a spreadsheet would take for a formula gets a mark in front, as OWASP recommends.
func (s *Set) WriteCSV(ctx context.Context, w io.Writer) error {
	t := s.table(reflect.TypeFor[Row]())
	buffer := bufio.NewWriter(w)
	cw := csv.NewWriter(buffer)
	var cells []string
	for _, f := range t.schema.Fields() {
		cells = append(cells, f.Name())
	}
	err := cw.Write(cells)
	for row, rowErr := range t.rows(ctx) {
		for i, v := range row {
			cells[i] = cell(v)
		}
		if err = cmp.Or(err, rowErr, cw.Write(cells)); err != nil {
			break
		}
	}
	if cw.Flush(); err == nil {
		err = cmp.Or(cw.Error(), buffer.Flush())
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
