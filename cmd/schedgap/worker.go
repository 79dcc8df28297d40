package main

import (
	"github.com/spf13/cobra"

	"schedgap/bench/worker"
)

// workerCommand is what run and solve start: units come in on stdin, results go out on stdout.
func (a *app) workerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "worker",
		Short:  "Run units for another process (internal)",
		Hidden: true,
		Args:   positional(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := worker.Serve(cmd.Context(), a.registry, a.stdin, a.stdout); err != nil {
				return &exit{code: exitFailed, message: err.Error()}
			}
			return nil
		},
	}
}
