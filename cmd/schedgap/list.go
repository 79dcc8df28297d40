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
	cmd := &cobra.Command{
		Use:     "list problems|algorithms|models|solvers|suites|generators|policies|sweeps|constraints [PROBLEM]",
		Short:   "List problems, algorithms, suites and the like",
		Long:    "Lists what is available, of one problem or of all.",
		Example: "  schedgap list algorithms flex\n  schedgap list suites --json",
	}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	var suites *cobra.Command
	table := func(name, short string, header []string, rows func([]*bench.Problem) (any, [][]string, error)) *cobra.Command {
		return &cobra.Command{
			Use: name + " [PROBLEM]", Short: short, Example: "  schedgap list " + name + " flex",
			Args: positional("[PROBLEM]"), ValidArgsFunction: a.completeProblems,
			RunE: func(cmd *cobra.Command, args []string) error {
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
				if asJSON {
					return a.printJSON(all)
				}
				return a.printTable(header, lines)
			},
		}
	}
	suites = table("suites", "Built-in suites, or one as it would be run", []string{"SUITE", "PROBLEM", "TYPICAL", "FIGURE", "PURPOSE"}, a.listSuites)
	suites.Use, suites.ValidArgsFunction = "suites [PROBLEM|SUITE]", a.completeSuites
	suites.Long = "Lists the built-in suites; a problem's name leaves only its own. The name or file of a suite prints that one as it would be run, as YAML\n" +
		"that run takes: with its defaults and purpose, folders of traces and files written out, and the number of its units."
	group(cmd,
		table("problems", "Problems", []string{"PROBLEM", "SENSE", "REFERENCES", "TITLE"}, a.listProblems),
		table("algorithms", "Algorithms by problem", []string{"PROBLEM", "ALGORITHM", "KIND", "REFERENCE", "TITLE"}, a.listAlgorithms),
		table("models", "Exact models by problem", []string{"PROBLEM", "MODEL", "ALGORITHMS"}, a.listModels),
		table("solvers", "MILP solvers, which solve the models of all problems", []string{"SOLVER", "VERSION", "AVAILABLE"}, a.listSolvers),
		suites,
		table("generators", "Parameters of the instance generators by problem", []string{"PROBLEM", "PARAMETER", "DEFAULT", "MEANING"}, a.listGenerators),
		table("policies", "Policies of the simulators by problem", []string{"PROBLEM", "POLICY", "TITLE"}, a.listPolicies),
		table("sweeps", "Experiments that stand in for the papers'", []string{"SWEEP", "PROBLEM", "KIND", "CASES", "SOURCE", "TITLE"}, a.listSweeps),
		table("constraints", "Constraints by problem", []string{"PROBLEM", "CONSTRAINT", "STATEMENT", "SOURCE"}, a.listConstraints))
	return cmd
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

func (a *app) listProblems(problems []*bench.Problem) (any, [][]string, error) {
	items, lines := []problemItem{}, [][]string{}
	for _, p := range problems {
		item := problemItem{Name: p.Name, Title: p.Title, Sense: p.Sense.String(), Policies: []string{}, Doc: p.Doc}
		names := []string{}
		for _, r := range p.References {
			ref := referenceItem{Name: r.Name, Doc: r.Doc}
			if r.Within != "" {
				ref.Within = &r.Within
			}
			item.References = append(item.References, ref)
			names = append(names, r.Name)
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
		lines = append(lines, []string{p.Name, item.Sense, strings.Join(names, ", "), p.Title})
	}
	return items, lines, nil
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

func (a *app) listAlgorithms(problems []*bench.Problem) (any, [][]string, error) {
	items, lines := []algorithmItem{}, [][]string{}
	for _, p := range problems {
		for i := range p.Algorithms {
			g := &p.Algorithms[i]
			item := algorithmItem{
				Problem: p.Name, Name: g.Name, Kind: string(g.Kind), Reference: g.Reference, Class: g.Class,
				Waives: orEmpty(g.Waives), Random: g.Random, Params: paramsOf(g.Params),
				Solvers: orEmpty(g.Solvers), Models: orEmpty(g.Models), Doc: g.Doc,
			}
			shown := g.Name
			if g.Arg != "" {
				item.Argument = &g.Arg
				shown += ":" + g.Arg
			}
			items = append(items, item)
			lines = append(lines, []string{p.Name, shown, item.Kind, g.Reference, firstLine(g.Doc)})
		}
	}
	return items, lines, nil
}

func orEmpty(names []string) []string { return append([]string{}, names...) }

type modelItem struct {
	Problem    string   `json:"problem"`
	Name       string   `json:"name"`
	Algorithms []string `json:"algorithms"` // that accept it as --model
}

func (a *app) listModels(problems []*bench.Problem) (any, [][]string, error) {
	items, lines := []modelItem{}, [][]string{}
	for _, p := range problems {
		for _, m := range p.Models {
			item := modelItem{Problem: p.Name, Name: m, Algorithms: []string{}}
			for i := range p.Algorithms {
				if slices.Contains(p.Algorithms[i].Models, m) {
					item.Algorithms = append(item.Algorithms, p.Algorithms[i].Name)
				}
			}
			items = append(items, item)
			lines = append(lines, []string{p.Name, m, strings.Join(item.Algorithms, ", ")})
		}
	}
	return items, lines, nil
}

type solverItem struct {
	Name      string  `json:"name"`
	Version   *string `json:"version"` // null when it is not available
	Available bool    `json:"available"`
	Reason    *string `json:"reason"` // why it is not available
}

func (a *app) listSolvers([]*bench.Problem) (any, [][]string, error) {
	items, lines := []solverItem{}, [][]string{}
	solvers, err := catalog.Solvers()
	if err != nil {
		return nil, nil, err
	}
	for _, s := range solvers {
		item := solverItem{Name: s.Name, Available: s.Available}
		version, available := "-", "yes"
		if s.Available {
			item.Version, version = &s.Version, s.Version
		} else {
			item.Reason, available = &s.Reason, "no: "+s.Reason
		}
		items = append(items, item)
		lines = append(lines, []string{s.Name, version, available})
	}
	return items, lines, nil
}

type generatorItem struct {
	Problem string      `json:"problem"`
	Name    string      `json:"name"` // the problem's: each has one generator
	Params  []paramItem `json:"params"`
	Doc     string      `json:"doc"`
}

func (a *app) listGenerators(problems []*bench.Problem) (any, [][]string, error) {
	items, lines := []generatorItem{}, [][]string{}
	for _, p := range problems {
		if p.Generator == nil {
			continue
		}
		item := generatorItem{Problem: p.Name, Name: p.Name, Params: paramsOf(p.Generator.Params), Doc: p.Generator.Doc}
		items = append(items, item)
		for _, q := range item.Params {
			lines = append(lines, []string{p.Name, q.Name, fmt.Sprint(q.Default), q.meaning()})
		}
	}
	return items, lines, nil
}

type policyItem struct {
	Problem  string  `json:"problem"`
	Name     string  `json:"name"`
	Argument *string `json:"argument"` // the parameter that NAME:VALUE sets
	Doc      string  `json:"doc"`
}

func (a *app) listPolicies(problems []*bench.Problem) (any, [][]string, error) {
	items, lines := []policyItem{}, [][]string{}
	for _, p := range problems {
		if p.Simulator == nil {
			continue
		}
		for _, q := range p.Simulator.Policies {
			item := policyItem{Problem: p.Name, Name: q.Name, Doc: q.Doc}
			if q.Arg != "" {
				item.Argument = &q.Arg
			}
			items = append(items, item)
			lines = append(lines, []string{p.Name, policyName(q), firstLine(q.Doc)})
		}
	}
	return items, lines, nil
}

// policyName shows what may follow the name of a policy.
func policyName(p models.Policy) string {
	if p.Arg == "" {
		return p.Name
	}
	return p.Name + "[:" + p.Arg + "]"
}

type constraintItem struct {
	Problem   string `json:"problem"`
	Name      string `json:"name"`
	Statement string `json:"statement"`
	Source    string `json:"source"`
}

func (a *app) listConstraints(problems []*bench.Problem) (any, [][]string, error) {
	items, lines := []constraintItem{}, [][]string{}
	for _, p := range problems {
		for _, c := range p.Constraints {
			items = append(items, constraintItem{p.Name, c.Name, c.Statement, c.Source})
			lines = append(lines, []string{p.Name, c.Name, c.Statement, c.Source})
		}
	}
	return items, lines, nil
}
