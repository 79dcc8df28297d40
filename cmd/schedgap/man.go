package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"schedgap/models/input"
)

// manCommand writes the man pages of all commands, for make install.
func (a *app) manCommand() *cobra.Command {
	out := ""
	cmd := a.command("man -o DIR", func(cmd *cobra.Command, _ []string) error {
		if err := os.MkdirAll(out, 0o777); err != nil {
			return input.PathError(out, err)
		}
		root := cmd.Root()
		root.DisableAutoGenTag = true // a date in every page would make two builds differ
		if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: root.Version, Manual: "schedgap"}, out); err != nil {
			return err
		}
		pages, err := input.Glob(out, "*.1")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.stdout, "%d pages\n", len(pages))
		return err
	})
	cmd.Hidden = true
	writesTo(cmd, &out, "`DIR` for the pages")
	return cmd
}
