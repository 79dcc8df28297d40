package catalog

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"schedgap/bench"
)

// contract holds the names of constraints that scripts depend on.
var contract = map[string]string{
	"flex":        "minimum maximum slots work contiguity objective",
	"pocd":        "capacity copies straggler objective",
	"cloning":     "capacity parent arrival copies copies_per_server work after_completion regime objective",
	"redundancy":  "machines share event work arrival speed objective",
	"speculation": "pair slot straggler objective",
}

// TestConstraints: every problem declares the constraints of the contract, each with a statement and a source of one line; its
// checker reports these and no others; what references and algorithms waive is among them.
func TestConstraints(t *testing.T) {
	registry, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range registry.Problems {
		declared := map[string]bool{}
		for _, c := range p.Constraints {
			if declared[c.Name] {
				t.Errorf("%s declares %s twice", p.Name, c.Name)
			}
			declared[c.Name] = true
			for _, text := range []string{c.Name, c.Statement, c.Source} {
				if text == "" || strings.ContainsAny(text, "\n\t") {
					t.Errorf("%s: constraint %+v must have a name, a statement and a source, each of one line", p.Name, c)
				}
			}
		}
		want := strings.Fields(contract[p.Name])
		slices.Sort(want)
		if got := slices.Sorted(maps.Keys(declared)); !slices.Equal(got, want) {
			t.Errorf("%s declares %v, the contract says %v", p.Name, got, want)
		}
		reported := checkerNames(t, filepath.Join("..", "..", "models", p.Name, "check.go"))
		reported["objective"] = true // of a claim, which models.CheckClaim reports
		if got := slices.Sorted(maps.Keys(reported)); !slices.Equal(got, want) {
			t.Errorf("the checker of %s reports %v, declared are %v", p.Name, got, want)
		}
		for _, name := range waived(p) {
			if !declared[name] {
				t.Errorf("%s: %q is waived and no constraint", p.Name, name)
			}
		}
	}
}

// checkerNames are the constraints that a checker's source reports: the first argument of Violate.
func checkerNames(t *testing.T, file string) map[string]bool {
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 3 {
			return true
		}
		called := ""
		switch f := call.Fun.(type) {
		case *ast.Ident:
			called = f.Name
		case *ast.SelectorExpr:
			called = f.Sel.Name
		}
		if called != "Violate" {
			return true
		}
		literal, ok := call.Args[0].(*ast.BasicLit)
		if !ok {
			t.Errorf("%s: a violation whose constraint is not a literal", file)
			return true
		}
		name, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		names[name] = true
		return true
	})
	if len(names) == 0 {
		t.Errorf("%s reports nothing", file)
	}
	return names
}

func waived(p *bench.Problem) []string {
	var names []string
	for _, r := range p.References {
		names = append(names, r.Waives...)
	}
	for i := range p.Algorithms {
		names = append(names, p.Algorithms[i].Waives...)
	}
	return names
}
