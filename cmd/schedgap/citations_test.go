package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// The forms of a citation. A path counts as one of this repository when it begins with one of its folders, or is a Markdown file.
var (
	citedPath     = regexp.MustCompile(`(?:^|[\s(\["'\x60=])((?:[A-Za-z0-9_.*{},-]+/)*[A-Za-z0-9_.*{},-]+)((?:#[\p{L}0-9_-]+)?)`)
	citedLink     = regexp.MustCompile(`\[[^\]]*\]\(([^)\s]+)\)`)
	citedSection  = regexp.MustCompile(`\.md,? ?§`)
	leavesRoot    = regexp.MustCompile(`(?:^|[^./\w])((?:\.\./)+[\w./-]*)`)
	joinsUp       = regexp.MustCompile(`filepath\.Join\(((?:"\.\.", )+)"([^"]*)"`)
	machinePath   = regexp.MustCompile(`(?:^|[\s"'(\x60=])/(?:home|root|Users)/\w`)
	changesFolder = regexp.MustCompile(`(?m)^cd "\$\(dirname "\$0"\)/([\w./-]+)"`)
	heading       = regexp.MustCompile(`(?m)^#{1,6} (.+)$`)
)

// written are Markdown files that the program writes; they are not of this repository.
var written = []string{"summary.md", "compare.md", "why.md"}

// outsideNames are names that tests hand to what must refuse them.
var outsideNames = []string{"../../settings"}

// TestCitations: every file, section and anchor that is cited in code, messages, docs, scripts or configuration is
// there, and no path leads out of the repository. One script may look for traces beside the checkout.
func TestCitations(t *testing.T) {
	t.Parallel()
	r := repository(t)
	for _, file := range r.texts {
		text := r.read(t, file)
		place := file
		if m := changesFolder.FindStringSubmatch(text); m != nil { // paths of a script are seen from the folder that it works in
			place = path.Join(path.Dir(file), m[1], path.Base(file))
		}
		for i, line := range strings.Split(text, "\n") {
			if file == "cmd/schedgap/citations_test.go" || file == ".ci/run" && strings.Contains(line, "../shared/traces") {
				continue
			}
			if strings.HasPrefix(line, "cd ") && changesFolder.MatchString(line) {
				continue
			}
			for _, fault := range r.faults(t, place, line) {
				t.Errorf("%s:%d: %s", file, i+1, fault)
			}
		}
	}
	if len(r.texts) < 300 {
		t.Errorf("only %d files were looked at", len(r.texts))
	}
}

// TestCitationsAreSeen: the test above finds what it is there for.
func TestCitationsAreSeen(t *testing.T) {
	r := repository(t)
	for line, fault := range map[string]string{
		"// the definition in problems.md §1":                 "section",
		"// see claims.md, FLEX 2":                            "claims.md",
		"// proven in docs/design/nothing.md":                 "nothing.md",
		"// docs/problems/flex.md#no-such-section":            "no-such-section",
		"// the bound (exact/flex/nosuch.go)":                 "nosuch.go",
		"[the list](../../../shared/claims.csv)":              "leads out",
		`f, err := os.Open("../../../shared/x.csv")`:          "leads out",
		`filepath.Join("..", "..", "..", "shared", "papers")`: "leads out",
		"cd /home/me/main":                                    "this machine",
		"[flex](../docs/nosuch/flex.md)":                      "leads out of the repository or nowhere",
	} {
		faults := strings.Join(r.faults(t, "docs/using.md", line), "; ")
		if strings.Contains(line, "filepath") || strings.Contains(line, "//") {
			faults = strings.Join(r.faults(t, "exact/flex/model_grid.go", line), "; ")
		}
		if !strings.Contains(faults, fault) {
			t.Errorf("%q: found %q, want %q", line, faults, fault)
		}
	}
	for _, line := range []string{
		"// docs/problems/flex.md#objective and exact/flex/model_grid.go", "| `models/<problem>` | flex.md |", "exact/*/oracle",
	} {
		if faults := r.faults(t, "docs/problems/pocd.md", line); len(faults) > 0 {
			t.Errorf("%q: %v", line, faults)
		}
	}
}

// A repo is this repository as far as citations go.
type repo struct {
	root    string
	paths   map[string]bool // files and folders
	top     map[string]bool // folders of the first level
	texts   []string
	anchors map[string][]string // of Markdown files, as they were asked for
}

func repository(t *testing.T) *repo {
	r := &repo{root: filepath.Join("..", ".."), paths: map[string]bool{}, top: map[string]bool{}, anchors: map[string][]string{}}
	kinds := []string{".go", ".md", ".yaml", ".yml", ".js", ".ts", ".mjs", ".py", ".sh", ".ipynb", ".css", ".html", ".json", ".toml"}
	walkTree(t, r.root, func(file string, d fs.DirEntry) {
		name, err := filepath.Rel(r.root, file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		if d.IsDir() {
			r.paths[name] = true
			if name != "." && !strings.Contains(name, "/") {
				r.top[name] = true
			}
			return
		}
		r.paths[name] = true
		script := path.Ext(name) == "" && (strings.HasPrefix(name, "scripts/") || strings.HasPrefix(name, ".ci/") || name == "Makefile")
		if !strings.Contains(name, "testdata/") && (script || slices.Contains(kinds, path.Ext(name))) {
			r.texts = append(r.texts, name)
		}
	})
	return r
}

func (r *repo) read(t *testing.T, file string) string {
	data, err := os.ReadFile(filepath.Join(r.root, file))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// faults are what is wrong with the citations of a line of a file.
func (r *repo) faults(t *testing.T, file, line string) []string {
	var list []string
	has := func(text string) bool { return strings.Contains(line, text) } // spares most lines the regular expressions
	if has("§") && citedSection.MatchString(line) {
		list = append(list, "a section is cited by its number, not by its anchor")
	}
	if (has("/home/") || has("/root/") || has("/Users/")) && machinePath.MatchString(line) {
		list = append(list, "a path of this machine")
	}
	if has("../") {
		for _, m := range leavesRoot.FindAllStringSubmatch(line, -1) {
			if strings.HasPrefix(path.Join(path.Dir(file), m[1]), "..") && !slices.Contains(outsideNames, m[1]) {
				list = append(list, m[1]+" leads out of the repository")
			}
		}
	}
	if has(`".."`) {
		for _, m := range joinsUp.FindAllStringSubmatch(line, -1) {
			if strings.Count(m[1], "..") > strings.Count(file, "/") {
				list = append(list, "filepath.Join leads out of the repository")
			}
		}
	}
	if strings.HasSuffix(file, ".md") {
		for _, m := range citedLink.FindAllStringSubmatch(line, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target, anchor, _ := strings.Cut(m[1], "#")
			target = path.Join(path.Dir(file), target)
			if path.Clean(strings.SplitN(m[1], "#", 2)[0]) == "." {
				target = file
			}
			list = append(list, r.missing(t, target, anchor, m[1])...)
		}
		line = citedLink.ReplaceAllString(line, "")
	}
	if !strings.Contains(line, ".md") && !r.namesFolder(line) {
		return list
	}
	for _, m := range citedPath.FindAllStringSubmatch(line, -1) {
		name, anchor := strings.TrimRight(m[1], ".,"), strings.TrimPrefix(m[2], "#")
		first, _, below := strings.Cut(name, "/")
		markdown := strings.HasSuffix(name, ".md")
		switch {
		case name == ".md" || slices.Contains(written, path.Base(name)) || strings.HasPrefix(name, "../") ||
			strings.ContainsAny(name, "{}"):
		case markdown && r.has(path.Join(path.Dir(file), name)):
			list = append(list, r.missing(t, path.Join(path.Dir(file), name), anchor, name)...)
		case markdown || below && r.top[first] && strings.Contains(path.Base(name), ".") && !strings.Contains(name, "..."):
			list = append(list, r.missing(t, name, anchor, name)...)
		}
	}
	return list
}

func (r *repo) namesFolder(line string) bool {
	for folder := range r.top {
		if strings.Contains(line, folder+"/") {
			return true
		}
	}
	return false
}

// missing reports a cited file that is not there, or an anchor that it does not have.
func (r *repo) missing(t *testing.T, file, anchor, cited string) []string {
	if !r.has(file) {
		return []string{cited + " leads out of the repository or nowhere"}
	}
	if anchor == "" || !strings.HasSuffix(file, ".md") || strings.Contains(file, "*") {
		return nil
	}
	if r.anchors[file] == nil {
		for _, m := range heading.FindAllStringSubmatch(r.read(t, file), -1) {
			r.anchors[file] = append(r.anchors[file], slug(m[1]))
		}
	}
	if !slices.Contains(r.anchors[file], anchor) {
		return []string{file + " has no section #" + anchor}
	}
	return nil
}

// has reports whether a file or folder, or one that a pattern fits, is in the repository.
func (r *repo) has(name string) bool {
	if r.paths[name] || !strings.Contains(name, "*") {
		return r.paths[name]
	}
	for p := range r.paths {
		if ok, err := path.Match(name, p); ok && err == nil {
			return true
		}
	}
	return false
}

// slug is the anchor of a heading: lower case, spaces as hyphens, no other punctuation.
func slug(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == ' ' || c == '-':
			return '-'
		case c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c):
			return unicode.ToLower(c)
		}
		return -1
	}, text)
}
