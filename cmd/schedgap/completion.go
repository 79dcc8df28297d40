package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/models"
)

// completeProblems completes a command's first argument.
func (a *app) completeProblems(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	names := make([]string, len(a.registry.Problems))
	for i, p := range a.registry.Problems {
		names[i] = p.Name
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeFlag completes a flag with the names of one problem: the problem that the first argument names, as an instance file or
// by its name, otherwise all problems. After a value that ends in = the shell adds no space. Only a program that a shell asks is given
// the function: cobra keeps it, and all that it knows, for the life of the process.
func (a *app) completeFlag(cmd *cobra.Command, flag string, of func(p *bench.Problem, typed string) []string) {
	if !a.completing {
		return
	}
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, typed string) ([]string,
		cobra.ShellCompDirective,
	) {
		problems := a.registry.Problems
		if len(args) > 0 {
			if p, err := a.registry.Problem(args[0]); err == nil {
				problems = []*bench.Problem{p}
			} else if in, err := a.readInstance(args[0]); err == nil {
				problems = []*bench.Problem{in.Problem}
			}
		}
		var offered []string
		for _, p := range problems {
			offered = append(offered, of(p, typed)...)
		}
		slices.Sort(offered)
		directive := cobra.ShellCompDirectiveNoFileComp
		for _, s := range offered {
			if name, _, _ := strings.Cut(s, "\t"); strings.HasSuffix(name, "=") {
				directive |= cobra.ShellCompDirectiveNoSpace
			}
		}
		return slices.Compact(offered), directive
	})
	if err != nil {
		panic("schedgap: " + err.Error()) // a flag that cmd does not define: a programmer's mistake
	}
}

// completeAlgorithm completes the flags that choose an algorithm and how it is run: of the algorithm that *name is, else of all.
func (a *app) completeAlgorithm(cmd *cobra.Command, name *string) {
	each := func(of func(*bench.Algorithm) []string) func(*bench.Problem, string) []string {
		return func(p *bench.Problem, _ string) (offered []string) {
			if g, _, err := p.Find(*name); err == nil {
				return of(g)
			}
			for i := range p.Algorithms {
				offered = append(offered, of(&p.Algorithms[i])...)
			}
			return offered
		}
	}
	a.completeFlag(cmd, "algorithm", algorithmNames)
	a.completeFlag(cmd, "solver", each(func(g *bench.Algorithm) []string { return g.Solvers }))
	a.completeFlag(cmd, "model", each(func(g *bench.Algorithm) []string { return g.Models }))
	a.completeFlag(cmd, "param", func(p *bench.Problem, typed string) []string {
		return each(func(g *bench.Algorithm) []string { return assignments(g.Params, typed) })(p, typed)
	})
}

// algorithmNames are the algorithms of a problem, each with a description.
func algorithmNames(p *bench.Problem, _ string) (offered []string) {
	for _, g := range p.Algorithms {
		offered = append(offered, cobra.CompletionWithDesc(g.Name, firstLine(g.Doc)))
	}
	return offered
}

// completeParams completes -p by the parameters that of returns.
func (a *app) completeParams(cmd *cobra.Command, of func(*bench.Problem) []models.Param) {
	a.completeFlag(cmd, "param", func(p *bench.Problem, typed string) []string { return assignments(of(p), typed) })
}

// assignments are beginnings of KEY=VALUE: keys, and after the = the values of a parameter that has choices.
func assignments(params []models.Param, typed string) []string {
	key, _, given := strings.Cut(typed, "=")
	var offered []string
	for _, p := range params {
		switch {
		case !given:
			offered = append(offered, cobra.CompletionWithDesc(p.Name+"=", firstLine(p.Doc)))
		case p.Name == key:
			for _, c := range p.Choices {
				offered = append(offered, key+"="+c)
			}
		}
	}
	return offered
}

// completePolicies completes the flags of simulate: the last of a list of policies, and the parameters of simulation and
// workload.
func (a *app) completePolicies(cmd *cobra.Command) {
	of := func(p *bench.Problem) models.Simulator {
		if p.Simulator == nil {
			return models.Simulator{}
		}
		return *p.Simulator
	}
	a.completeFlag(cmd, "algorithm", func(p *bench.Problem, typed string) (offered []string) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		for _, policy := range of(p).Policies {
			offered = append(offered, cobra.CompletionWithDesc(before+policy.Name, firstLine(policy.Doc)))
		}
		return offered
	})
	a.completeParams(cmd, func(p *bench.Problem) []models.Param { return of(p).Params })
	a.completeFlag(cmd, "generate", func(p *bench.Problem, typed string) []string {
		at := strings.LastIndex(typed, ",") + 1
		offered := assignments(of(p).Specs, typed[at:])
		for i := range offered {
			offered[i] = typed[:at] + offered[i]
		}
		return offered
	})
}
