package main

import (
	"fmt"
	"slices"
	"strings"

	"schedgap/bench"
	"schedgap/bench/suite"
)

type suiteItem struct {
	Name       string   `json:"name"`
	Problem    string   `json:"problem"`
	Instances  []string `json:"instances"`
	Algorithms []string `json:"algorithms"`
	Solvers    []string `json:"solvers"`
	Seeds      []uint64 `json:"seeds"`
	TimeLimit  float64  `json:"time_limit_seconds"`
}

func (a *app) listSuites(problems []*bench.Problem) (any, [][]string, error) {
	all, err := suite.Builtin(a.registry)
	if err != nil {
		return nil, nil, err
	}
	items, lines := []suiteItem{}, [][]string{}
	for _, s := range all {
		if !slices.ContainsFunc(problems, func(p *bench.Problem) bool { return p.Name == s.Problem }) {
			continue
		}
		item := suiteItem{
			Name: s.Name, Problem: s.Problem, Instances: []string{}, Algorithms: []string{}, Solvers: orEmpty(s.Solvers),
			Seeds: s.Seeds, TimeLimit: s.Limits.Time.Seconds(),
		}
		for _, src := range s.Instances {
			switch {
			case src.Generate != nil:
				item.Instances = append(item.Instances, fmt.Sprintf("%d generated", src.Generate.N))
			case src.Trace != nil:
				item.Instances = append(item.Instances, fmt.Sprintf("up to %d from %s", src.Trace.N, src.Trace.Dir))
			default:
				item.Instances = append(item.Instances, src.Files)
			}
		}
		for _, e := range s.Algorithms {
			item.Algorithms = append(item.Algorithms, e.Name)
		}
		items = append(items, item)
		lines = append(lines, []string{s.Name, s.Problem, shorten(item.Instances), strings.Join(item.Algorithms, ", ")})
	}
	return items, lines, nil
}

// shorten joins texts, saying equal ones that follow each other once.
func shorten(texts []string) string {
	var parts []string
	for i := 0; i < len(texts); {
		n := 1
		for i+n < len(texts) && texts[i+n] == texts[i] {
			n++
		}
		part := texts[i]
		if n > 1 {
			part = fmt.Sprintf("%d × %s", n, part)
		}
		parts = append(parts, part)
		i += n
	}
	return strings.Join(parts, ", ")
}
