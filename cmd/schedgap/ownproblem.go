package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"schedgap/bench"
	own "schedgap/bench/catalog/folder"
	"schedgap/bench/plan/suite"
	"schedgap/bench/run/store"
	"schedgap/models/input"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// problemFlag defines --problem, which makes the problem of a folder known to all commands.
func (a *app) problemFlag(root *cobra.Command) {
	path := ""
	root.PersistentFlags().Var(parsed[string]{
		value: &path, kind: "FOLDER",
		parse: func(s string) (string, error) {
			p, err := a.registry.Adopt(s)
			a.own = p
			return s, err
		},
	}, "problem", "of a problem of your own; see: schedgap problem --help")
}

// nameProblem has the commands whose first argument is a problem take --problem in its place.
func (a *app) nameProblem(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		a.nameProblem(c)
	}
	if words := strings.Fields(cmd.Use); len(words) < 2 || words[1] != "PROBLEM" && words[1] != "[PROBLEM]" || cmd.RunE == nil {
		return
	}
	valid, run := cmd.Args, cmd.RunE
	cmd.Args = func(cmd *cobra.Command, args []string) error { return valid(cmd, a.named(cmd, args)) }
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return run(cmd, a.named(cmd, args)) }
}

// prepended marks commands whose first argument is not on the command line.
const prepended = "prepended"

// named are the arguments of a command with the problem of --problem before them, unless they begin with it.
func (a *app) named(cmd *cobra.Command, args []string) []string {
	if a.own == nil || len(args) > 0 && cmd.ArgsLenAtDash() != 0 && (args[0] == a.own.Name || sameFolder(args[0], a.own.Folder.Path)) {
		return args
	}
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[prepended] = "yes"
	return append([]string{a.own.Name}, args...)
}

// ofOwn is the flag --problem, and a space, as it was given.
func (a *app) ofOwn() string {
	if a.own == nil {
		return ""
	}
	return "--problem " + summary.Quote(a.own.Folder.Path) + " "
}

// sameFolder reports whether a path is a folder, by whatever way.
func sameFolder(path, folder string) bool {
	one, err := os.Stat(path)
	other, err2 := os.Stat(folder)
	return err == nil && err2 == nil && os.SameFile(one, other)
}

// dash is the number of arguments before --, negative without one.
func dash(cmd *cobra.Command) int {
	at := cmd.ArgsLenAtDash()
	if at >= 0 && cmd.Annotations[prepended] != "" {
		at++
	}
	return at
}

// needsGo says what a problem in a folder cannot have.
func needsGo(p *bench.Problem, what string) error {
	return fmt.Errorf("%s: %s need a problem that is written in Go, and this one is a folder (CONTRIBUTING.md)", p.Name, what)
}

// adoptFrom makes the problems known whose folders a results folder names.
func (a *app) adoptFrom(path string) error {
	file := filepath.Join(path, store.SuiteFile)
	data, err := input.Read(file, input.MaxData)
	if err != nil {
		return nil // it has no suite, and rows of unknown problems are reported as such
	}
	suites, _ := suite.ParseAll(file, data)
	for _, s := range suites {
		known := slices.ContainsFunc(a.registry.Problems, func(p *bench.Problem) bool { return p.Name == s.Problem })
		if s.Folder == "" || known {
			continue
		}
		if _, err := a.registry.Adopt(s.Folder); err != nil {
			return fmt.Errorf("%s: the folder of its problem %s cannot be read: %w; where it lies elsewhere, name it by --problem", path, s.Problem, err)
		}
	}
	return nil
}

func (a *app) ownProblemCommand() *cobra.Command {
	cmd := a.command("problem new NAME|check FOLDER", nil)
	group(cmd, a.newProblemCommand(), a.checkProblemCommand())
	return cmd
}

func (a *app) newProblemCommand() *cobra.Command {
	var language, out string
	cmd := a.command("new NAME --lang python [-o DIR]", func(_ *cobra.Command, args []string) error {
		name := args[0]
		dir := cmp.Or(out, name)
		files, err := own.New(name)
		if err != nil {
			return err
		}
		if err := cmp.Or(unused(dir), writableFolder(dir)); err != nil {
			return err
		}
		for file, text := range files {
			path := filepath.Join(dir, file)
			if err := writeFiles(filepath.Dir(path), map[string][]byte{filepath.Base(path): text}); err != nil {
				return err
			}
		}
		a.next("schedgap problem check " + summary.Quote(dir))
		return a.printPath(dir)
	})
	fs := cmd.Flags()
	choiceFlag(fs, &language, "lang", "of the commands", "python")
	fs.StringVarP(&out, "output", "o", "", "`DIR` of the new folder (default: NAME)")
	must(cmd, "lang")
	return cmd
}

func (a *app) checkProblemCommand() *cobra.Command {
	n, asJSON := 50, false
	cmd := a.command("check FOLDER", func(cmd *cobra.Command, args []string) error {
		p, err := a.registry.Adopt(args[0])
		if err != nil {
			return err
		}
		t, err := own.Try(cmd.Context(), p, n)
		if err != nil {
			return err
		}
		if asJSON {
			err = a.printJSON(t)
		} else {
			err = a.printTrial(t)
		}
		if err != nil || len(t.Mistakes) == 0 {
			return err
		}
		return &exit{exitFailed, fmt.Sprintf("the folder has %s", words.Count(len(t.Mistakes), "mistake"))}
	})
	countFlag(cmd.Flags(), &n, most, "count", "n", "number of generated instances")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// printTrial prints a line for each mistake and note, and what was tried.
func (a *app) printTrial(t *own.Trial) error {
	var b strings.Builder
	for _, m := range t.Mistakes {
		fmt.Fprintf(&b, "mistake: %s\n", m)
	}
	for _, n := range t.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	verdict := "no mistake"
	if len(t.Mistakes) > 0 {
		verdict = words.Count(len(t.Mistakes), "mistake")
	}
	fmt.Fprintf(&b, "%s: %s; %s tried, %s accepted, %d optima proven\n", t.Problem, verdict, words.Count(t.Instances, "instance"),
		words.Count(t.Solutions, "solution"), t.Proven)
	return a.print([]byte(b.String()))
}
