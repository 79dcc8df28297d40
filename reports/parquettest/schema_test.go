// Package parquettest reads the files of a results folder as analysts do: by the documentation, and with programs that have no
// code in common with the one that wrote them.
package parquettest

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/reports/ratio"
)

// A column is one line of a table of docs/results.md.
type column struct{ Name, Type string }

var heading = regexp.MustCompile(`(?m)^## (\w+)$`)

// documented returns the columns by the heading of their table, and fails on a quantity without a unit.
func documented(t *testing.T) map[string][]column {
	t.Helper()
	data, err := os.ReadFile("../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "now `" + strconv.Itoa(bench.SchemaVersion) + "`"; !strings.Contains(string(data), want) {
		t.Errorf("docs/results.md does not say that the schema's version is %s", want)
	}
	out := map[string][]column{}
	text := string(data)
	for _, at := range heading.FindAllStringSubmatchIndex(text, -1) {
		name := text[at[2]:at[3]]
		body, _, _ := strings.Cut(text[at[1]:], "\n## ")
		_, table, ok := strings.Cut(body, "| column | type | unit | meaning |\n|---|---|---|---|\n")
		if !ok {
			continue
		}
		table, _, _ = strings.Cut(table, "\n\n")
		for line := range strings.SplitSeq(strings.TrimSpace(table), "\n") {
			cells := strings.Split(strings.ReplaceAll(line, `\|`, "¦"), "|")
			if len(cells) != 6 {
				t.Fatalf("%s: the line %q has not four cells", name, line)
			}
			c := column{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])}
			number := strings.HasPrefix(c.Type, "float64") || strings.HasPrefix(c.Name, "n_")
			if number && strings.TrimSpace(cells[3]) == "" {
				t.Errorf("%s: %s has no unit", name, c.Name)
			}
			out[name] = append(out[name], c)
		}
	}
	return out
}

// typeName is how the documentation calls a column's type.
func typeName(f parquet.Field) string {
	name := map[parquet.Kind]string{
		parquet.Boolean: "bool", parquet.Int64: "int64", parquet.Double: "float64", parquet.ByteArray: "text",
	}[f.Type().Kind()]
	if strings.HasPrefix(f.Type().String(), "TIMESTAMP") {
		name = "timestamp"
	}
	if f.Optional() {
		name += ", null"
	}
	return name
}

// docs/results.md has every column of every file, in the file's order, with its type and unit, and no other.
func TestDocumentation(t *testing.T) {
	docs := documented(t)
	for name, schema := range map[string]*parquet.Schema{
		"runs": parquet.SchemaOf(bench.Record{}), "sim": parquet.SchemaOf(bench.SimRecord{}), "ratios": parquet.SchemaOf(ratio.Row{}),
	} {
		var want []column
		for _, f := range schema.Fields() {
			want = append(want, column{f.Name(), typeName(f)})
		}
		if d := cmp.Diff(want, docs[name]); d != "" {
			t.Errorf("%s (-file +docs): %s", name, d)
		}
	}
}
