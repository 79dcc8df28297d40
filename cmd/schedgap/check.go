package main

import (
	"github.com/spf13/cobra"

	"schedgap/exact/verify/referee"
)

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check INSTANCE.json SOLUTION.json",
		Short: "Check a solution independently of how it came about",
		Long: "Recomputes objective and constraints from the instance and the decisions in the solution only, and compares a\n" +
			"claimed objective with the result. Nothing is waived. Exit code 1 when the solution is infeasible or claims a\n" +
			"wrong objective.",
		Example: "  schedgap check instances/flex-000.json best.json",
		Args:    positional("INSTANCE.json", "SOLUTION.json"),
		RunE: func(_ *cobra.Command, args []string) error {
			j, err := referee.Check(args[0], args[1])
			if err != nil {
				return err
			}
			return a.judged(j, j.Feasible)
		},
	}
}
