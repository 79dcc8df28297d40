package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const (
	helpWidth = 100 // of the flags in help
	fewFlags  = 6   // need no groups
)

// flagGroups are the headings of the flags in help and the flags below each. Other flags come first, below "Flags".
var flagGroups = []struct{ title, flags string }{
	{"Limits", "time-limit memory-limit output-limit threads workers budget evaluations sandbox env strict require-valid allow-empty"},
	{"Run again", "rerun rerun-failed rerun-timeouts forget"},
	{"Output", "output out json name label commit format csv proof proofs draw drawing for columns width font titles pool keep all"},
}

// printHelp prints the help of a command: a sentence, the usage, examples, commands below it, and flags by group.
func printHelp(cmd *cobra.Command, _ []string) {
	if !cmd.HasParent() {
		fmt.Fprint(cmd.OutOrStdout(), rootHelp(cmd))
		return
	}
	var b strings.Builder
	text := cmd.Long
	if text == "" {
		text = cmd.Short + "."
	}
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", text, cmd.UseLine())
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	if below := available(cmd); len(below) > 0 {
		b.WriteString("\nCommands:\n")
		for _, c := range below {
			fmt.Fprintf(&b, "  %-11s %s\n", c.Name(), c.Short)
		}
	}
	for _, g := range grouped(cmd.NonInheritedFlags()) {
		fmt.Fprintf(&b, "\n%s:\n%s", g.title, g.flags.FlagUsagesWrapped(helpWidth))
	}
	b.WriteString("\nAlways: --help, --quiet (-q), --log-format text|json, --problem FOLDER\n")
	fmt.Fprint(cmd.OutOrStdout(), b.String())
}

// rootHelp fits a screen of 24 lines: each command in a line, with its group before the first of them.
func rootHelp(root *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", root.Long)
	for _, g := range root.Groups() {
		title := g.Title
		for _, c := range root.Commands() {
			if c.GroupID == g.ID && !c.Hidden {
				fmt.Fprintf(&b, "%-11s %-10s %s\n", title, c.Name(), c.Short)
				title = ""
			}
		}
	}
	example := strings.ReplaceAll(strings.TrimSpace(root.Example), "\n  ", " && ")
	fmt.Fprintf(&b, "Example:    %s\n", example)
	b.WriteString("Also:       COMMAND --help, completion SHELL, --version, --quiet, --log-format\n")
	return b.String()
}

// available are the commands below another one that users see.
func available(cmd *cobra.Command) (list []*cobra.Command) {
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			list = append(list, c)
		}
	}
	return list
}

type flagGroup struct {
	title string
	flags *pflag.FlagSet
}

// grouped are the flags of a command below their headings, each flag once.
func grouped(all *pflag.FlagSet) []flagGroup {
	groups := []flagGroup{{"Flags", new(pflag.FlagSet)}}
	for _, g := range flagGroups {
		groups = append(groups, flagGroup{g.title, new(pflag.FlagSet)})
	}
	flags := 0
	all.VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Hidden {
			return
		}
		flags++
		at := 1 + slices.IndexFunc(flagGroups, func(g struct{ title, flags string }) bool {
			return slices.Contains(strings.Fields(g.flags), f.Name)
		})
		groups[at].flags.AddFlag(f)
	})
	if flags <= fewFlags {
		for _, g := range groups[1:] {
			groups[0].flags.AddFlagSet(g.flags)
		}
		groups = groups[:1]
	}
	return slices.DeleteFunc(groups, func(g flagGroup) bool { return !g.flags.HasFlags() })
}
