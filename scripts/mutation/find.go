package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// The kinds of changes.
const (
	boundary   = "CONDITIONALS_BOUNDARY" // < and <=, > and >=
	negation   = "CONDITIONALS_NEGATION" // == and !=, < and >=, > and <=
	arithmetic = "ARITHMETIC_BASE"       // + and -, * and /, % becomes *
	counting   = "INCREMENT_DECREMENT"   // ++ and --
	sign       = "INVERT_NEGATIVES"      // -x becomes x
)

// A mutant is a change of one operator.
type mutant struct {
	file         string // below the checkout
	line, column int    // of the operator
	kind, text   string // text is the line's
}

// An edit replaces bytes of a file.
type edit struct {
	at, size int
	text     string
	rank     int // of edits at the same place: what ends comes first, what begins last
}

// The ranks of edits.
const (
	ends = iota
	between
	begins
)

// A packageOf is what go list says of a package.
type packageOf struct {
	Dir, ImportPath, Name, Export string
	GoFiles, CgoFiles             []string
}

// listed are a package, the last, and all that it depends on, compiled.
func listed(pkg string) (all []packageOf, err error) {
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=Dir,ImportPath,Name,Export,GoFiles,CgoFiles", "./"+pkg)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", pkg, err)
	}
	for lines := json.NewDecoder(bytes.NewReader(out)); ; {
		var p packageOf
		if err := lines.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list %s: %w", pkg, err)
		}
		all = append(all, p)
	}
}

// A finder collects the changes of a package.
type finder struct {
	fset    *token.FileSet
	info    types.Info
	mutants []mutant
	edits   map[string][]edit // by file
	keep    func(m mutant) bool

	name  string // of the file, below the checkout
	text  []byte
	lines []string
}

// find finds the changes that keep lets through; a change's number is its place in the list and one more.
func find(pkg string, keep func(mutant) bool) (*finder, packageOf, error) {
	all, err := listed(pkg)
	if err != nil {
		return nil, packageOf{}, err
	}
	p := all[len(all)-1]
	f := &finder{
		fset: token.NewFileSet(), edits: map[string][]edit{}, keep: keep,
		info: types.Info{Types: map[ast.Expr]types.TypeAndValue{}},
	}
	var files []*ast.File
	for _, name := range append(slices.Clone(p.GoFiles), p.CgoFiles...) {
		file, err := parser.ParseFile(f.fset, filepath.Join(p.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return nil, p, err
		}
		files = append(files, file)
	}
	exports := map[string]string{}
	for _, d := range all {
		exports[d.ImportPath] = d.Export
	}
	check := types.Config{FakeImportC: true, Importer: importer.ForCompiler(f.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	if _, err := check.Check(p.ImportPath, f.fset, files, &f.info); err != nil {
		return nil, p, err
	}
	for _, file := range files[:len(p.GoFiles)] { // cgo rewrites the others
		f.name = pkg + "/" + filepath.Base(f.fset.Position(file.Pos()).Filename)
		f.text, err = os.ReadFile(f.name)
		if err != nil {
			return nil, p, err
		}
		f.lines = strings.Split(string(f.text), "\n")
		ast.Inspect(file, f.visit)
	}
	return f, p, nil
}

// add is the number of a change at an operator, 0 if it is not kept.
func (f *finder) add(at token.Pos, kind string) int {
	place := f.fset.Position(at)
	m := mutant{f.name, place.Line, place.Column, kind, strings.TrimSpace(f.lines[place.Line-1])}
	if !f.keep(m) {
		return 0
	}
	f.mutants = append(f.mutants, m)
	return len(f.mutants)
}

func (f *finder) replace(at token.Pos, size int, text string, rank int) {
	f.edits[f.name] = append(f.edits[f.name], edit{f.fset.Position(at).Offset, size, text, rank})
}

// visit is for ast.Inspect, which comes to an expression before its operands.
func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.binary(n)
	case *ast.UnaryExpr:
		if n.Op == token.SUB && f.number(n) {
			if i := f.add(n.OpPos, sign); i > 0 {
				f.replace(n.OpPos, 1, fmt.Sprintf("mutantMinus(%d, ", i), begins)
				f.replace(n.End(), 0, ")", ends)
			}
		}
	case *ast.IncDecStmt:
		f.count(n)
	}
	return true
}

// functions are what stands for an operator between two values.
var functions = map[token.Token]string{
	token.LSS: "mutantLess", token.LEQ: "mutantAtMost", token.GTR: "mutantMore", token.GEQ: "mutantAtLeast",
	token.ADD: "mutantPlus", token.SUB: "mutantWithout", token.MUL: "mutantTimes", token.QUO: "mutantOver", token.REM: "mutantRest",
}

func (f *finder) binary(n *ast.BinaryExpr) {
	switch n.Op {
	case token.EQL, token.NEQ:
		if !f.truth(n) {
			return
		}
		if i := f.add(n.OpPos, negation); i > 0 {
			f.replace(n.Pos(), 0, fmt.Sprintf("mutantNot(%d, ", i), begins)
			f.replace(n.End(), 0, ")", ends)
		}
		return
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		if !f.truth(n) || !f.ordered(n) {
			return
		}
		i, j := f.add(n.OpPos, boundary), f.add(n.OpPos, negation)
		if i+j > 0 {
			f.call(n, fmt.Sprintf("%s(%d, %d, ", functions[n.Op], i, j))
		}
	case token.ADD, token.SUB, token.MUL, token.QUO, token.REM:
		if !f.number(n) {
			return
		}
		if i := f.add(n.OpPos, arithmetic); i > 0 {
			f.call(n, fmt.Sprintf("%s(%d, ", functions[n.Op], i))
		}
	}
}

// call puts a function in the place of an operator.
func (f *finder) call(n *ast.BinaryExpr, begin string) {
	f.replace(n.Pos(), 0, begin, begins)
	f.replace(n.OpPos, len(n.Op.String()), ",", between)
	f.replace(n.End(), 0, ")", ends)
}

// count changes x++ into an assignment, unless finding x has effects.
func (f *finder) count(n *ast.IncDecStmt) {
	pure := f.number(n.X)
	ast.Inspect(n.X, func(n ast.Node) bool {
		_, calls := n.(*ast.CallExpr)
		pure = pure && !calls
		return true
	})
	if !pure {
		return
	}
	if i := f.add(n.TokPos, counting); i > 0 {
		by := map[token.Token]int{token.INC: 1, token.DEC: -1}[n.Tok]
		x := f.text[f.fset.Position(n.X.Pos()).Offset:f.fset.Position(n.X.End()).Offset]
		f.replace(n.TokPos, 2, fmt.Sprintf(" = mutantCount(%d, %d, %s)", i, by, x), between)
	}
}

// basic returns a value's type if it is a basic one and no constant.
func (f *finder) basic(x ast.Expr) *types.Basic {
	t := f.info.Types[x]
	if t.Type == nil || t.Value != nil {
		return nil
	}
	if _, generic := t.Type.(*types.TypeParam); generic {
		return nil
	}
	b, _ := t.Type.Underlying().(*types.Basic)
	return b
}

func (f *finder) number(x ast.Expr) bool {
	b := f.basic(x)
	return b != nil && b.Info()&(types.IsInteger|types.IsFloat) != 0
}

// truth reports whether an expression is a bool, of no type of its own.
func (f *finder) truth(x ast.Expr) bool {
	b, ok := f.info.Types[x].Type.(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0 && f.info.Types[x].Value == nil
}

// ordered reports whether the operands are numbers or strings, of which one is no constant.
func (f *finder) ordered(n *ast.BinaryExpr) bool {
	b := cmp.Or(f.basic(n.X), f.basic(n.Y))
	return b != nil && b.Info()&types.IsOrdered != 0
}

// changed is a file with all its edits.
func changed(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.rank, b.rank)) })
	var out []byte
	at := 0
	for _, e := range edits {
		out = append(append(out, text[at:e.at]...), e.text...)
		at = e.at + e.size
	}
	return append(out, text[at:]...)
}
