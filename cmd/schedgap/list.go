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

// A listing is one command below list: the items of a kind and their table.
type listing struct {
	name, short string
	head        string // the table's, words apart
	items       func(problems []*bench.Problem, add adder) error
}

// An adder takes an item, nil for none, and a row of the table, of no cells for none.
type adder func(item any, cells ...string)

// each lists what every problem has.
func each(of func(p *bench.Problem, add adder)) func([]*bench.Problem, adder) error {
	return func(problems []*bench.Problem, add adder) error {
		for _, p := range problems {
			of(p, add)
		}
		return nil
	}
}

func (a *app) listCommand() *cobra.Command {
	var asJSON bool
	cmd := a.command("list problems|algorithms|models|solvers|suites|generators|policies|constraints [PROBLEM]", nil)
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	group(cmd)
	for _, l := range []listing{
		{"problems", "Problems", "PROBLEM SENSE REFERENCES TITLE", each(listProblem)},
		{"algorithms", "Algorithms by problem", "PROBLEM ALGORITHM KIND REFERENCE TITLE", each(listAlgorithms)},
		{"models", "Exact models by problem", "PROBLEM MODEL ALGORITHMS", each(listModels)},
		{"solvers", "MILP solvers, which solve the models of all problems", "SOLVER VERSION AVAILABLE", listSolvers},
		{"suites", "", "SUITE PROBLEM TYPICAL FIGURE PURPOSE", a.listSuites},
		{"generators", "Parameters of the instance generators by problem", "PROBLEM PARAMETER DEFAULT MEANING", each(listGenerator)},
		{"policies", "Policies of the simulators by problem", "PROBLEM POLICY TITLE", each(listPolicies)},
		{"constraints", "Constraints by problem", "PROBLEM CONSTRAINT STATEMENT SOURCE", each(listConstraints)},
	} {
		suites := l.name == "suites"
		c := a.command(l.name+" [PROBLEM]", func(cmd *cobra.Command, args []string) error {
			problems := a.registry.Problems
			if len(args) > 0 {
				p, err := a.registry.Problem(args[0])
				if err != nil && suites {
					return a.showSuite(cmd, args)
				}
				if err != nil {
					return err
				}
				problems = []*bench.Problem{p}
			}
			all, rows := []any{}, [][]string(nil)
			err := l.items(problems, func(item any, cells ...string) {
				if item != nil {
					all = append(all, item)
				}
				if len(cells) > 0 {
					rows = append(rows, cells)
				}
			})
			if err != nil {
				return err
			}
			return a.printList(asJSON, all, strings.Fields(l.head), rows)
		})
		c.Short, c.Example, c.ValidArgsFunction = l.short, "  schedgap list "+l.name+" flex", a.completeProblems
		if suites {
			c.Use, c.ValidArgsFunction = "suites [PROBLEM|SUITE]", a.completeSuites
		}
		cmd.AddCommand(c)
	}
	return cmd
}

type problemItem struct {
	Name       string          `json:"name"`
	Title      string          `json:"title"`
	Sense      string          `json:"sense"`
	References []referenceItem `json:"references"`
	Generator  []models.Param  `json:"generator"`  // null: there is none
	Derivation []models.Param  `json:"derivation"` // null: there is none
	Policies   []string        `json:"policies"`   // of the simulator
	Doc        string          `json:"doc"`
}

type referenceItem struct {
	Name   string  `json:"name"`
	Within *string `json:"within"`
	Doc    string  `json:"doc"`
}

func listProblem(p *bench.Problem, add adder) {
	item := problemItem{Name: p.Name, Title: p.Title, Sense: p.Sense.String(), Policies: []string{}, Doc: p.Doc}
	var references []string
	for _, r := range p.References {
		item.References = append(item.References, referenceItem{r.Name, bench.OrNull(r.Within), r.Doc})
		references = append(references, r.Name)
	}
	if p.Generator != nil {
		item.Generator = orEmpty(p.Generator.Params)
	}
	if p.Deriver != nil {
		item.Derivation = orEmpty(p.Deriver.Params)
	}
	if p.Simulator != nil {
		for _, q := range p.Simulator.Policies {
			item.Policies = append(item.Policies, q.Name)
		}
	}
	add(item, p.Name, item.Sense, strings.Join(references, ", "), p.Title)
}

type algorithmItem struct {
	Problem   string         `json:"problem"`
	Name      string         `json:"name"`
	Argument  *string        `json:"argument"` // what follows a colon after the name
	Kind      string         `json:"kind"`
	Reference string         `json:"reference"`
	Class     string         `json:"class"`
	Waives    []string       `json:"waives"`
	Random    bool           `json:"random"`
	Params    []models.Param `json:"params"`
	Solvers   []string       `json:"solvers"`
	Models    []string       `json:"models"`
	Doc       string         `json:"doc"`
}

func listAlgorithms(p *bench.Problem, add adder) {
	for _, g := range p.Algorithms {
		name := g.Name
		if g.Arg != "" {
			name += ":" + g.Arg
		}
		add(algorithmItem{
			p.Name, g.Name, bench.OrNull(g.Arg), string(g.Kind), g.Reference, g.Class, orEmpty(g.Waives), g.Random, orEmpty(g.Params),
			orEmpty(g.Solvers), orEmpty(g.Models), g.Doc,
		}, p.Name, name, string(g.Kind), g.Reference, firstLine(g.Doc))
	}
}

func orEmpty[T any](list []T) []T { return append([]T{}, list...) }

type modelItem struct {
	Problem    string   `json:"problem"`
	Name       string   `json:"name"`
	Algorithms []string `json:"algorithms"` // that accept it as --model
}

func listModels(p *bench.Problem, add adder) {
	for _, m := range p.Models {
		item := modelItem{Problem: p.Name, Name: m, Algorithms: []string{}}
		for _, g := range p.Algorithms {
			if slices.Contains(g.Models, m) {
				item.Algorithms = append(item.Algorithms, g.Name)
			}
		}
		add(item, p.Name, m, strings.Join(item.Algorithms, ", "))
	}
}

type solverItem struct {
	Name      string  `json:"name"`
	Version   *string `json:"version"` // null when it is not available
	Available bool    `json:"available"`
	Reason    *string `json:"reason"` // why it is not available
}

func listSolvers(_ []*bench.Problem, add adder) error {
	solvers, err := catalog.Solvers()
	for _, s := range solvers {
		if s.Available {
			add(solverItem{s.Name, &s.Version, true, nil}, s.Name, s.Version, "yes")
		} else {
			add(solverItem{s.Name, nil, false, &s.Reason}, s.Name, "-", "no: "+s.Reason)
		}
	}
	return err
}

type generatorItem struct {
	Problem string         `json:"problem"`
	Name    string         `json:"name"` // the problem's: each has one generator
	Params  []models.Param `json:"params"`
	Doc     string         `json:"doc"`
}

func listGenerator(p *bench.Problem, add adder) {
	if p.Generator == nil {
		return
	}
	params := orEmpty(p.Generator.Params)
	add(generatorItem{p.Name, p.Name, params, p.Generator.Doc})
	for _, q := range params {
		add(nil, p.Name, q.Name, fmt.Sprint(q.Default), q.Meaning())
	}
}

type policyItem struct {
	Problem  string  `json:"problem"`
	Name     string  `json:"name"`
	Argument *string `json:"argument"` // the parameter that NAME:VALUE sets
	Doc      string  `json:"doc"`
}

func listPolicies(p *bench.Problem, add adder) {
	if p.Simulator == nil {
		return
	}
	for _, q := range p.Simulator.Policies {
		add(policyItem{p.Name, q.Name, bench.OrNull(q.Arg), q.Doc}, p.Name, policyName(q), firstLine(q.Doc))
	}
}

// policyName is a policy with its argument, which may be left out.
func policyName(q models.Policy) string {
	if q.Arg != "" {
		return q.Name + "[:" + q.Arg + "]"
	}
	return q.Name
}

type constraintItem struct {
	Problem string `json:"problem"`
	models.Constraint
}

func listConstraints(p *bench.Problem, add adder) {
	for _, c := range p.Constraints {
		add(constraintItem{p.Name, c}, p.Name, c.Name, c.Statement, c.Source)
	}
}
