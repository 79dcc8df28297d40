// Package parquettest reads the files of a results folder as analysts do: by the documentation, and with programs that have no
// code in common with the one that wrote them.
package parquettest

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"schedgap/bench"
	"schedgap/models/fail"
	"schedgap/reports/ratio"
)

var update = flag.Bool("update", false, "write the tables of docs/results.md instead of comparing with them")

// rows are the structures of the files' rows by the headings of docs/results.md.
var rows = map[string]any{
	"runs": bench.Record{}, "sim": bench.SimRecord{}, "progress": bench.ProgressRecord{}, "ratios": ratio.Row{},
	"instances": ratio.InstanceRow{}, "prices": ratio.PriceRow{},
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

// meanings are the comments on the fields of a structure that is declared in a file, by their columns.
func meanings(t *testing.T, path, structure string) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	fail.On(t, err)
	found := map[string]string{}
	declared := file.Scope.Lookup(structure)
	if declared == nil {
		t.Fatalf("%s does not declare %s", path, structure)
	}
	ast.Inspect(declared.Decl.(ast.Node), func(n ast.Node) bool {
		if f, ok := n.(*ast.Field); ok && f.Tag != nil {
			tag, _ := strconv.Unquote(f.Tag.Value)
			name, _, _ := strings.Cut(reflect.StructTag(tag).Get("parquet"), ",")
			found[name] = strings.Join(strings.Fields(f.Doc.Text()+f.Comment.Text()), " ")
		}
		return true
	})
	return found
}

// docs/results.md has every column of every file, in the file's order, as it is declared: with its type, its unit and its
// meaning.
func TestDocumentation(t *testing.T) {
	const path = "../../docs/results.md"
	data, err := os.ReadFile(path)
	fail.On(t, err)
	docs := string(data)
	if want := "now `" + strconv.Itoa(bench.SchemaVersion) + "`"; !strings.Contains(docs, want) {
		t.Errorf("docs/results.md does not say that the schema's version is %s", want)
	}
	embedded := meanings(t, "../../models/work.go", "Work")
	maps.Copy(embedded, meanings(t, "../../models/work.go", "Findings"))
	const header = "| column | type, unit | meaning |\n|---|---|---|\n"
	inRuns := map[string][2]string{} // type and meaning of its columns
	for _, heading := range []string{"runs", "sim", "progress", "ratios", "prices", "instances"} {
		row := rows[heading]
		kind, file := reflect.TypeOf(row), "../../bench/record.go"
		switch heading {
		case "ratios":
			file = "../ratio/row.go"
		case "prices":
			file = "../ratio/prices.go"
		case "instances":
			file = "../ratio/instances.go"
		}
		says := meanings(t, file, kind.Name())
		columns := map[string]parquet.Field{}
		for _, f := range parquet.SchemaOf(row).Fields() {
			columns[f.Name()] = f
		}
		var table strings.Builder
		var same []string // columns in a row that are as in runs
		flush := func() {
			if len(same) > 0 {
				table.WriteString("| " + strings.Join(same, ", ") + " | | as in runs |\n")
			}
			same = nil
		}
		for _, field := range reflect.VisibleFields(kind) {
			name, _, _ := strings.Cut(field.Tag.Get("parquet"), ",")
			column := columns[name]
			if column == nil {
				continue // embedded, or no column
			}
			unit, meaning := field.Tag.Get("unit"), says[name]
			if len(field.Index) > 1 {
				meaning = embedded[name]
			}
			if unit == "" && (column.Type().Kind() == parquet.Double || strings.HasPrefix(name, "n_")) {
				t.Errorf("%s: %s has no unit", heading, name)
			}
			typed := typeName(column)
			if unit != "" {
				typed += ", " + unit
			}
			if heading == "runs" {
				inRuns[name] = [2]string{typed, meaning}
			} else if r, ok := inRuns[name]; ok && r[0] == typed && (meaning == "" || meaning == r[1]) {
				same = append(same, name)
				continue
			}
			flush()
			cells := []string{"", name, typed, strings.ReplaceAll(meaning, "|", `\|`)}
			table.WriteString(strings.TrimSpace(strings.ReplaceAll(strings.Join(cells, " | ")+" |", "  ", " ")) + "\n")
		}
		flush()
		before, rest, ok := strings.Cut(docs, "\n## "+heading+"\n")
		intro, rest, has := strings.Cut(rest, header)
		old, after, ends := strings.Cut(rest, "\n\n")
		if !ok || !has || !ends {
			t.Fatalf("docs/results.md has no table of %s", heading)
		}
		if d := cmp.Diff(table.String(), old+"\n"); d != "" && !*update {
			t.Errorf("%s (-declared +docs): %s\ngo test ./reports/parquettest -run TestDocumentation -update writes it", heading, d)
		}
		docs = before + "\n## " + heading + "\n" + intro + header + table.String() +
			"\n" + after
	}
	if *update {
		fail.On(t, os.WriteFile(path, []byte(docs), 0o644))
	}
}
