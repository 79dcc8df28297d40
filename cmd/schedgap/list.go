package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/models"
)

func (a *app) listCommand() *cobra.Command {
	var asJSON bool
	cmd := a.command("list problems|algorithms|models|solvers|suites|generators|policies|sweeps|constraints [PROBLEM]", nil)
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	var suites *cobra.Command
	table := func(name, short string, header []string, rows func([]*bench.Problem) (any, [][]string, error)) *cobra.Command {
		c := a.command(name+" [PROBLEM]", func(cmd *cobra.Command, args []string) error {
			problems := a.registry.Problems
			if len(args) > 0 {
				p, err := a.registry.Problem(args[0])
				if err != nil && cmd == suites {
					return a.showSuite(cmd, args)
				}
				if err != nil {
					return err
				}
				problems = []*bench.Problem{p}
			}
			all, lines, err := rows(problems)
			if err != nil {
				return err
			}
			return a.printList(asJSON, all, header, lines)
		})
		c.Short, c.Example, c.ValidArgsFunction = short, "  schedgap list "+name+" flex", a.completeProblems
		return c
	}
	suites = table("suites", "", []string{"SUITE", "PROBLEM", "TYPICAL", "FIGURE", "PURPOSE"}, lister(a.suiteItems, suiteItem.cells))
	suites.Use, suites.ValidArgsFunction = "suites [PROBLEM|SUITE]", a.completeSuites
	group(cmd,
		table("problems", "Problems", []string{"PROBLEM", "SENSE", "REFERENCES", "TITLE"}, lister(problemItems, problemItem.cells)),
		table("algorithms", "Algorithms by problem", []string{"PROBLEM", "ALGORITHM", "KIND", "REFERENCE", "TITLE"},
			lister(algorithmItems, algorithmItem.cells)),
		table("models", "Exact models by problem", []string{"PROBLEM", "MODEL", "ALGORITHMS"}, lister(modelItems, modelItem.cells)),
		table("solvers", "MILP solvers, which solve the models of all problems", []string{"SOLVER", "VERSION", "AVAILABLE"},
			lister(solverItems, solverItem.cells)),
		suites,
		table("generators", "Parameters of the instance generators by problem", []string{"PROBLEM", "PARAMETER", "DEFAULT", "MEANING"},
			lister(generatorItems, generatorItem.cells)),
		table("policies", "Policies of the simulators by problem", []string{"PROBLEM", "POLICY", "TITLE"},
			lister(policyItems, policyItem.cells)),
		table("sweeps", "Experiments that stand in for the papers'", []string{"SWEEP", "PROBLEM", "KIND", "CASES", "SOURCE", "TITLE"},
			lister(sweepItems, sweepItem.cells)),
		table("constraints", "Constraints by problem", []string{"PROBLEM", "CONSTRAINT", "STATEMENT", "SOURCE"},
			lister(constraintItems, constraintItem.cells)))
	return cmd
}

// lister lists the items of problems, and the rows that a table shows of each.
func lister[T any](of func(problems []*bench.Problem) ([]T, error), cells func(item T) [][]string) func([]*bench.Problem) (any,
	[][]string, error) {
	return func(problems []*bench.Problem) (any, [][]string, error) {
		items, err := of(problems)
		var lines [][]string
		for _, item := range items {
			lines = append(lines, cells(item)...)
		}
		return append([]T{}, items...), lines, err
	}
}

type problemItem struct {
	Name       string          `json:"name"`
	Title      string          `json:"title"`
	Sense      string          `json:"sense"`
	References []referenceItem `json:"references"`
	Generator  []paramItem     `json:"generator"`  // null: there is none
	Derivation []paramItem     `json:"derivation"` // null: there is none
	Policies   []string        `json:"policies"`   // of the simulator
	Doc        string          `json:"doc"`
}

type referenceItem struct {
	Name   string  `json:"name"`
	Within *string `json:"within"`
	Doc    string  `json:"doc"`
}

type paramItem struct {
	Name    string   `json:"name"`
	Default any      `json:"default"`
	Choices []string `json:"choices,omitempty"`
	Doc     string   `json:"doc"`
}

// meaning is the parameter's doc with what it may be.
func (p paramItem) meaning() string {
	if len(p.Choices) == 0 {
		return p.Doc
	}
	return fmt.Sprintf("%s (%s)", p.Doc, strings.Join(p.Choices, ", "))
}

func paramsOf(ps []models.Param) []paramItem {
	items := make([]paramItem, len(ps))
	for i, p := range ps {
		items[i] = paramItem{p.Name, p.Default, p.Choices, p.Doc}
	}
	return items
}

func problemItems(problems []*bench.Problem) (items []problemItem, err error) {
	for _, p := range problems {
		item := problemItem{Name: p.Name, Title: p.Title, Sense: p.Sense.String(), Policies: []string{}, Doc: p.Doc}
		for _, r := range p.References {
			item.References = append(item.References, referenceItem{r.Name, bench.OrNull(r.Within), r.Doc})
		}
		if p.Generator != nil {
			item.Generator = paramsOf(p.Generator.Params)
		}
		if p.Deriver != nil {
			item.Derivation = paramsOf(p.Deriver.Params)
		}
		if p.Simulator != nil {
			for _, q := range p.Simulator.Policies {
				item.Policies = append(item.Policies, q.Name)
			}
		}
		items = append(items, item)
	}
	return items, nil
}

func (i problemItem) cells() [][]string {
	var names []string
	for _, r := range i.References {
		names = append(names, r.Name)
	}
	return [][]string{{i.Name, i.Sense, strings.Join(names, ", "), i.Title}}
}

type algorithmItem struct {
	Problem   string      `json:"problem"`
	Name      string      `json:"name"`
	Argument  *string     `json:"argument"` // what follows a colon after the name
	Kind      string      `json:"kind"`
	Reference string      `json:"reference"`
	Class     string      `json:"class"`
	Waives    []string    `json:"waives"`
	Random    bool        `json:"random"`
	Params    []paramItem `json:"params"`
	Solvers   []string    `json:"solvers"`
	Models    []string    `json:"models"`
	Doc       string      `json:"doc"`
}

func algorithmItems(problems []*bench.Problem) (items []algorithmItem, err error) {
	for _, p := range problems {
		for _, g := range p.Algorithms {
			items = append(items, algorithmItem{
				p.Name, g.Name, bench.OrNull(g.Arg), string(g.Kind), g.Reference, g.Class, orEmpty(g.Waives), g.Random, paramsOf(g.Params),
				orEmpty(g.Solvers), orEmpty(g.Models), g.Doc,
			})
		}
	}
	return items, nil
}

func (i algorithmItem) cells() [][]string {
	if i.Argument != nil {
		i.Name += ":" + *i.Argument
	}
	return [][]string{{i.Problem, i.Name, i.Kind, i.Reference, firstLine(i.Doc)}}
}

func orEmpty(names []string) []string { return append([]string{}, names...) }

type modelItem struct {
	Problem    string   `json:"problem"`
	Name       string   `json:"name"`
	Algorithms []string `json:"algorithms"` // that accept it as --model
}

func modelItems(problems []*bench.Problem) (items []modelItem, err error) {
	for _, p := range problems {
		for _, m := range p.Models {
			item := modelItem{Problem: p.Name, Name: m, Algorithms: []string{}}
			for _, g := range p.Algorithms {
				if slices.Contains(g.Models, m) {
					item.Algorithms = append(item.Algorithms, g.Name)
				}
			}
			items = append(items, item)
		}
	}
	return items, nil
}

func (i modelItem) cells() [][]string {
	return [][]string{{i.Problem, i.Name, strings.Join(i.Algorithms, ", ")}}
}

type solverItem struct {
	Name      string  `json:"name"`
	Version   *string `json:"version"` // null when it is not available
	Available bool    `json:"available"`
	Reason    *string `json:"reason"` // why it is not available
}

func solverItems([]*bench.Problem) (items []solverItem, err error) {
	solvers, err := catalog.Solvers()
	for _, s := range solvers {
		item := solverItem{Name: s.Name, Available: s.Available, Reason: &s.Reason}
		if s.Available {
			item.Version, item.Reason = &s.Version, nil
		}
		items = append(items, item)
	}
	return items, err
}

func (i solverItem) cells() [][]string {
	if !i.Available {
		return [][]string{{i.Name, "-", "no: " + *i.Reason}}
	}
	return [][]string{{i.Name, *i.Version, "yes"}}
}

type generatorItem struct {
	Problem string      `json:"problem"`
	Name    string      `json:"name"` // the problem's: each has one generator
	Params  []paramItem `json:"params"`
	Doc     string      `json:"doc"`
}

func generatorItems(problems []*bench.Problem) (items []generatorItem, err error) {
	for _, p := range problems {
		if p.Generator != nil {
			items = append(items, generatorItem{p.Name, p.Name, paramsOf(p.Generator.Params), p.Generator.Doc})
		}
	}
	return items, nil
}

func (i generatorItem) cells() (lines [][]string) {
	for _, q := range i.Params {
		lines = append(lines, []string{i.Problem, q.Name, fmt.Sprint(q.Default), q.meaning()})
	}
	return lines
}

type policyItem struct {
	Problem  string  `json:"problem"`
	Name     string  `json:"name"`
	Argument *string `json:"argument"` // the parameter that NAME:VALUE sets
	Doc      string  `json:"doc"`
}

func policyItems(problems []*bench.Problem) (items []policyItem, err error) {
	for _, p := range problems {
		if p.Simulator == nil {
			continue
		}
		for _, q := range p.Simulator.Policies {
			items = append(items, policyItem{p.Name, q.Name, bench.OrNull(q.Arg), q.Doc})
		}
	}
	return items, nil
}

func (i policyItem) cells() [][]string {
	if i.Argument != nil {
		i.Name += "[:" + *i.Argument + "]"
	}
	return [][]string{{i.Problem, i.Name, firstLine(i.Doc)}}
}

type constraintItem struct {
	Problem   string `json:"problem"`
	Name      string `json:"name"`
	Statement string `json:"statement"`
	Source    string `json:"source"`
}

func constraintItems(problems []*bench.Problem) (items []constraintItem, err error) {
	for _, p := range problems {
		for _, c := range p.Constraints {
			items = append(items, constraintItem{p.Name, c.Name, c.Statement, c.Source})
		}
	}
	return items, nil
}

func (i constraintItem) cells() [][]string {
	return [][]string{{i.Problem, i.Name, i.Statement, i.Source}}
}
