package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"schedgap/reports/verdicts"
)

// TestClaimPages: the pages under docs/claims, their pictures and the table of verdicts are those that follow from the claims and
// what was measured.
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
	readme := repository(t).read(t, "README.md") // has the table of papers, too
	for _, p := range pages {
		if p.Path == "docs/claims/README.md" {
			_, table, _ := strings.Cut(string(p.Text), "<!-- generated: papers -->")
			table, _, _ = strings.Cut(table, "<!-- end -->")
			before, rest, begins := strings.Cut(readme, "<!-- generated: papers -->")
			_, after, ends := strings.Cut(rest, "<!-- end -->")
			if strings.Count(table, "](") != 5 || !begins || !ends {
				t.Fatalf("no place for five papers:\n%s", table)
			}
			table = strings.ReplaceAll(table, "](", "](docs/claims/")
			pages = append(pages, verdicts.Page{
				Path: "README.md",
				Text: []byte(before + "<!-- generated: papers -->" + table + "<!-- end -->" + after),
			})
		}
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

// TestReproduceClaims: a claim, a figure, a paper by both names; JSON has the keys that scripts depend on; unknown names are
// answered by the nearest.
func TestReproduceClaims(t *testing.T) {
	t.Chdir(t.TempDir())
	one := succeed(t, "reproduce", "shed-c01", "--json")
	for _, key := range []string{
		"id", "statement", "paper", "value", "interval", "envelope", "verdict", "share", "direction_share",
		"band", "decoys", "joint", "p", "experiment", "told", "untold",
	} {
		if !strings.Contains(one, `"`+key+`":`) {
			t.Errorf("no %s in %s", key, one)
		}
	}
	if !strings.HasPrefix(one, `{"id":"shed-c01",`) {
		t.Errorf("a claim is no object: %s", one)
	}
	for name, count := range map[string]int{
		"flex": 41, "flex-2010": 41, "shed": 77, "dollymp-2022": 58, "redundancy": 32,
		"window": 57,
	} {
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
	if e := schedgap(t, "reproduce", "shed-c01", "--seed", "1"); e.code != exitUsage ||
		!strings.Contains(e.stderr, "--seed needs --run") {
		t.Errorf("a seed without a run: exit %d, %q", e.code, e.stderr)
	}
	for given, meant := range map[string]string{
		"sehd": `did you mean "shed"?`, "shed-c001": `did you mean "shed-c01"?`,
		"xyzzy": "--list",
	} {
		if e := schedgap(t, "reproduce", given); e.code != exitUsage || e.stdout != "" || !strings.Contains(e.stderr, meant) {
			t.Errorf("%s: exit %d, %q, want %q", given, e.code, e.stderr, meant)
		}
	}
}

// TestReproduceSeed: other luck is measured into a folder of its own, in a checkout, too, and shown; what is stored stays.
func TestReproduceSeed(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module schedgap\n")
	t.Chdir(dir)
	stored := succeed(t, "reproduce", "flex-c40", "--json")
	other := succeed(t, "reproduce", "flex-c40", "--json", "--run", "--seed", "2")
	if stored == other {
		t.Error("another seed gives the same numbers")
	}
	if again := succeed(t, "reproduce", "flex-c40", "--json"); again != stored {
		t.Error("what is stored has changed")
	}
	if _, err := os.Stat(filepath.Join(dir, "bench")); err == nil {
		t.Error("the checkout was written to")
	}
	if _, err := os.Stat(filepath.Join(dir, "results", "reproduce", "seed-2", "flex-speedup.json")); err != nil {
		t.Error(err)
	}
}
