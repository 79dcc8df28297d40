package main

import (
	"github.com/spf13/cobra"

	"schedgap/exact/verify/referee"
)

func (a *app) verifyCommand() *cobra.Command {
	return a.command("verify INSTANCE.json PROOF", func(cmd *cobra.Command, args []string) error {
		v, err := referee.Verify(cmd.Context(), args[0], args[1])
		if err != nil {
			return err
		}
		return a.judged(v, v.Verified)
	})
}
