package catalog

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/bench/plan/suite"
)

// block is the first code block of a language in a page of docs.
func block(t *testing.T, page, language string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", page))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "```"+language+"\n")
	code, _, found := strings.Cut(rest, "```")
	if !found {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return code
}

// TestDocumentedSuite: the suite that docs/using.md shows is one, and every key that a suite may have is in it or named beside
// it.
func TestDocumentedSuite(t *testing.T) {
	code := block(t, "docs/using.md", "yaml")
	suites, err := suite.ParseAll("docs/using.md", []byte(code))
	if err != nil {
		t.Fatal(err)
	}
	s := suites[0]
	if len(s.Instances) != 4 || len(s.Algorithms) != 5 || len(s.Solvers) != 3 || len(s.Seeds) != 3 || !s.PinCPUs ||
		len(s.Env) != 1 || len(s.Watch) != 1 {
		t.Errorf("%+v", s)
	}
}

// TestDocumentedSolvers: the solvers that docs/solvers.md describes are known by their names.
func TestDocumentedSolvers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "solvers.json")
	if err := os.WriteFile(file, []byte(block(t, "docs/solvers.md", "json")), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SCHEDGAP_SOLVERS", file)
	all, err := Solvers()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"scip", "cbc-loose"} {
		found := false
		for _, s := range all {
			found = found || s.Name == name
		}
		if !found {
			t.Errorf("%s is not known", name)
		}
	}
}
