package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"schedgap/bench/suite"
)

//go:generate ../../scripts/env go run . schemas -o ../../docs/schemas

// schemasCommand writes the JSON Schemas of all input files; docs/schemas is its output.
func (a *app) schemasCommand() *cobra.Command {
	out := ""
	cmd := a.command("schemas -o DIR", func(*cobra.Command, []string) error {
		files, err := a.schemas()
		if err != nil {
			return err
		}
		if err := writeFiles(out, files); err != nil {
			return err
		}
		_, err = fmt.Fprintf(a.stdout, "%d schemas\n", len(files))
		return err
	})
	cmd.Hidden = true
	writesTo(cmd, &out, "`DIR` for the schemas")
	return cmd
}

// schemas returns the contents of docs/schemas.
func (a *app) schemas() (map[string][]byte, error) {
	files := map[string][]byte{}
	var err error
	for _, p := range a.registry.Problems {
		if files[p.Name+".instance.schema.json"], err = p.InstanceSchema(); err != nil {
			return nil, err
		}
		if files[p.Name+".solution.schema.json"], err = p.SolutionSchema(); err != nil {
			return nil, err
		}
	}
	files["suite.schema.json"], err = suite.Schema(a.registry.Problems)
	return files, err
}
