package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/run/runner"
	"schedgap/bench/run/store"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
	"schedgap/reports/words"
)

// ran is the answer of run.
type ran struct {
	Directory string `json:"directory"`
	*runner.Summary
}

// The folders of a results folder that run and simulate write to.
var (
	runFolders = []string{"runs", "progress", "instances", "solutions", "proofs"}
	simFolder  = "sim"
)

func (a *app) runCommand() *cobra.Command {
	var (
		o                     runner.Options
		algorithms, instances string
		rerun, forget, set    string
		strict, allowEmpty    bool
		proofs                bool
		with                  []string
	)
	cmd := a.command("run [SUITE.yaml|BUILTIN|PROBLEM --set NAME] [-o DIR]", func(cmd *cobra.Command, args []string) error {
		writable := func() error {
			if o.Dir == "" || o.DryRun {
				return nil
			}
			return resumable(writableFolder(o.Dir, runFolders...))
		}
		if err := writable(); err != nil {
			return err
		}
		name := append(args, "quick")[0]
		if a.own != nil && set == "" && !strings.ContainsAny(name, "./") { // quick is the name of many
			name = a.own.Name + "/" + name
		}
		if set != "" {
			p, err := a.registry.Problem(name)
			if err != nil {
				return fmt.Errorf("--set: %w", err)
			}
			name, err = a.benchSuite(p, "", set)
			if err != nil {
				return err
			}
		}
		if forget != "" {
			return a.forget(cmd.Context(), name, o.Dir, globEscaper.Replace(forget))
		}
		plan, err := a.plan(cmd, name, proofs, with)
		if err != nil {
			return err
		}
		if err := selectUnits(plan, globEscaper.Replace(algorithms), globEscaper.Replace(instances), allowEmpty); err != nil {
			return err
		}
		if len(plan.Units) > 0 {
			o.Rerun, err = plan.Algorithms(globEscaper.Replace(rerun))
			if err != nil {
				return fmt.Errorf("--rerun: %w", err)
			}
		}
		if o.Dir == "" {
			o.Dir = filepath.Join("results", plan.Suites[0].Name)
			if err := writable(); err != nil {
				return err
			}
		}
		if o.Commit == "" {
			o.Commit = commitOf(cmd.Context(), name, plan, len(with) > 0)
		}
		s, err := a.runPlan(cmd.Context(), plan, o)
		if err != nil {
			return resumable(err)
		}
		if err := a.printJSON(ran{o.Dir, s}); err != nil {
			return err
		}
		if !s.Interrupted && !o.DryRun && o.Shard.Of == 0 {
			if err := a.sayEffects(cmd.Context(), o.Dir); err != nil {
				return err
			}
		}
		a.next(nextCommand(s, o))
		return endOf(plan, s, o, strict)
	})
	cmd.ValidArgsFunction = a.completeSuites
	fs := cmd.Flags()
	fs.StringVarP(&o.Dir, "output", "o", "", "`DIR` of the results (default: results/SUITE)")
	listFlag(fs, &algorithms, "algorithms", "a", "GLOB", "algorithms to run (default: all)")
	listFlag(fs, &instances, "instances", "i", "GLOB", "instances to run on (default: all)")
	fs.StringVar(&set, "set", "", "`NAME` of a set of the library; a PROBLEM takes the suite's place")
	withFlag(fs, &with)
	outputFlag(fs, &o.Output)
	envFlag(fs, &o.Worker.Pass)
	countFlag(fs, &o.Workers, most, "workers", "", "units at a time (default: the number of CPUs)")
	shardFlag(fs, &o.Shard)
	labelFlags(fs, &o)
	fs.BoolVar(&o.DryRun, "dry-run", false, "only show the units that would run")
	fs.BoolVar(&proofs, "proofs", false, "write and check proofs of exact algorithms, in DIR/proofs")
	fs.BoolVar(&strict, "strict", false, "exit with 1 if a source was skipped or any row failed")
	fs.BoolVar(&allowEmpty, "allow-empty", false, "accept that sources and filters select no unit")
	listFlag(fs, &rerun, "rerun", "", "GLOB", "algorithms to run again, for example after a new build")
	listFlag(fs, &forget, "forget", "", "GLOB", "algorithms or instances whose rows to delete; nothing runs")
	fs.BoolVar(&o.RerunFailed, "rerun-failed", false, "run units with status crash, error, oom or invalid again")
	fs.BoolVar(&o.RerunTimeouts, "rerun-timeouts", false, "run units with status timeout again")
	return cmd
}

// endOf is the end of a run with another code than 0; nil means that it ended well.
func endOf(plan *suite.Plan, s *runner.Summary, o runner.Options, strict bool) error {
	switch {
	case s.Interrupted && len(o.Rerun) > 0:
		return &exit{exitInterrupted, "interrupted; the same command goes on where it stopped, but runs again all that --rerun names"}
	case s.Interrupted:
		return &exit{exitInterrupted, "interrupted; the same command goes on where it stopped"}
	case s.Faulty() > 0:
		return faulty(s, o.Dir)
	case s.EveryRowFailed() && o.Shard.Of == 0: // report and compare judge the rows of a shard
		return &exit{exitFailed, "every row failed; for the reasons: schedgap report " + summary.Quote(o.Dir)}
	case strict && len(plan.Skipped)+s.Failures() > 0:
		return &exit{exitFailed, fmt.Sprintf("with --strict: skipped %s, failed %s; for the reasons: schedgap report %s",
			words.Count(len(plan.Skipped), "source"), words.Count(s.Failures(), "row"), summary.Quote(o.Dir))}
	}
	return nil
}

// faulty is the end of a run with rows that are errors of the problem; nil: it has none.
func faulty(s *runner.Summary, dir string) error {
	if s.Faulty() == 0 {
		return nil
	}
	return &exit{exitFailed, fmt.Sprintf("errors of the problem, one of whose own commands failed: %s; for the reasons: schedgap report %s; %s; "+
		"--rerun-failed runs them again", words.Count(s.Faulty(), "row"), summary.Quote(dir), faultAdvice)}
}

// forgot is the answer of run --forget.
type forgot struct {
	Directory string `json:"directory"`
	Forgotten int    `json:"forgotten"` // units
}

// forget deletes the rows of algorithms or instances from a results folder, by default from that of a suite.
func (a *app) forget(ctx context.Context, name, path, globs string) error {
	if path == "" {
		suites, err := suite.Load(name, a.registry)
		if err != nil {
			return err
		}
		path = filepath.Join("results", suites[0].Name)
	}
	if err := folder(path); err != nil {
		return err
	}
	dir := store.Open(path)
	algorithms, instances := map[string]bool{}, map[string]bool{}
	_, err := dir.WithUnplannedRows().EachUnit(ctx, func(r *bench.Record) { algorithms[r.Algorithm], instances[r.Instance] = true, true })
	if err != nil {
		return err
	}
	// A glob is about instances only where it matches no algorithm: f* should not delete all that is on flex-000.
	named, left, err := suite.Match(globs, slices.Collect(maps.Keys(algorithms)))
	on := map[string]bool{}
	if err == nil && len(left) > 0 {
		on, left, err = suite.Match(strings.Join(left, ","), slices.Collect(maps.Keys(instances)))
	}
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("%s has no row of an algorithm or instance that matches %q", path, left[0])
	}
	if err != nil {
		return fmt.Errorf("--forget: %w", err)
	}
	n, err := dir.Forget(ctx, func(r *bench.Record) bool { return named[r.Algorithm] || on[r.Instance] }, named)
	if err != nil {
		return resumable(err)
	}
	return a.printJSON(forgot{path, n})
}

// runPlan runs a plan with progress shown. The first interrupt lets the running units finish, the second stops them.
func (a *app) runPlan(ctx context.Context, plan *suite.Plan, o runner.Options) (*runner.Summary, error) {
	progress := a.progress(ctx, logEvery)
	defer progress.close()
	defer context.AfterFunc(ctx, func() {
		progress.log.Warn("finishing the units that are running; interrupt again to stop at once")
	})()
	o.Kill, o.Note, o.Progress = a.hard, func(s string) { a.log.Warn(s) }, progress.show
	return runner.Run(ctx, plan, o)
}

// mostRows is up to how many rows a run compares factors and algorithms at its end; report does so with any number.
const mostRows = 100_000

// sayEffects says of each factor whether its values differ on any instance of a results folder, and which algorithms never differ.
func (a *app) sayEffects(ctx context.Context, path string) error {
	dir := store.Open(path)
	records, _, err := ratio.Read(ctx, dir)
	if err != nil || len(records) > mostRows {
		return err
	}
	set, err := ratio.New(ratio.Input{
		Records: records, Problems: a.registry.Problems,
		Instance: func(sha256 string) (*bench.Instance, error) { return a.storedInstance(dir, sha256) },
	})
	if err != nil {
		return err
	}
	for _, p := range set.Problems {
		levels, same := summary.Effects(p)
		for _, l := range levels {
			if l.Idle() {
				a.log.Warn(l.Sentence())
			} else {
				a.log.Info(l.Sentence())
			}
		}
		for _, s := range same {
			a.log.Info(s.Sentence())
		}
	}
	return nil
}

// nextCommand is the command to type after a run.
func nextCommand(s *runner.Summary, o runner.Options) string {
	done := 0
	for _, n := range s.Rows {
		done += n
	}
	command := "report"
	if done < s.Units || o.Shard.Of > 1 || s.EveryRowFailed() {
		command = "status"
	}
	dir := summary.Quote(o.Dir)
	if strings.HasPrefix(o.Dir, "-") {
		dir = "-- " + dir
	}
	if o.DryRun || s.Interrupted {
		return "" // the same command, which nobody needs to be shown
	}
	return "schedgap " + command + " " + dir
}

// selectUnits filters a plan. One without units is an error: a job that lost its traces should not look done.
func selectUnits(plan *suite.Plan, algorithms, instances string, allowEmpty bool) error {
	before := len(plan.Units)
	err := plan.Filter(algorithms, instances)
	switch {
	case err != nil && before > 0 && !(allowEmpty && errors.Is(err, suite.ErrNoUnit)):
		return err
	case err != nil:
		plan.Units = nil
	}
	if len(plan.Units) > 0 || allowEmpty {
		return nil
	}
	why := append(plan.Skipped, "the suite has no instances")[0]
	return fmt.Errorf("no unit to run: %s; --allow-empty accepts that", why)
}

// globEscaper has \, stand for a comma in a name: for suite.Plan.Filter a comma ends a glob, so it gets one that only commas match.
var globEscaper = strings.NewReplacer(`\\`, `\\`, `\,`, "[^\x01-+\\--\U0010ffff]")

// resumable is the advice for a results folder that takes no more rows. The rows written before are safe.
func resumable(err error) error {
	advice := resourceAdvice(err)
	for _, cause := range []error{unix.EROFS, unix.EACCES, unix.EPERM} {
		if errors.Is(err, cause) {
			advice = "make the folder writable"
		}
	}
	if advice == "" {
		return err
	}
	return &exit{exitFailed, fmt.Sprintf("%v; %s, then the same command goes on where it stopped", err, advice)}
}

// labelFlags adds the flags that name a run in its rows.
func labelFlags(fs *pflag.FlagSet, o *runner.Options) {
	fs.StringVar(&o.Label, "label", "", "`TEXT` for the column label, such as a note on the change")
	fs.StringVar(&o.Commit, "commit", "", "`SHA` for the column commit (default: of the suite's git repository, with -dirty after an edit)")
}

// plan resolves the suites of a file or of a built-in name.
func (a *app) plan(cmd *cobra.Command, name string, proofs bool, with []string) (*suite.Plan, error) {
	suites, err := suite.Load(name, a.registry)
	if err != nil {
		return nil, err
	}
	if err := addCommands(suites, with); err != nil {
		return nil, err
	}
	plans := make([]*suite.Plan, len(suites))
	for i, s := range suites {
		s.Proofs = s.Proofs || proofs
		plans[i], err = s.Resolve(cmd.Context(), a.registry)
		if err != nil {
			return nil, err
		}
	}
	return suite.Join(plans...), nil
}

func shardFlag(fs *pflag.FlagSet, s *runner.Shard) {
	fs.Var(parsed[runner.Shard]{
		value: s, kind: "I/N", parse: runner.ParseShard,
		show: func(s runner.Shard) string { return fmt.Sprintf("%d/%d", s.Index, s.Of) },
	}, "shard", "run only shard I of N, numbered from 0")
}
