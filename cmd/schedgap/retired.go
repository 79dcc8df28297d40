package main

import "github.com/spf13/cobra"

// retiredFlags are options of earlier releases that are gone, by command and name, each with what an answer to it says.
var retiredFlags = map[string]string{
	"schedgap export --exact": "models for solvers that compute in rationals are no longer written",
}

// today is the key of the new name of a renamed command.
const today = "today"

// renamed hides a command that goes by another name today. It works as before.
func (a *app) renamed(cmd *cobra.Command, name string) *cobra.Command {
	run := cmd.RunE
	cmd.Hidden, cmd.Annotations = true, map[string]string{today: "schedgap " + name}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if err == nil { // else there is one sentence, and that is the error's
			a.log.Info("this command has a new name", today, "schedgap "+name)
		}
		return err
	}
	return cmd
}
