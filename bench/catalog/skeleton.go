package catalog

import (
	"embed"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"schedgap/models/nearest"
	"schedgap/scripts"
)

// Skeletons are algorithms to begin with, one for each problem and language: a frame that reads an instance and prints a
// solution, and a body that solves a problem in a simple way.
//
//go:embed skeletons
var skeletons embed.FS

// Languages lists the languages of skeletons.
var Languages = []string{"python", "c++"}

// Modules are the files that programs in Python import, by name: scripts.Module and, for one release, the one under its former name.
func Modules() map[string][]byte {
	return map[string][]byte{scripts.Module: []byte(scripts.Python), "schedgap_helper.py": []byte("from schedgap import *\n")}
}

// Skeleton returns the text of an external algorithm for the problem in one of Languages. It works without changes. Its comment
// calls it by the name file. A Python program imports one of Modules; with whole it contains the functions that it needs.
func Skeleton(problem, language, file string, whole bool) (string, error) {
	ext := map[string]string{"python": ".py", "c++": ".cpp"}[language]
	if ext == "" {
		return "", nearest.Unknown("language", language, Languages)
	}
	frame, err := skeletons.ReadFile("skeletons/frame" + ext)
	if err != nil {
		return "", fmt.Errorf("skeleton in %s: %w", language, err)
	}
	body, err := skeletons.ReadFile("skeletons/" + problem + ext)
	if err != nil {
		return "", fmt.Errorf("there is no skeleton for %s in %s", problem, language)
	}
	names := []string{"main"}
	for _, name := range []string{"Events", "Servers", "h", "whole_slots"} {
		if regexp.MustCompile(`\b` + name + `\(`).Match(body) {
			names = append(names, name)
		}
	}
	helper := "from schedgap import " + strings.Join(names, ", ")
	if strings.Contains(string(body), "math.") {
		helper = "import math\n\n" + helper
	}
	if whole {
		_, helper, _ = strings.Cut(scripts.Python, "\n") // without its own comment
		helper, _, _ = strings.Cut(helper, "\n# Results.")
	}
	return strings.NewReplacer("PROBLEM", problem, "FILE", file, "HELPER", strings.TrimSpace(helper), "BODY",
		strings.TrimSpace(string(body))).
		Replace(string(frame)), nil
}

// Scaffolds are the kinds of Scaffold.
var Scaffolds = []string{"python", "openevolve"}

// Initial is the program that all scaffolds begin with.
const Initial = "initial_program.py"

// Scaffold returns the files, by name, with which a program that evolves heuristics for a problem begins: Initial, and for
// OpenEvolve what judges it and a configuration.
func Scaffold(problem, kind string) (map[string][]byte, error) {
	program, err := Skeleton(problem, "python", Initial, kind == "openevolve") // which copies the one file only
	if err != nil {
		return nil, err
	}
	begin := strings.Index(program, "def solve(")
	end := strings.LastIndex(program, "if __name__")
	files := map[string][]byte{
		Initial: []byte(program[:begin] + "# EVOLVE-BLOCK-START\n" + strings.TrimSpace(program[begin:end]) +
			"\n# EVOLVE-BLOCK-END\n\n\n" + program[end:]),
	}
	if kind == "python" {
		maps.Copy(files, Modules())
		return files, nil
	}
	for name, from := range map[string]string{"evaluator.py": "evaluator.py", "config.yaml": "openevolve.yaml"} {
		text, err := skeletons.ReadFile("skeletons/" + from)
		if err != nil {
			return nil, fmt.Errorf("scaffold: %w", err)
		}
		files[name] = []byte(strings.ReplaceAll(string(text), "PROBLEM", problem))
	}
	return files, nil
}
