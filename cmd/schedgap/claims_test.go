package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/reports/verdicts"
)

// TestClaimPages: the pages under docs/claims, their pictures and the table of verdicts are those that follow from the claims and what
// was measured.
func TestClaimPages(t *testing.T) {
	sources, err := verdicts.Stored()
	if err != nil {
		t.Fatal(err)
	}
	book, err := verdicts.New(sources)
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join("..", "..")
	files := filesOf(root)
	pages, err := book.Pages(files)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pages {
		if !*update {
			if have, err := files(p.Path); err != nil || string(have) != string(p.Text) {
				t.Errorf("%s is not what follows; go test ./cmd/schedgap -run ClaimPages -update writes it", p.Path)
			}
			continue
		}
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(p.Path)), p.Text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReproduceClaims: a claim, a figure, a paper by both names; JSON has the keys that scripts depend on; unknown names are answered
// by the nearest.
func TestReproduceClaims(t *testing.T) {
	t.Chdir(t.TempDir())
	one := succeed(t, "reproduce", "shed-c01", "--json")
	for _, key := range []string{"id", "statement", "paper", "value", "interval", "envelope", "verdict", "experiment", "told", "untold"} {
		if !strings.Contains(one, `"`+key+`":`) {
			t.Errorf("no %s in %s", key, one)
		}
	}
	if !strings.HasPrefix(one, `{"id":"shed-c01",`) {
		t.Errorf("a claim is no object: %s", one)
	}
	for name, count := range map[string]int{"flex": 41, "flex-2010": 41, "shed": 72, "dollymp-2022": 53, "redundancy": 31, "window": 54} {
		if list := succeed(t, "reproduce", name, "--json"); list[0] != '[' || strings.Count(list, `"id":`) != count {
			t.Errorf("%s: %d claims, want %d", name, strings.Count(list, `"id":`), count)
		}
	}
	if svg, err := filepath.Glob(filepath.Join("results", "reproduce", "*.svg")); err != nil || len(svg) < 5 {
		t.Errorf("drawn: %v, %v", svg, err)
	}
	if names := succeed(t, "reproduce", "--list"); !strings.Contains(names, "\nshed-c01 ") || !strings.Contains(names, "\nwindow ") {
		t.Errorf("listed: %s", names)
	}
	for given, meant := range map[string]string{"sehd": `did you mean "shed"?`, "shed-c001": `did you mean "shed-c01"?`, "xyzzy": "--list"} {
		if e := schedgap(t, "reproduce", given); e.code != exitUsage || e.stdout != "" || !strings.Contains(e.stderr, meant) {
			t.Errorf("%s: exit %d, %q, want %q", given, e.code, e.stderr, meant)
		}
	}
}
