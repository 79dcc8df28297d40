package main

import (
	"github.com/spf13/cobra"

	"schedgap/exact/verify/referee"
)

func (a *app) checkCommand() *cobra.Command {
	return a.command("check INSTANCE.json SOLUTION.json", func(_ *cobra.Command, args []string) error {
		j, err := referee.Check(args[0], args[1])
		return a.judged(j, err == nil && j.Feasible, err)
	})
}

func (a *app) verifyCommand() *cobra.Command {
	return a.command("verify INSTANCE.json PROOF", func(cmd *cobra.Command, args []string) error {
		v, err := referee.Verify(cmd.Context(), args[0], args[1])
		return a.judged(v, err == nil && v.Verified, err)
	})
}

// judged prints a judgement that there is; unless it is good, that says it all.
func (a *app) judged(v any, good bool, err error) error {
	if err == nil {
		err = a.printJSON(v)
	}
	return failedUnless(good, err)
}

// failedUnless is how a command ends that has said all on stdout.
func failedUnless(good bool, err error) error {
	if err != nil || good {
		return err
	}
	return &exit{code: exitFailed}
}
