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
	cmd := &cobra.Command{
		Use:   "merge DIR… -o DIR",
		Short: "Merge results folders into one",
		Long: "Adds the rows and instances of results folders to another one, such as those of shards that ran on machines without a\n" +
			"common disk. Of rows for the same unit the one that was started last counts. Merging again adds nothing.",
		Example: "  schedgap merge shards/* -o results/all",
		Args:    positional("DIR…"),
		RunE: func(cmd *cobra.Command, args []string) error {
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
		},
	}
	writesTo(cmd, &out, "`DIR` of the results to add to")
	return cmd
}
