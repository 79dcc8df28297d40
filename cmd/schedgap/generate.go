package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/generate"
	"schedgap/models"
)

func (a *app) generateCommand() *cobra.Command {
	n, seed, out := 1, uint64(1), ""
	var given []string
	cmd := a.problemCommand("generate PROBLEM -o DIR", func(cmd *cobra.Command, p *bench.Problem, _ []string) error {
		if p.Generator == nil {
			return fmt.Errorf("there is no generator of %s instances", p.Name)
		}
		asked, errAsked := models.ParseAssignments(given)
		values, idle, err := p.Generator.Resolve(asked)
		if err := cmp.Or(errAsked, err); err != nil {
			return err
		}
		if err := writableInstances(out); err != nil {
			return err
		}
		if idle != "" {
			a.log.Warn(idle)
		}
		instances := make([]*bench.Instance, n)
		for i := range instances {
			if err := cmd.Context().Err(); err != nil {
				return err
			}
			instances[i], err = generate.One(p, generate.Name(p, i), values, seed, i)
			if err != nil {
				return err
			}
		}
		return a.writeInstances(out, instances)
	})
	fs := cmd.Flags()
	countFlag(fs, &n, most, "count", "n", "number of instances")
	seedFlag(fs, &seed)
	paramFlag(fs, &given, "generator")
	writesTo(cmd, &out, "`DIR` for the instances; - prints them, one a line")
	a.completeParams(cmd, func(p *bench.Problem) []models.Param { return paramsIn(p.Generator) })
	a.helpByProblem(cmd, func(b *strings.Builder, p *bench.Problem) string {
		return describeSource(b, p.Generator, "schedgap generate "+p.Name+" -n 3 --seed 7", "-o instances")
	})
	return cmd
}
