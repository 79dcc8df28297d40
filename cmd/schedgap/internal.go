package main

import (
	"cmp"
	"context"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/run/worker"
	"schedgap/models/input"
)

// serving are the arguments with which run and solve start this program as a process that reads units on stdin and writes results on
// stdout. A supervisor takes the units that are commands. None of the program's commands is made for them: hundreds of processes may
// start in a run.
var serving = map[string]func(context.Context, *bench.Registry, io.Reader, io.Writer) error{
	"worker": worker.Serve, "supervise": worker.Supervise,
}

// filesCommand is a command for those who build the program, which makes files in a folder and prints its path.
func (a *app) filesCommand(name, usage string, write func(root *cobra.Command, dir string) error) *cobra.Command {
	out := ""
	cmd := a.command(name+" -o DIR", func(cmd *cobra.Command, _ []string) error {
		if err := os.MkdirAll(out, 0o777); err != nil {
			return input.PathError(out, err)
		}
		if err := write(cmd.Root(), out); err != nil {
			return err
		}
		return a.printPath(out)
	})
	cmd.Hidden = true
	writesTo(cmd, &out, usage)
	return cmd
}

// writeMan writes the man pages of all commands, for make install.
func writeMan(root *cobra.Command, dir string) error {
	root.DisableAutoGenTag = true // a date in every page would make two builds differ
	return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: root.Version, Manual: "schedgap"}, dir)
}

//go:generate ../../scripts/env go run . schemas -o ../../docs/schemas

// writeSchemas writes the JSON Schemas of all input files; docs/schemas is its output.
func (a *app) writeSchemas(_ *cobra.Command, dir string) error {
	files, err := a.schemas()
	if err != nil {
		return err
	}
	return writeFiles(dir, files)
}

// schemas returns the contents of docs/schemas.
func (a *app) schemas() (map[string][]byte, error) {
	files := map[string][]byte{}
	suites, err := suite.Schema(a.registry.Problems)
	files["suite.schema.json"] = suites
	for _, p := range a.registry.Problems {
		instance, errInstance := p.InstanceSchema()
		solution, errSolution := p.SolutionSchema()
		files[p.Name+".instance.schema.json"], files[p.Name+".solution.schema.json"] = instance, solution
		err = cmp.Or(err, errInstance, errSolution)
	}
	return files, err
}
