package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// retired are the commands of earlier releases that are gone, and what to use in their place.
var retired = []struct{ path, successor string }{
	{"library release", "scripts/release-library writes a release"},
	{"library site", "schedgap library list prints the table of instances, schedgap library show the facts about one"},
	{"reproduce", "schedgap paper measures the papers' numbers again"},
	{"list sweeps", "schedgap paper lists the figures of the papers that can be measured again"},
	{"plot", "schedgap report draws figures, schedgap check --draw and schedgap library show --drawing draw schedules"},
	{"history", "use schedgap compare --nights DIR, where DIR holds a result set for each night"},
}

// retiredFlags are options of earlier releases that are gone, by command and name, each with what an answer to it says.
var retiredFlags = map[string]string{
	"schedgap export --exact": "models for solvers that compute in rationals are no longer written",
}

// addRetired has each retired command say in one sentence what took its place.
func addRetired(root *cobra.Command) {
	for _, r := range retired {
		words := strings.Fields(r.path)
		parent, _, err := root.Find(words[:len(words)-1])
		if err != nil {
			panic("schedgap: " + err.Error()) // a parent that is no command: a programmer's mistake
		}
		parent.AddCommand(&cobra.Command{
			Use: words[len(words)-1], Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error {
				return fmt.Errorf("there is no schedgap %s any more: %s", r.path, r.successor)
			},
		})
	}
}

// today is the key of the new name of a renamed command.
const today = "today"

// renamed hides a command that goes by another name today. It works as before.
func (a *app) renamed(cmd *cobra.Command, name string) *cobra.Command {
	run := cmd.RunE
	cmd.Hidden, cmd.Annotations = true, map[string]string{today: "schedgap " + name}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := run(cmd, args)
		if err == nil { // else there is one sentence, and that is the error's
			a.log.Info("this command has a new name", today, "schedgap "+name)
		}
		return err
	}
	return cmd
}
