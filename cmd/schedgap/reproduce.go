package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench/sysinfo"
	"schedgap/reports/verdicts"
)

func (a *app) reproduceCommand() *cobra.Command {
	var (
		asJSON, again, list, check bool
		out                        = filepath.Join("results", "reproduce")
		workers                    = runtime.NumCPU()
		seed                       int
	)
	cmd := a.command("reproduce ID|FIGURE|PAPER", func(cmd *cobra.Command, args []string) error {
		sources, err := verdicts.Stored()
		if err != nil {
			return err
		}
		if seed > 0 && (!again || check) {
			return errors.New("--seed needs --run, and no --check: what is stored has seed 0")
		}
		switch {
		case check:
			rows := ""
			if again {
				if err := writableFolder(out); err != nil {
					return err
				}
				rows = out
			}
			return a.checkClaims(cmd.Context(), sources, workers, rows)
		case list:
			return a.listClaims(sources, asJSON)
		}
		book, err := verdicts.New(sources)
		if err != nil {
			return err
		}
		if _, err := book.Select(args[0]); err != nil {
			return err
		}
		if err := writableFolder(out); err != nil {
			return err
		}
		if again {
			if book, err = a.measureAgain(cmd, book, sources, args[0], out, workers, seed); err != nil {
				return err
			}
		}
		return a.reproduce(book, args[0], out, asJSON)
	})
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if list || check {
			return positional()(cmd, args)
		}
		return positional("NAME")(cmd, args)
	}
	cmd.ValidArgsFunction = completeClaims
	fs := cmd.Flags()
	fs.BoolVar(&asJSON, "json", false, "print JSON: an object for a claim, a list for anything else")
	fs.BoolVar(&again, "run", false, "measure again; a run that was interrupted goes on")
	fs.IntVar(&seed, "seed", 0, "of the random numbers, with --run; the stored measurements were made with 0")
	fs.BoolVar(&list, "list", false, "list what can be reproduced")
	fs.BoolVar(&check, "check", false, "find what is stale")
	fs.StringVarP(&out, "output", "o", out, "`DIR` of figures, and of rows with --run")
	count(fs, &workers, most, "workers", "", "blocks at a time; it does not change the results")
	cmd.MarkFlagsMutuallyExclusive("run", "list")
	cmd.MarkFlagsMutuallyExclusive("check", "list")
	cmd.MarkFlagsMutuallyExclusive("json", "check")
	return cmd
}

// reproduce prints verdicts and draws the figures.
func (a *app) reproduce(book *verdicts.Book, name, out string, asJSON bool) error {
	entries, err := book.Select(name)
	if err != nil {
		return err
	}
	var paths []string
	files := map[string][]byte{}
	for _, d := range verdicts.Drawings(entries) {
		name := d.Name + ".svg"
		if files[name], err = d.SVG(); err != nil {
			return fmt.Errorf("%s: %w", d.Name, err)
		}
		paths = append(paths, filepath.Join(out, name))
	}
	if err := writeFiles(out, files); err != nil {
		return err
	}
	if asJSON {
		a.log.Info("drawn", "figures", strings.Join(paths, ", "))
		records := make([]verdicts.Record, len(entries))
		for i, e := range entries {
			records[i] = e.Record()
		}
		if book.Single(name) {
			return a.printJSON(records[0])
		}
		return a.printJSON(records)
	}
	if err := verdicts.Write(a.stdout, entries); err != nil {
		return err
	}
	for _, file := range paths {
		fmt.Fprintf(a.stdout, "%-11s %s\n", "figure", file)
	}
	return nil
}

// measureAgain measures the experiments behind a name and returns the book that follows.
func (a *app) measureAgain(cmd *cobra.Command, book *verdicts.Book, sources verdicts.Sources, name, out string, workers,
	seed int,
) (*verdicts.Book, error) {
	entries, err := book.Select(name)
	if err != nil {
		return nil, err
	}
	o := verdicts.RunOptions{
		Rows: out, Measured: filepath.Join(out, "measured"), Workers: workers, Seed: seed, Version: sysinfo.Read().BinaryVersion,
		Progress: func(e *verdicts.Experiment) (func(done, total int), func()) {
			a.log.Info("measuring", "experiment", e.Name, "title", e.Title)
			return a.blocks(cmd.Context())
		},
		Skipped: func(e *verdicts.Experiment, why error) {
			a.log.Warn("what is stored is shown", "experiment", e.Name, "reason", why.Error())
		},
	}
	if root := checkout(); seed > 0 {
		o.Measured = filepath.Join(out, fmt.Sprint("seed-", seed))
	} else if root != "" {
		o.Measured = filepath.Join(root, "bench", "catalog", "measured")
	}
	if err := verdicts.Run(cmd.Context(), verdicts.ExperimentsOf(entries), o); err != nil {
		if cmd.Context().Err() != nil {
			return nil, &exit{exitInterrupted, "interrupted; the same command goes on where it stopped"}
		}
		return nil, &exit{exitFailed, err.Error()}
	}
	a.log.Info("written", "folder", o.Measured)
	sources.Measured = verdicts.Over{First: os.DirFS(o.Measured), Then: sources.Measured}
	return verdicts.New(sources)
}

// listClaims prints all that can be reproduced.
func (a *app) listClaims(sources verdicts.Sources, asJSON bool) error {
	book, err := verdicts.New(sources)
	if err != nil {
		return err
	}
	names := book.Names()
	var rows [][]string
	for _, n := range names {
		rows = append(rows, []string{n.Name, n.Kind, fmt.Sprint(n.Claims), n.Title})
	}
	return a.printList(asJSON, names, []string{"NAME", "KIND", "CLAIMS", "TITLE"}, rows)
}

// checkout is the folder of the module's source that the working folder lies in; empty: none.
func checkout() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	for {
		data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(data), "module schedgap\n") {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

// completeClaims completes the argument by all that can be reproduced.
func completeClaims(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	sources, err := verdicts.Stored()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	book, err := verdicts.New(sources)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, n := range book.Names() {
		names = append(names, cobra.CompletionWithDesc(n.Name, n.Title))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
