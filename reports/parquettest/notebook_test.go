package parquettest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"schedgap/models/fail"
	"schedgap/reports/summary"
)

// TestNotebook: the notebook makes every view that the recipes which it runs read, and each before its use.
func TestNotebook(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(scripts, "results.ipynb"))
	fail.On(t, err)
	var notebook struct {
		Cells []struct {
			Type   string `json:"cell_type"`
			Source []string
		}
	}
	fail.On(t, json.Unmarshal(data, &notebook))
	code := ""
	for _, cell := range notebook.Cells {
		if cell.Type == "code" {
			code += strings.Join(cell.Source, "") + "\n"
		}
	}
	recipe, views := map[string]string{}, map[string]string{} // by name; the recipe that makes a view
	made := regexp.MustCompile(`(?i)create view (\w+)`)
	files, err := filepath.Glob(filepath.Join(scripts, "recipes*.sql"))
	fail.On(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		fail.On(t, err)
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

// TestPython: the module for Python has the report's means and profiles, from what report --csv writes and, by DuckDB, from Parquet.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: python3 is not installed")
	}
	dir, _, r := dataset(t)
	module, err := os.ReadFile("../../scripts/python/schedgap.py")
	fail.On(t, err)
	alone := t.TempDir() // without DuckDB for Node.js
	for name, text := range map[string]string{
		"schedgap.py": string(module),
		// The program's part: the rows that it has written for spreadsheets, to the place that --csv names.
		"schedgap": "#!/bin/sh\nwhile [ \"$1\" != --csv ]; do shift; done\ncp '" + filepath.Join(dir, "report/ratios.csv") + "' \"$2\"\n",
	} {
		fail.On(t, os.WriteFile(filepath.Join(alone, name), []byte(text), 0o755))
	}
	for name, path := range map[string]string{"csv": alone, "parquet": "../../scripts/python"} {
		t.Run(name, func(t *testing.T) {
			if name == "parquet" {
				node(t)
			}
			cmd := exec.Command(python, "-c", `import json, sys
import schedgap
dir = sys.argv[1]
if sys.argv[2] == "csv":
    for reader in ("duckdb", "polars", "pyarrow"):
        sys.modules[reader] = None
else:
    assert len(schedgap.instances(dir)) >= 40
print(json.dumps({"gap": schedgap.gap(dir), "family": schedgap.gap(dir, by="family"), "profile": schedgap.profile(dir)}))`, dir, name)
			abs, err := filepath.Abs(path)
			fail.On(t, err)
			cmd.Env = append(os.Environ(), "PYTHONPATH="+abs, "PYTHONDONTWRITEBYTECODE=1", "SCHEDGAP="+filepath.Join(alone, "schedgap"))
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			fail.On(t, err)
			var got map[string][]map[string]any
			fail.On(t, json.Unmarshal(infinite.ReplaceAll(out, []byte(`$1"Infinity"`)), &got))
			asReported(t, r.Problems[0], got)
		})
	}
}

// asReported holds the means and the profiles of schedgap.py to those of the report.
func asReported(t *testing.T, p *summary.Problem, got map[string][]map[string]any) {
	t.Helper()
	held := 0
	for _, want := range p.Ratios {
		_, n := want.OptimalOf()
		known := want.Compared + want.Unsolved
		if want.Mark != "" || known == 0 {
			continue
		}
		one := func(list string) map[string]any {
			for _, row := range got[list] {
				if row["algorithm"] == want.Label && row["reference"] == want.Reference && row["regret"] == want.Regret &&
					(list != "family" || row["family"] == want.Class.String()) {
					return row
				}
			}
			return nil
		}
		list := map[string]string{"": "gap", "family": "family"}[want.By()]
		row := one(list)
		if lead := want.Lead(); row["instances"] != float64(n) || row["compared"] != float64(want.Compared) || row["unsolved"] != float64(want.Unsolved) ||
			!near(row["lo"], float64(lead.Lo)) || !near(row["hi"], float64(lead.Hi)) {
			t.Errorf("%s to %s, %q: schedgap.py has %v, the report %+v over %d", want.Label, want.Reference, want.Class, row, lead, n)
		}
		held++
		if list == "family" {
			continue
		}
		points, _ := one("profile")["points"].([]any)
		lost := want.LeadInfinite() + n - known
		if len(points) != n-lost {
			t.Errorf("%s to %s: %d points of %d instances, %d infinite", want.Label, want.Reference, len(points), n, lost)
		} else if last := float64(n-lost) / float64(n); n > lost && !near(points[n-lost-1].([]any)[1], last) {
			t.Errorf("%s to %s: ends with %v, want the share %v", want.Label, want.Reference, points[n-lost-1], last)
		}
	}
	if held < 16 {
		t.Errorf("only %d means were held to the report's", held)
	}
}
