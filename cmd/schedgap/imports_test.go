package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers are the import rules: what a folder's packages may import of the module. The longest folder that fits counts; a
// package may always import its own layer.
//
//	models ← {heuristics, exact, datasets} ← bench/catalog ← cmd
//	models ← exact/verify/core ← exact/verify/PROBLEM ← exact/verify/referee ← cmd/schedcheck
//	exact/verify/PROBLEM ← exact
//	models ← bench ← bench/library ← bench/plan ← bench/run ← bench/score ← cmd
//	bench/run ← reports ← cmd
//	datasets/event ← datasets/table ← datasets/formats ← datasets/trace ← datasets
var layers = map[string][]string{
	"models":       nil,
	"heuristics":   {"models"},
	"exact":        slices.Concat([]string{"models"}, verifiers, cloningMethods),
	"exact/verify": slices.Concat([]string{"models"}, verifiers),

	// A method of cloning knows only methods before it.
	"exact/cloning/bounds":       {"models", "exact", "exact/verify/cloning", "exact/verify/cloning/kernel"},
	"exact/cloning/pricing":      {"models", "exact/verify/cloning", "exact/verify/cloning/kernel"},
	"exact/cloning/values":       {"models", "exact/verify/cloning/kernel"},
	"exact/cloning/schedule":     {"models", "exact/verify/cloning/kernel", "exact/cloning/bounds", "exact/cloning/values"},
	"exact/cloning/search":       slices.Concat(cloningMethods[:4], verifiers, []string{"models", "exact"}),
	"exact/cloning/formulations": slices.Concat(cloningMethods[:5], verifiers, []string{"models", "exact"}),

	"exact/verify/core":           {"models"},
	"exact/verify/onemachine":     {"models"},
	"exact/verify/flex":           {"models", "exact/verify/core", "exact/verify/onemachine"},
	"exact/verify/pocd":           {"models", "exact/verify/core"},
	"exact/verify/cloning":        {"models", "exact/verify/core", "exact/verify/cloning/kernel"},
	"exact/verify/cloning/kernel": {"models"},
	"exact/verify/redundancy":     {"models", "exact/verify/core"},
	"exact/verify/speculation":    {"models", "exact/verify/core"},

	"datasets":         {"models", "datasets/event", "datasets/table", "datasets/formats", "datasets/trace"},
	"datasets/trace":   {"models", "datasets/event", "datasets/table", "datasets/formats"},
	"datasets/formats": {"models", "datasets/event", "datasets/table"},
	"datasets/table":   {"models", "datasets/event"},
	"datasets/papers":  nil,
	"datasets/curves":  nil,
	"datasets/library": {"models"},
	"datasets/event":   {"models"},
	"bench":            {"models"},
	"bench/library":    {"models", "bench", "datasets/library"},
	"bench/plan":       {"models", "bench", "bench/library"},
	"bench/run":        {"models", "bench", "bench/library", "bench/plan"},
	"bench/score":      {"models", "bench", "bench/library", "bench/plan", "bench/run"},
	"bench/catalog": slices.Concat(verifiers, []string{
		"models", "heuristics", "exact", "datasets", "bench", "bench/plan", "bench/run", "scripts",
	}),
	"scripts":        nil,
	"reports":        {"models", "bench", "bench/plan", "bench/run"},
	"reports/papers": {"models", "bench", "bench/plan", "bench/run", "datasets/papers", "reports"},
	"cmd": {
		"scripts", "models", "exact/verify", "datasets", "datasets/library", "datasets/trace", "bench", "bench/library", "bench/plan",
		"bench/run", "bench/score", "bench/catalog", "datasets/curves", "datasets/papers", "reports", "reports/papers",
	},
	"cmd/schedcheck": {"models", "exact/verify"},
}

// verifiers are the rooms of the verifiers of proofs.
var verifiers = []string{
	"exact/verify", "exact/verify/core", "exact/verify/onemachine", "exact/verify/flex", "exact/verify/pocd",
	"exact/verify/cloning", "exact/verify/cloning/kernel", "exact/verify/redundancy", "exact/verify/speculation",
}

// cloningMethods are the rooms of exact/cloning, each before those that may use it.
var cloningMethods = []string{
	"exact/cloning/bounds", "exact/cloning/pricing", "exact/cloning/values", "exact/cloning/schedule", "exact/cloning/search",
	"exact/cloning/formulations",
}

// slow are libraries that take milliseconds, and half of the pages, at the start of a process. The tests of cmd/schedgap start
// theirs a thousand times, and so import them neither themselves nor by what tests have in common.
var slow = []string{"pgregory.net/rapid", "schedgap/models/trials/property", "github.com/santhosh-tekuri/jsonschema/v6"}

// TestImports holds every file that is no test to the rules, and all files to one kind of randomness.
func TestImports(t *testing.T) {
	root := filepath.Join("..", "..")
	seen := map[string]bool{}
	walkTree(t, root, func(file string, _ fs.DirEntry) {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		if !strings.HasSuffix(name, ".go") || !strings.Contains(name, "/") {
			return
		}
		layer := layerOf(name)
		if layer == "" {
			t.Errorf("%s: its folder is in no layer", name)
			return
		}
		seen[layer] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if imported == "math/rand" {
				t.Errorf("%s imports math/rand; randomness is a *rand.Rand of math/rand/v2", name)
			}
			if slices.Contains(slow, imported) && (path.Dir(name) == "cmd/schedgap" || path.Dir(name) == "models/trials") {
				t.Errorf("%s imports %s, which every process of these tests would wait for", name, imported)
			}
			inside, ok := strings.CutPrefix(imported, "schedgap/")
			if !ok || strings.HasSuffix(name, "_test.go") {
				continue
			}
			if !mayImport(layer, layerOf(inside+"/")) {
				t.Errorf("%s, in layer %s, imports %s", name, layer, imported)
			}
		}
	})
	for layer := range layers {
		if !seen[layer] {
			t.Errorf("layer %s has no files: mend the rules", layer)
		}
	}
}

// layerOf is the longest layer that a file lies in.
func layerOf(name string) string {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if _, ok := layers[dir]; ok {
			return dir
		}
	}
	return ""
}

func mayImport(from, to string) bool {
	for _, l := range layers[from] {
		if l == to {
			return true
		}
	}
	return from == to
}

// TestFunctionLengths: no function outside of tests, and of what supports them, is longer than 100 lines.
func TestFunctionLengths(t *testing.T) {
	t.Parallel()
	const most = 100
	support := regexp.MustCompile(`(^|/)(oracle|[a-z]+test|fake|toyproblem)/`)
	root, functions := filepath.Join("..", ".."), 0
	walkTree(t, root, func(file string, _ fs.DirEntry) {
		name, _ := filepath.Rel(root, file)
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || support.MatchString(filepath.ToSlash(name)) {
			return
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			if f, is := declared.(*ast.FuncDecl); is {
				functions++
				if lines := set.Position(f.End()).Line - set.Position(f.Pos()).Line + 1; lines > most {
					t.Errorf("%s: %s has %d lines, more than %d", file, f.Name.Name, lines, most)
				}
			}
		}
	})
	if functions < 1000 {
		t.Errorf("%d functions", functions)
	}
}
