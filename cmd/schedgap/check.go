package main

import (
	"github.com/spf13/cobra"

	"schedgap/models"
)

// verdict is what check prints.
type verdict struct {
	Feasible   bool               `json:"feasible"`
	Objective  *float64           `json:"objective"`
	Waived     []string           `json:"waived"`
	Violations []models.Violation `json:"violations"`
}

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
			in, err := a.readInstance(args[0])
			if err != nil {
				return err
			}
			data, err := readFile(args[1])
			if err != nil {
				return err
			}
			report, err := in.Problem.Check(in, args[1], data)
			if err != nil {
				return err
			}
			v := verdict{
				Feasible: report.Feasible(nil), Objective: report.Objective, Waived: []string{},
				Violations: append([]models.Violation{}, report.Violations...),
			}
			if err := a.printJSON(v); err != nil {
				return err
			}
			if !v.Feasible {
				return &exit{code: exitFailed}
			}
			return nil
		},
	}
}
