// Command mutation lists the changes that a package's tests did not notice; scripts/mutate runs it in this folder.
//
//	go run . PACKAGE REPORT
//
// REPORT is what gremlins wrote. A change that may stay is a line of survivors.tsv: file, kind, text of the line, reason. The text, not
// the line's number, is compared, so that a reason outlives changes elsewhere in its file.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const root = "../.."

// report is what gremlins writes.
type report struct {
	Efficacy float64 `json:"test_efficacy"` // percent of the covered changes that a test noticed
	Coverage float64 `json:"mutations_coverage"`
	Files    []struct {
		Name      string `json:"file_name"`
		Mutations []struct {
			Type, Status string
			Line, Column int
		}
	}
}

// A survivor is a change that the tests do not notice.
type survivor struct{ file, kind, text string }

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "mutation: expected PACKAGE REPORT")
		os.Exit(2)
	}
	open, err := run(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(2)
	}
	if open > 0 {
		os.Exit(1)
	}
}

// run prints the survivors and returns how many are neither killed nor excused.
func run(pkg, file string) (open int, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	var r report
	if err := json.Unmarshal(data, &r); err != nil {
		return 0, fmt.Errorf("%s: %w", file, err)
	}
	excused, stale, err := excuses(pkg)
	if err != nil {
		return 0, err
	}
	reasons := 0
	for _, f := range r.Files {
		name := filepath.ToSlash(filepath.Join(pkg, f.Name))
		lines, err := source(name)
		if err != nil {
			return 0, err
		}
		for _, m := range f.Mutations {
			if m.Status != "LIVED" && m.Status != "NOT COVERED" {
				continue
			}
			s := survivor{name, m.Type, strings.TrimSpace(lines[m.Line-1])}
			if excused[s] {
				reasons++
				continue
			}
			open++
			fmt.Printf("%s:%d:%d: %s %s: %s\n", name, m.Line, m.Column, strings.ToLower(m.Status), m.Type, s.text)
		}
	}
	for _, s := range stale {
		open++
		fmt.Printf("scripts/mutation/survivors.tsv: %s has no line %q any more\n", s.file, s.text)
	}
	fmt.Printf("%s: efficacy %.1f %%, %.1f %% covered, %d survive, %d more have a reason\n", pkg, r.Efficacy, r.Coverage, open, reasons)
	return open, nil
}

// excuses reads the survivors of a package that have a reason, and those whose line is gone.
func excuses(pkg string) (excused map[survivor]bool, stale []survivor, err error) {
	const list = "survivors.tsv"
	data, err := os.ReadFile(list)
	if err != nil {
		return nil, nil, err
	}
	excused = map[survivor]bool{}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 4 || strings.TrimSpace(fields[3]) == "" {
			return nil, nil, fmt.Errorf("%s:%d: expected file, kind, text, and reason, separated by tabs", list, i+1)
		}
		s := survivor{fields[0], fields[1], fields[2]}
		if filepath.ToSlash(filepath.Dir(s.file)) != pkg {
			continue
		}
		excused[s] = true
		lines, err := source(s.file)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, nil, err
		}
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimSpace(l) == s.text }) {
			stale = append(stale, s)
		}
	}
	return excused, stale, nil
}

// source is the lines of a file of the checkout.
func source(name string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(root, name))
	return strings.Split(string(data), "\n"), err
}
