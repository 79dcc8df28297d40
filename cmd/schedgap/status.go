package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench/run/runner"
	"schedgap/bench/run/store"
)

func (a *app) statusCommand() *cobra.Command {
	var asJSON, all bool
	cmd := a.command("status DIR", func(cmd *cobra.Command, args []string) error {
		state, err := runner.Status(cmd.Context(), args[0], all)
		if err := cmp.Or(folder(args[0]), err); err != nil {
			return err
		}
		for _, bad := range state.Bad {
			a.log.Warn("a file cannot be read; a run sets it aside", "error", bad.Error())
		}
		var rows [][]string
		for _, i := range state.Algorithms {
			var parts []string
			for _, status := range slices.Sorted(maps.Keys(i.Statuses)) {
				parts = append(parts, fmt.Sprintf("%s %d", status, i.Statuses[status]))
			}
			row := []string{i.Algorithm}
			for _, n := range []int{i.Done, i.Failed, i.Left, i.Stale, i.Other, i.Outside} {
				row = append(row, fmt.Sprint(n))
			}
			rows = append(rows, append(row, strings.Join(parts, ", ")))
		}
		head := []string{"ALGORITHM", "DONE", "FAILED", "LEFT", "STALE", "OTHER BUILD", "LEFT OUT", "STATUSES"}
		out := store.LeftOut(state.Outside, args[0])
		if asJSON && out != "" && !all {
			a.log.Warn(out)
		}
		if err := a.printList(asJSON, state.Algorithms, head, rows); err != nil || asJSON || all || out == "" {
			return err
		}
		return a.print([]byte(out + "\n"))
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&all, "all", false, "also count the rows that the plan does not ask for")
	return cmd
}
