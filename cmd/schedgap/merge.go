package main

import (
	"github.com/spf13/cobra"

	"schedgap/bench/run/merge"
)

// merged is the answer of merge: the numbers of added rows and files.
type merged struct {
	Directory string `json:"directory"`
	merge.Summary
}

func (a *app) mergeCommand() *cobra.Command {
	out := ""
	cmd := a.command("merge DIR… -o DIR", func(cmd *cobra.Command, args []string) error {
		for _, dir := range args {
			if err := folder(dir); err != nil {
				return err
			}
		}
		if err := writableFolder(out, append(runFolders, simFolder)...); err != nil {
			return err
		}
		s, err := merge.Run(cmd.Context(), args, out)
		if err != nil {
			return err
		}
		return a.printJSON(merged{out, *s})
	})
	writesTo(cmd, &out, "`DIR` of the results to add to")
	return cmd
}
