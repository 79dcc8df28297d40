package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"schedgap/bench"
	"schedgap/bench/run/sysinfo"
	"schedgap/models/nearest"
)

// An app is one execution of the program.
type app struct {
	getenv         func(string) string // the value of a variable of the program's own; empty: none is set
	stdin          io.Reader
	stdout, stderr io.Writer
	registry       *bench.Registry
	hard           context.Context // ends with the second interrupt, where the commands' own context ends with the first
	log            *slog.Logger

	own        *bench.Problem // of --problem; nil: none is given
	quiet      bool
	logFormat  string
	completing bool // a shell asks what a word may become
}

const (
	logText = "text"
	logJSON = "json"
)

func (a *app) root() *cobra.Command {
	a.logFormat, a.log = logText, slog.New(slog.DiscardHandler)
	root := &cobra.Command{
		Use:          "schedgap",
		SilenceUsage: true, SilenceErrors: true, DisableSuggestions: true,
		CompletionOptions: cobra.CompletionOptions{DisableNoDescFlag: true},
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			a.log = a.logger(a.quiet)
			return checkPaths(cmd, args)
		},
	}
	root.Version = sysinfo.Read().BinaryVersion
	root.SetVersionTemplate("schedgap {{.Version}}\n")
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.AddCommand(a.filesCommand("schemas", "`DIR` for the schemas", a.writeSchemas),
		a.filesCommand("man", "`DIR` for the pages", writeMan))
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "only errors on stderr, no logs and progress")
	choiceFlag(root.PersistentFlags(), &a.logFormat, "log-format", "of the logs on stderr", logText, logJSON)
	a.problemFlag(root)
	root.SetFlagErrorFunc(unknownFlag)
	root.SetHelpCommand(helpCommand(root))
	root.SetHelpFunc(printHelp)
	sections := []struct {
		title    string
		commands []*cobra.Command
	}{
		{"Try", []*cobra.Command{
			a.generateCommand(), a.solveCommand(), a.checkCommand(), a.verifyCommand(), a.listCommand(),
			a.doctorCommand(),
		}},
		{"Your own", []*cobra.Command{
			a.algorithmCommand(), a.benchCommand(), a.evaluateCommand(), a.worstCommand(),
			a.exportCommand(), a.ownProblemCommand(),
		}},
		{"Benchmark", []*cobra.Command{a.runCommand(), a.statusCommand(), a.mergeCommand(), a.traceCommand(), a.simulateCommand()}},
		{"Report", []*cobra.Command{a.reportCommand(), a.compareCommand()}},
		{"Evidence", []*cobra.Command{a.libraryCommand(), a.paperCommand()}},
	}
	var all []*cobra.Command
	for _, s := range sections {
		root.AddGroup(&cobra.Group{ID: s.title, Title: s.title})
		for _, c := range s.commands {
			c.GroupID = s.title
			all = append(all, c)
		}
	}
	show := &cobra.Command{Use: "suite", Hidden: true}
	showSuite := a.command("show NAME", a.showSuite)
	showSuite.ValidArgsFunction = a.completeSuites
	group(show, a.renamed(showSuite, "list suites"))
	group(root, append(all, show, a.renamed(a.versionCommand(), "doctor"),
		a.renamed(a.newAlgorithmCommand("new-algorithm"), "algorithm new"), a.renamed(a.checkAlgorithmCommand("check-algorithm"),
			"algorithm check"))...)
	root.InitDefaultCompletionCmd()
	completion, _, _ := root.Find([]string{"completion"})
	group(completion)
	a.nameProblem(root)
	explain(root)
	return root
}

// group makes parent a command that only holds others: without one of their names it is bad usage.
func group(parent *cobra.Command, children ...*cobra.Command) {
	parent.AddCommand(children...)
	parent.Args = cobra.ArbitraryArgs
	parent.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			var names []string
			for _, c := range cmd.Commands() {
				if c.IsAvailableCommand() {
					names = append(names, c.Name())
				}
			}
			return nearest.Unknown("command", args[0], names)
		}
		return fmt.Errorf("which command? see: %s --help", cmd.CommandPath())
	}
}

// unknownFlag adds to the error about a long flag which one may be meant.
func unknownFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) || unknown.GetSpecifiedShortnames() != "" {
		return err
	}
	if flag := cmd.CommandPath() + " --" + unknown.GetSpecifiedName(); retiredFlags[flag] != "" {
		return fmt.Errorf("there is no %s any more: %s", flag, retiredFlags[flag])
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := nearest.Name(unknown.GetSpecifiedName(), names); near != "" {
		return fmt.Errorf("%w; did you mean \"--%s\"?", err, near)
	}
	return fmt.Errorf("%w; see: %s --help", err, cmd.CommandPath())
}

// positional accepts exactly the named arguments; a last one ending in … stands for one or more, one in brackets is optional.
func positional(names ...string) cobra.PositionalArgs {
	least, most := len(names), len(names)
	if n := len(names); n > 0 {
		switch last := names[n-1]; {
		case strings.HasSuffix(last, "…"):
			most = 1 << 20
		case strings.HasPrefix(last, "["):
			least--
		}
	}
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s is missing; see: %s --help", names[len(args)], cmd.CommandPath())
		case len(args) > most:
			return fmt.Errorf("unexpected argument %q; see: %s --help", args[most], cmd.CommandPath())
		}
		return nil
	}
}

func (a *app) logger(quiet bool) *slog.Logger { return a.loggerTo(a.stderr, quiet) }

func (a *app) loggerTo(w io.Writer, quiet bool) *slog.Logger {
	opts := &slog.HandlerOptions{}
	if quiet {
		opts.Level = slog.LevelError
	}
	if a.logFormat == logJSON {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
