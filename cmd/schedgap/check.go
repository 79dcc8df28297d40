package main

import (
	"github.com/spf13/cobra"

	"schedgap/exact/verify/referee"
)

func (a *app) checkCommand() *cobra.Command {
	return a.command("check INSTANCE.json SOLUTION.json", func(_ *cobra.Command, args []string) error {
		j, err := referee.Check(args[0], args[1])
		if err != nil {
			return err
		}
		return a.judged(j, j.Feasible)
	})
}
