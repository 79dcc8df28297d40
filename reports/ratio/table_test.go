package ratio

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/internal/fake"
)

// TestTable: the file and the text have the same columns and values, with the features of each row's own instance. The file is in groups of
// rows. A writer that fails, and the end of the context, end every file with their error.
func TestTable(t *testing.T) {
	records, instances := fake.Experiment(40, rand.New(rand.NewPCG(1, 2)))
	for i := range records {
		records[i].Factors = fake.Ptr(`{"load":0.5,"family":"wide"}`)
	}
	set, err := New(Input{
		Records: Pack(records), Problems: []*bench.Problem{fake.Problem()},
		Instance: instances.Find,
	})
	fail.On(t, err)
	var file, text bytes.Buffer
	row := new(Row)
	table := set.table(row)
	table.group = 2 * together
	fail.On(t, table.write(&file, "ratios.parquet", table.ratios(t.Context(), row)))
	fail.On(t, set.WriteCSV(t.Context(), &text))
	lines, err := csv.NewReader(&text).ReadAll()
	fail.On(t, err)
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	fail.On(t, err)
	var columns []string
	for _, field := range f.Schema().Fields() {
		columns = append(columns, field.Name())
	}
	if !slices.Equal(columns, lines[0]) {
		t.Errorf("%q in the file, %q in the text", columns, lines[0])
	}
	at := func(line []string, column string) string { return line[slices.Index(columns, column)] }
	if int(f.NumRows()) != len(lines)-1 || len(lines) < len(records) {
		t.Fatalf("%d rows and %d lines of %d units", f.NumRows(), len(lines)-1, len(records))
	}
	// A difference of 0 is a number, not a null.
	n, zeros := 0, 0
	for row := range set.Problems[0].Rows() {
		n++
		want := ""
		if row.DifferenceLo != nil {
			want = strconv.FormatFloat(*row.DifferenceLo, 'g', -1, 64)
			if *row.DifferenceLo == 0 {
				zeros++
			}
		}
		if got := at(lines[n], "difference_lo"); got != want {
			t.Errorf("row %d: difference_lo %q, want %q", n, got, want)
		}
	}
	if zeros == 0 {
		t.Error("no difference is 0")
	}
	var whole []parquet.Row
	for i, group := range f.RowGroups() {
		want := min(table.group, n-len(whole))
		part, rows := make([]parquet.Row, want), group.Rows()
		if n, err := rows.ReadRows(part); n != want || int(group.NumRows()) != want {
			t.Fatalf("group %d has %d rows, want %d; %v", i, group.NumRows(), want, err)
		}
		for i := range part {
			whole = append(whole, part[i].Clone())
		}
		rows.Close()
	}
	if n <= table.group {
		t.Fatalf("%d rows are one group", n)
	}
	for i, line := range lines[1:] {
		for c, v := range whole[i] {
			if !v.IsNull() && v.Kind() == parquet.Double {
				if x, err := strconv.ParseFloat(line[c], 64); err != nil || x != v.Double() {
					t.Fatalf("row %d, %s: %v in the file, %q in the text", i, columns[c], v, line[c])
				}
			} else if v.IsNull() != (line[c] == "") || !v.IsNull() && v.String() != line[c] {
				t.Fatalf("row %d, %s: %v in the file, %q in the text", i, columns[c], v, line[c])
			}
		}
		if at(line, FactorPrefix+"load") != "0.5" || at(line, FactorPrefix+"family") != "wide" {
			t.Errorf("row %d: factors %q, %q", i, at(line, FactorPrefix+"load"), at(line, FactorPrefix+"family"))
		}
		for name, value := range instances[at(line, "instance_sha256")].Features {
			if x, ok := value.(float64); ok && at(line, FeaturePrefix+name) != strconv.FormatFloat(x, 'g', -1, 64) {
				t.Errorf("row %d: feature %s is %v, and %q in the text", i, name, x, at(line, FeaturePrefix+name))
			}
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for i, write := range []func(context.Context, io.Writer) error{set.WriteParquet, set.WriteCSV, set.WriteInstances, set.WritePrices} {
		if err := write(over, io.Discard); !errors.Is(err, context.Canceled) {
			t.Errorf("file %d, after the end: %v", i, err)
		}
		if err := write(t.Context(), full{}); !errors.Is(err, errFull) {
			t.Errorf("file %d, where there is no room: %v", i, err)
		}
	}
}

var errFull = errors.New("no room")

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// A text that a spreadsheet would run as a formula is marked; numbers, which may be negative, are not.
func TestFormulas(t *testing.T) {
	records, instances := fake.Experiment(1, rand.New(rand.NewPCG(1, 2)))
	formula := `=HYPERLINK("http://example.com")`
	for i := range records {
		records[i].Suite, records[i].Seed = formula, -5
	}
	set, err := New(Input{
		Records: Pack(records), Problems: []*bench.Problem{fake.Problem()},
		Instance: instances.Find,
	})
	fail.On(t, err)
	var text bytes.Buffer
	fail.On(t, set.WriteCSV(t.Context(), &text))
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(lines) < 2 {
		t.Fatal(len(lines), err)
	}
	suite, seed := slices.Index(lines[0], "suite"), slices.Index(lines[0], "seed")
	for _, line := range lines[1:] {
		if line[suite] != "'"+formula || line[seed] != "-5" {
			t.Fatalf("%q, %q", line[suite], line[seed])
		}
	}
}

// A set without results has files without rows, all the same. The race detector, which checks pointers, must have nothing against it.
func TestFilesWithoutRows(t *testing.T) {
	set, err := New(Input{Problems: []*bench.Problem{fake.Problem()}})
	fail.On(t, err)
	for _, write := range []func(context.Context, io.Writer) error{set.WriteParquet, set.WriteInstances, set.WritePrices} {
		var file bytes.Buffer
		fail.On(t, write(t.Context(), &file))
		f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil || f.NumRows() != 0 || len(f.Schema().Columns()) == 0 {
			t.Errorf("%v: %v", f, err)
		}
	}
}
