package page

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var imports = regexp.MustCompile(`from '\./([^']+)'`)

// The page's modules do not import each other in a circle.
func TestModulesHaveNoCircle(t *testing.T) {
	files, err := filepath.Glob("app/src/*.js")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	done := map[string]bool{}
	var visit func(file string, path []string)
	visit = func(file string, path []string) {
		if slices.Contains(path, file) {
			t.Errorf("a circle: %v", append(path, file))
			return
		}
		if done[file] {
			return
		}
		text, err := os.ReadFile(filepath.Join("app/src", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imports.FindAllSubmatch(text, -1) {
			visit(string(m[1]), append(path[:len(path):len(path)], file))
		}
		done[file] = true
	}
	for _, file := range files {
		visit(filepath.Base(file), nil)
	}
}
