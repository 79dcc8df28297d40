package main

import (
	"cmp"
	_ "embed" // help.md
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
)

// command is a command of a usage. It accepts the arguments that stand there before the first flag.
func (a *app) command(use string, run func(cmd *cobra.Command, args []string) error) *cobra.Command {
	cmd := &cobra.Command{Use: use, RunE: run}
	var arguments []string
	for _, word := range strings.Fields(use)[1:] {
		if strings.HasPrefix(strings.TrimPrefix(word, "["), "-") || strings.HasPrefix(word, "(") {
			break
		}
		arguments = append(arguments, word)
	}
	cmd.Args = positional(arguments...)
	if strings.Contains(use, " PROBLEM ") {
		cmd.ValidArgsFunction = a.completeProblems
	}
	return cmd
}

// problemCommand is a command whose first argument names a problem, and says which is meant before it asks for flags.
func (a *app) problemCommand(use string, run func(cmd *cobra.Command, p *bench.Problem, args []string) error) *cobra.Command {
	cmd := a.command(use, nil)
	words := cmd.Args
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := words(cmd, args); err != nil {
			return err
		}
		_, err := a.registry.Problem(args[0])
		return err
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := a.registry.Problem(args[0])
		if err != nil {
			return err
		}
		return run(cmd, p, args)
	}
	return cmd
}

//go:embed help.md
var help string

// explain gives a command and the commands below it the text under their headings in help.md: a line, a paragraph, and indented
// examples.
func explain(cmd *cobra.Command) {
	section := func(path string) string {
		_, text, _ := strings.Cut(help, "\n# "+path+"\n")
		text, _, _ = strings.Cut(text, "\n# ")
		return text
	}
	text := cmp.Or(section(cmd.CommandPath()), section(cmd.Annotations[today]))
	text, examples, found := strings.Cut(text, "\n    ")
	short, long, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	cmd.Short, cmd.Long = cmp.Or(short, cmd.Short), long
	if found {
		cmd.Example = "  " + strings.ReplaceAll(strings.TrimSpace(examples), "\n    ", "\n  ")
	}
	for _, c := range cmd.Commands() {
		explain(c)
	}
}

// helpCommand prints what --help prints of the command that its arguments name.
func helpCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Describe a command", Hidden: true, Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			switch {
			case err != nil:
				return err
			case cmd.DisableFlagParsing, len(rest) > 0 && cmd.HasSubCommands(): // one that is gone, one that never was
				return cmd.RunE(cmd, rest)
			case len(rest) > 0:
				return fmt.Errorf("%s has no commands, such as %q", cmd.CommandPath(), rest[0])
			}
			cmd.InitDefaultHelpFlag()
			cmd.InitDefaultVersionFlag()
			return cmd.Help()
		},
	}
}
