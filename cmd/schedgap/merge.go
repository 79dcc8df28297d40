package main

import (
	"github.com/spf13/cobra"

	"schedgap/bench/merge"
)

// merged is what merge prints: what it added.
type merged struct {
	Directory string `json:"directory"`
	Rows      int    `json:"rows"`
	SimRows   int    `json:"sim_rows"`
	Instances int    `json:"instances"`
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
		return a.printJSON(merged{out, s.Rows, s.SimRows, s.Instances})
	})
	writesTo(cmd, &out, "`DIR` of the results to add to")
	return cmd
}
