package milptest

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"schedgap/exact/milp"
)

// Families are the families of rows that a section of a design page states: its second block has a row on each line, which begins with
// the family and its indices in brackets.
func Families(t *testing.T, page, section string) map[string]bool {
	t.Helper()
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(data), "## "+section+"\n")
	text, _, closed := strings.Cut(text, "\n## ")
	blocks := strings.Split(text, "```")
	if !ok || !closed || len(blocks) != 5 {
		t.Fatalf("%s has no section %q with two blocks", page, section)
	}
	families := map[string]bool{}
	for line := range strings.Lines(strings.TrimPrefix(blocks[3], "text\n")) {
		families[strings.FieldsFunc(line, func(r rune) bool { return r == '[' || r == ' ' })[0]] = true
	}
	return families
}

// Exported is the model of an LP file that write writes.
func Exported(t *testing.T, write func(w io.Writer) error) *milp.Model {
	t.Helper()
	var file bytes.Buffer
	if err := write(&file); err != nil {
		t.Fatal(err)
	}
	m, err := milp.ReadLP("page.lp", file.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return m
}
