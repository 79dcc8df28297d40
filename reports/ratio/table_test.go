package ratio_test

import (
	"bytes"
	"encoding/csv"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/reports/internal/fake"
	"schedgap/reports/ratio"
)

// TestTable: the file and the text have the same columns and values, with the features of each row's own instance.
func TestTable(t *testing.T) {
	records, instances := fake.Experiment(12, rand.New(rand.NewPCG(1, 2)))
	for i := range records {
		records[i].Factors = fake.Ptr(`{"load":0.5,"family":"wide"}`)
	}
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()},
		Instance: instances.Find,
	})
	if err != nil {
		t.Fatal(err)
	}
	var file, text bytes.Buffer
	if err := set.WriteParquet(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	if err := set.WriteCSV(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
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
	whole := make([]parquet.Row, f.NumRows())
	rows := f.RowGroups()[0].Rows()
	defer rows.Close()
	if n, err := rows.ReadRows(whole); n != len(whole) {
		t.Fatal(n, err)
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
		if at(line, ratio.FactorPrefix+"load") != "0.5" || at(line, ratio.FactorPrefix+"family") != "wide" {
			t.Errorf("row %d: factors %q, %q", i, at(line, ratio.FactorPrefix+"load"), at(line, ratio.FactorPrefix+"family"))
		}
		for name, value := range instances[at(line, "instance_sha256")].Features {
			if x, ok := value.(float64); ok && at(line, ratio.FeaturePrefix+name) != strconv.FormatFloat(x, 'g', -1, 64) {
				t.Errorf("row %d: feature %s is %v, and %q in the text", i, name, x, at(line, ratio.FeaturePrefix+name))
			}
		}
	}
}

// A text that a spreadsheet would run as a formula is marked; numbers, which may be negative, are not.
func TestFormulas(t *testing.T) {
	records, instances := fake.Experiment(1, rand.New(rand.NewPCG(1, 2)))
	formula := `=HYPERLINK("http://example.com")`
	for i := range records {
		records[i].Suite, records[i].Seed = formula, -5
	}
	set, err := ratio.New(ratio.Input{
		Records: ratio.Pack(records), Problems: []*bench.Problem{fake.Problem()},
		Instance: instances.Find,
	})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := set.WriteCSV(t.Context(), &text); err != nil {
		t.Fatal(err)
	}
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
