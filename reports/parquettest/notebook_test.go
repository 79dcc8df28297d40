package parquettest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestNotebook: the notebook makes every view that the recipes which it runs read, and each before its use.
func TestNotebook(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(scripts, "results.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	var notebook struct {
		Cells []struct {
			Type   string `json:"cell_type"`
			Source []string
		}
	}
	if err := json.Unmarshal(data, &notebook); err != nil {
		t.Fatal(err)
	}
	code := ""
	for _, cell := range notebook.Cells {
		if cell.Type == "code" {
			code += strings.Join(cell.Source, "") + "\n"
		}
	}
	recipe, views := map[string]string{}, map[string]string{} // by name; the recipe that makes a view
	made := regexp.MustCompile(`(?i)create view (\w+)`)
	files, err := filepath.Glob(filepath.Join(scripts, "recipes*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "-- name: ")[1:] {
			name, sql, _ := strings.Cut(part, "\n")
			recipe[name] = sql
			for _, view := range made.FindAllStringSubmatch(sql, -1) {
				views[view[1]] = name
			}
		}
	}
	var known []string // the views that there are
	read := regexp.MustCompile(`(?i)\b(?:from|join|unpivot) (\w+)`)
	runs := func(name string) {
		if recipe[name] == "" {
			t.Errorf("there is no recipe %q", name)
		}
		for _, from := range read.FindAllStringSubmatch(recipe[name], -1) {
			if by := views[from[1]]; by != "" && by != name && !slices.Contains(known, from[1]) {
				t.Errorf("the recipe %q reads %s, which is no view of the notebook", name, from[1])
			}
		}
		for _, view := range made.FindAllStringSubmatch(recipe[name], -1) {
			known = append(known, view[1])
		}
	}
	for _, used := range regexp.MustCompile(`recipes\["(.*?)"\]|recipe\("(.*?)"\)`).FindAllStringSubmatch(code, -1) {
		runs(used[1] + used[2])
	}
	if len(known) < 3 {
		t.Errorf("the notebook makes the views %q", known)
	}
}

// TestFrames: the notebook's cells for pandas and for polars give the means that DuckDB gives, where these are installed.
func TestFrames(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: python3 is not installed")
	}
	run := node(t)
	dir, _, _ := dataset(t)
	sql, err := os.ReadFile(filepath.Join(scripts, "recipes-ratios.sql"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]map[string]any{}
	for _, row := range recipes(t, run(dir, string(sql), "duckdb.mjs"))["geometric mean ratio"] {
		want[fmt.Sprint(row["problem"], row["reference"], row["algorithm"])] = row
	}
	notebook, err := filepath.Abs(filepath.Join(scripts, "results.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	for name, rows := range map[string]string{
		"by_pandas": "by_pandas.reset_index()[keys + ['lo', 'hi']].values.tolist()",
		"by_polars": "[list(r) for r in by_polars.select(keys + ['lo', 'hi']).rows()]",
	} {
		t.Run(name, func(t *testing.T) {
			script := fmt.Sprintf(`import json
from pathlib import Path
report = Path("report")
cell = next(s for s in ("".join(c["source"]) for c in json.load(open(%q))["cells"]) if s.startswith("%s = None"))
exec(cell)
print(json.dumps(None if %s is None else %s))`, notebook, name, name, rows)
			cmd := exec.Command(python, "-c", script)
			cmd.Dir = dir
			out, err := cmd.CombinedOutput()
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			var got [][]any
			if err := json.Unmarshal(infinite.ReplaceAll([]byte(lines[len(lines)-1]), []byte(`$1"Infinity"`)), &got); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if got == nil {
				t.Skip(lines[0])
			}
			held := 0
			for _, row := range got {
				w := want[fmt.Sprint(row[:3]...)] // none of an algorithm by two solvers, which cells take together
				if w == nil {
					continue
				}
				held++
				if !near(w["ratio_lo"], row[3]) || !near(w["ratio_hi"], row[4]) {
					t.Errorf("%v, DuckDB has %v", row, w)
				}
			}
			if held < 4 {
				t.Errorf("%d rows are DuckDB's, too", held)
			}
		})
	}
}
