package parquettest

import (
	"encoding/json"
	"os"
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
