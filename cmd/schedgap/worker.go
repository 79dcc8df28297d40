package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/worker"
)

// workerCommand is what run and solve start: units come in on stdin, results go out on stdout.
func (a *app) workerCommand() *cobra.Command {
	return a.internalCommand("worker", "Run units for another process (internal)", worker.Serve)
}

// superviseCommand is the same for units that are commands.
func (a *app) superviseCommand() *cobra.Command {
	return a.internalCommand("supervise", "Run commands for another process (internal)", worker.Supervise)
}

func (a *app) internalCommand(
	name, short string, serve func(context.Context, *bench.Registry, io.Reader, io.Writer) error,
) *cobra.Command {
	return &cobra.Command{
		Use:    name,
		Short:  short,
		Hidden: true,
		Args:   positional(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := serve(cmd.Context(), a.registry, a.stdin, a.stdout); err != nil {
				return &exit{code: exitFailed, message: err.Error()}
			}
			return nil
		},
	}
}
