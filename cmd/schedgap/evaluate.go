package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/catalog"
	"schedgap/bench/plan/suite"
	"schedgap/bench/score/evaluate"
	"schedgap/reports/summary"
)

func (a *app) evaluateCommand() *cobra.Command {
	o := evaluate.Options{Registry: a.registry, Stage: 2, Seed: 1, Limits: bench.Limits{Time: 10 * time.Second, Memory: 2 << 30}}
	var files []string
	suiteName, scaffold, confine := "", "", confinements[0]
	cmd := a.problemCommand("evaluate PROBLEM -- COMMAND …", func(cmd *cobra.Command, p *bench.Problem, args []string) (err error) {
		o.Problem = p
		if scaffold != "" {
			return a.scaffold(o.Problem, scaffold, o.Out)
		}
		fl := cmd.Flags()
		globs, err := splitFiles(files, &o.Files)
		if err != nil {
			return err
		}
		if fl.Changed("set") && (fl.Changed("suite") || len(globs) > 0) || fl.Changed("suite") && len(globs) > 0 {
			return errors.New("--set, --suite and the instances of --files exclude each other")
		}
		if (o.Adversarial > 0) != (o.Evaluations > 0) || (o.Adversarial > 0) != (o.Out != "") || o.Adversarial > o.Evaluations {
			return errors.New("--adversarial N needs --evaluations K, at least N, and --out DIR, and they need it")
		}
		o.Given, err = a.givenInstances(cmd, o.Problem, suiteName, globs)
		if err != nil {
			return err
		}
		if o.Adversarial > 0 {
			if err := writableFolder(o.Out); err != nil {
				return err
			}
		}
		o.Command, o.Cache, o.Log, o.Confined = args[1:], a.cacheFolder(), a.log, confine == confined
		o.Hide = secrets(o.Cache)
		out, err := evaluate.Run(cmd.Context(), o)
		if err != nil {
			return err
		}
		if err := a.printJSON(out); err != nil {
			return err
		}
		if out.NotStarted {
			return &exit{exitFailed, out.Artifacts["feedback"]}
		}
		return nil
	})
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("scaffold") {
			return positional("PROBLEM")(cmd, args)
		}
		return oneOf(nil, "PROBLEM")(cmd, args)
	}
	fs := cmd.Flags()
	fs.StringVar(&o.Set, "set", evaluate.Train,
		"`NAME` of the set: train, test (drawn from the seed, nothing of it is shown) or a set of the library")
	fs.StringVar(&suiteName, "suite", "", "`FILE` or name of a suite with the instances")
	fs.StringArrayVar(&files, "files", nil,
		"`DIR` with the command's files (default: its program's folder), or a pattern of instance files; may be repeated")
	countFlag(fs, &o.Stage, 3, "stage", "", "1: five tiny instances, 2: the set, 3: the set and 20 fresh ones")
	seedFlag(fs, &o.Seed)
	durationFlag(fs, &o.Limits.Time, "time-limit", "for each instance, such as 500ms or 10s")
	fs.BoolVar(&o.RequireValid, "require-valid", false, "score 0 if any solution does not count")
	fs.BoolVar(&o.Batch, "batch", false, "one process answers many instances, line by line")
	choiceFlag(fs, &confine, "sandbox", "around the command", confinements...)
	countFlag(fs, &o.Adversarial, 1000, "adversarial", "", "number of worst instances to search for after the score")
	countFlag(fs, &o.Evaluations, most, "evaluations", "", "number of evaluations of that search")
	fs.StringVar(&o.Out, "out", "", "`DIR` for the worst instances and set.yaml, their suite")
	choiceFlag(fs, &scaffold, "scaffold", "files to begin with, written to -o", catalog.Scaffolds...)
	fs.StringVarP(&o.Out, "output", "o", "", "`DIR` for the scaffold")
	return cmd
}

const confined = "strict"

// confinements are the values of --sandbox, the default first.
var confinements = []string{confined, "off"}

// splitFiles returns the patterns of instance files among the values of --files; a folder is the command's.
func splitFiles(values []string, folder *string) (globs []string, err error) {
	for _, path := range values {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			globs = append(globs, path)
		} else if *folder != "" {
			return nil, fmt.Errorf("--files: %s and %s are both folders; one has the command's files", *folder, path)
		} else {
			*folder = path
		}
	}
	return globs, nil
}

// secrets are paths of this program, its caches, its library and results. They are hidden even below folders that a command sees.
func secrets(cache string) []string {
	here, _ := os.Getwd()
	home, _ := os.UserHomeDir()
	self, _ := os.Executable()
	list := []string{here, home, self, cache}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		list = append(list, filepath.Join(dir, "schedgap"))
	}
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "SCHEDGAP_") {
			list = append(list, value)
		}
	}
	list = slices.DeleteFunc(list, func(path string) bool { return path == "" }) // which would mean the current folder
	for i, path := range list {
		if abs, err := filepath.Abs(path); err == nil {
			list[i] = abs
		}
	}
	return list
}

// givenInstances are the instances of --suite or --files, nil if neither is given.
func (a *app) givenInstances(
	cmd *cobra.Command, p *bench.Problem, name string, globs []string,
) (list []*bench.Instance, err error) {
	if name != "" {
		suites, err := suite.Load(name, a.registry)
		if err != nil {
			return nil, err
		}
		return evaluate.Instances(cmd.Context(), a.registry, p, suites)
	}
	for _, glob := range globs {
		paths, err := filepath.Glob(glob)
		if err == nil && len(paths) == 0 {
			paths = []string{glob} // its absence is an error like that of any file
		}
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			in, err := a.readInstanceOf(p, path)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(list, func(other *bench.Instance) bool { return other.Name == in.Name }) {
				return nil, fmt.Errorf("%s: an instance called %s is given already", path, in.Name)
			}
			list = append(list, in)
		}
	}
	return list, nil
}

// cacheFolder is where proven optima are kept; empty: nowhere, as without a home folder.
func (a *app) cacheFolder() string {
	if dir := a.getenv("SCHEDGAP_CACHE"); dir != "" {
		return dir
	}
	if dir, err := os.UserCacheDir(); err == nil && filepath.IsAbs(dir) { // a relative home folder is no home
		return filepath.Join(dir, "schedgap")
	}
	return ""
}

// scaffold writes the first files for a program that evolves heuristics. Existing files are never replaced.
func (a *app) scaffold(p *bench.Problem, kind, dir string) error {
	if dir == "" {
		return errors.New("--scaffold needs -o DIR")
	}
	files, err := catalog.Scaffold(p.Name, kind)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := unused(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if err := writableFolder(dir); err != nil {
		return err
	}
	if err := writeFiles(dir, files); err != nil {
		return err
	}
	a.next(fmt.Sprintf("schedgap evaluate %s -- python3 %s", p.Name, summary.Quote(filepath.Join(dir, catalog.Initial))))
	return nil
}
