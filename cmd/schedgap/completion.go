package main

import (
	"bytes"
	"slices"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/models/nearest"
)

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print the completion script of a shell",
		Long:      "Print the completion script of a shell, to be sourced: source <(schedgap completion bash)",
		Args:      positional("SHELL"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			var script bytes.Buffer
			var err error
			switch root := cmd.Root(); args[0] {
			case "bash":
				err = root.GenBashCompletionV2(&script, true)
			case "zsh":
				err = root.GenZshCompletion(&script)
			case "fish":
				err = root.GenFishCompletion(&script, true)
			case "powershell":
				err = root.GenPowerShellCompletionWithDesc(&script)
			default:
				err = nearest.Unknown("shell", args[0], cmd.ValidArgs)
			}
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(script.Bytes())
			return err
		},
	}
}

// completeProblems completes a command's first argument.
func (a *app) completeProblems(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	names := make([]string, len(a.registry.Problems))
	for i, p := range a.registry.Problems {
		names[i] = p.Name
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeFlag completes a flag by what the algorithms of all problems have to offer.
func (a *app) completeFlag(cmd *cobra.Command, flag string, of func(*bench.Algorithm) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		var names []string
		for _, p := range a.registry.Problems {
			for i := range p.Algorithms {
				names = append(names, of(&p.Algorithms[i])...)
			}
		}
		slices.Sort(names)
		return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("schedgap: " + err.Error()) // a flag that cmd does not define: a programmer's mistake
	}
}
