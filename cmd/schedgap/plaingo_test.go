package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// lineWidth is the longest line, a tab being one column.
const lineWidth = 140

// longText is a string or a tag that is not cut in two for the sake of a line's width.
var longText = regexp.MustCompile("\"[^\"]{60,}\"|`[^`]{60,}(`|$)")

// TestPlainGo: no `if` assigns to a variable of its surroundings in its header, no cmp.Or of errors has effects behind a failure, no
// line of the program is longer than 140 columns, and no comment was broken by an edit that did not wrap its lines again.
func TestPlainGo(t *testing.T) {
	t.Parallel()
	files := 0
	walkTree(t, "../..", func(path string, e fs.DirEntry) {
		if e.IsDir() || !strings.HasSuffix(path, ".go") || strings.Contains(filepath.ToSlash(path), "/testdata/") {
			return
		}
		files++
		for _, found := range plain(t, path, read(t, path)) {
			t.Error(found)
		}
	})
	if files < 500 {
		t.Errorf("%d files", files)
	}
}

// The check finds what it is for.
func TestPlainGoFinds(t *testing.T) {
	text := "package p\n\nfunc f() {\n\tif x = g(); x {\n\t}\n\tif y := g(); y {\n\t}\n\terr = cmp.Or(err, w.Close())\n\treturn cmp.Or(a, b)\n}\n\n" +
		"// " + strings.Repeat("long words ", 12) + "and\n// short\n// " + strings.Repeat("long words ", 12) + "end.\nvar x int\n" +
		"var s = \"" + strings.Repeat("x", 140) + "\"\n" + "var y = 1" + strings.Repeat(" + 1", 40) + "\n"
	got := plain(t, "p.go", text)
	for i, want := range []string{"p.go:4: ", "p.go:8: ", "p.go:13: ", "p.go:17: "} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Fatalf("found %q, want one at %s", got, want)
		}
	}
	if len(got) != 4 {
		t.Errorf("found %q", got)
	}
}

// plain lists what is wrong in a file, by line.
func plain(t *testing.T, path, text string) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(at token.Pos, line int, why string) {
		if at.IsValid() {
			line = set.Position(at).Line
		}
		found = append(found, fmt.Sprintf("%s:%d: %s", path, line, why))
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IfStmt:
			if assign, is := n.Init.(*ast.AssignStmt); n.Init != nil && !(is && assign.Tok == token.DEFINE) {
				add(n.Pos(), 0, "the header of this if changes something outside of it: a line of its own says so")
			}
		case *ast.CallExpr:
			if effects(n) {
				add(n.Pos(), 0, "cmp.Or evaluates later steps after a failure: use steps, or errors.Join")
			}
		}
		return true
	})
	lines := strings.Split(text, "\n")
	for _, group := range file.Comments {
		if group.List[0].Text[:2] != "//" {
			continue
		}
		from := set.Position(group.Pos())
		if strings.TrimSpace(lines[from.Line-1][:from.Column-1]) == "" {
			for _, i := range broken(lines[from.Line-1 : set.Position(group.End()).Line]) {
				add(token.NoPos, from.Line+i, "this comment was not wrapped again after an edit")
			}
		}
	}
	for i, line := range lines {
		if !strings.HasSuffix(path, "_test.go") && utf8.RuneCountInString(line) > lineWidth && !longText.MatchString(line) {
			add(token.NoPos, i+1, fmt.Sprintf("longer than %d columns", lineWidth))
		}
	}
	return found
}

// effects reports whether a call is cmp.Or of errors with a call behind the first.
func effects(call *ast.CallExpr) bool {
	if s, is := call.Fun.(*ast.SelectorExpr); !is || s.Sel.Name != "Or" || fmt.Sprint(s.X) != "cmp" {
		return false
	}
	isErr := func(e ast.Expr) bool {
		id, is := e.(*ast.Ident)
		return is && strings.HasPrefix(id.Name, "err")
	}
	isCall := func(e ast.Expr) bool { _, is := e.(*ast.CallExpr); return is }
	return slices.ContainsFunc(call.Args, isErr) && slices.ContainsFunc(call.Args[1:], isCall)
}

// broken finds the lines of a comment's prose that end early although the next word had room, in the midst of full lines.
func broken(lines []string) (at []int) {
	prose := func(i int) (text string, is bool) {
		text, is = strings.CutPrefix(strings.TrimSpace(lines[i]), "// ")
		return text, is && text != "" && !strings.ContainsAny(text[:1], " \t*-|#")
	}
	for i := 1; i+1 < len(lines); i++ {
		_, full := prose(i - 1)
		text, here := prose(i)
		next, follows := prose(i + 1)
		word, _, _ := strings.Cut(next, " ")
		if full && here && follows && utf8.RuneCountInString(lines[i-1]) > 100 && !strings.HasSuffix(text, ":") &&
			utf8.RuneCountInString(lines[i])+1+utf8.RuneCountInString(word) < 80 {
			at = append(at, i)
		}
	}
	return at
}
