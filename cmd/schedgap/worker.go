package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"schedgap/bench"
)

// internalCommand is what run and solve start: units, or with supervise those that are commands, come in on stdin, results go out
// on stdout.
func (a *app) internalCommand(name string, serve func(context.Context, *bench.Registry, io.Reader,
	io.Writer) error,
) *cobra.Command {
	cmd := a.command(name, func(cmd *cobra.Command, _ []string) error {
		if err := serve(cmd.Context(), a.registry, a.stdin, a.stdout); err != nil {
			return &exit{code: exitFailed, message: err.Error()}
		}
		return nil
	})
	cmd.Hidden, cmd.Short = true, "Run units for another process (internal)"
	return cmd
}
