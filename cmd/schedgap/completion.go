package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"
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
				err = fmt.Errorf("unknown shell %q; it must be bash, zsh, fish or powershell", args[0])
			}
			if err != nil {
				return err
			}
			_, err = a.stdout.Write(script.Bytes())
			return err
		},
	}
}
