package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/models"
)

// helpByProblem lets the help of a command that takes PROBLEM show the parameters of the given problem, and the list of problems
// if none is given. describe writes the part about one problem and returns an example.
func (a *app) helpByProblem(cmd *cobra.Command, describe func(b *strings.Builder, p *bench.Problem) string) {
	cmd.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		var b strings.Builder
		if given := cmd.Flags().Args(); len(given) > 0 {
			if p, err := a.registry.Problem(given[0]); err == nil {
				if example := describe(&b, p); example != "" {
					cmd.Example = "  " + example
				}
			}
		}
		if b.Len() == 0 {
			fmt.Fprintf(&b, "\nThe parameters of a problem: %s PROBLEM --help, where PROBLEM is one of\n", cmd.CommandPath())
			for _, p := range a.registry.Problems {
				fmt.Fprintf(&b, "  %-12s %s\n", p.Name, p.Title)
			}
		}
		cmd.Long += "\n" + strings.TrimRight(b.String(), "\n")
		printHelp(cmd, args)
	})
}

// describeSource writes the parameters of a generator or a derivation and returns an example that sets the first of them.
func describeSource(b *strings.Builder, s *bench.Source, command, rest string) string {
	if s == nil {
		return ""
	}
	fmt.Fprintf(b, "\n%s\n", s.Doc)
	describeParams(b, "Parameters, -p:", s.Params)
	return command + firstParam(" -p ", s.Params) + " " + rest
}

// paramsIn returns the parameters of a generator or a derivation; none if s is nil.
func paramsIn(s *bench.Source) []models.Param {
	if s == nil {
		return nil
	}
	return s.Params
}

func describeParams(b *strings.Builder, title string, params []models.Param) {
	if len(params) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, p := range params {
		fmt.Fprintf(b, "  %s=%v: %s\n", p.Name, p.Default, p.Meaning())
	}
}

// firstParam sets the first parameter that has a default to show.
func firstParam(flag string, params []models.Param) string {
	for _, p := range params {
		if value := fmt.Sprint(p.Default); value != "" {
			return flag + p.Name + "=" + value
		}
	}
	return ""
}
