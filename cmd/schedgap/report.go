package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"gonum.org/v1/plot/vg"

	"schedgap/bench"
	"schedgap/bench/run/runner"
	"schedgap/bench/run/store"
	"schedgap/bench/run/sysinfo"
	"schedgap/reports"
	"schedgap/reports/anytime"
	"schedgap/reports/paper"
	"schedgap/reports/ratio"
	"schedgap/reports/words"
)

func (a *app) reportCommand() *cobra.Command {
	out, csv, seed := "", "", uint64(1)
	var atLimit time.Duration
	var forPaper paperFlags
	pool := false
	var part ratio.Part
	cmd := a.command("report DIR [-a GLOB] [-i GLOB] [--family GLOB] [-o DIR] [--csv FILE] [--at-limit DURATION] [--pool] [--for paper]",
		func(cmd *cobra.Command, args []string) error {
			if out == "" {
				out = filepath.Join(args[0], "report")
				if part != (ratio.Part{}) {
					out += "-part"
				}
				if atLimit > 0 {
					out += "-at-" + atLimit.String()
				}
			}
			paper, err := forPaper.options()
			for _, err := range []error{err, folder(args[0]), writableFolder(out), writableFile(csv, "")} {
				if err != nil {
					return err
				}
			}
			ctx, done := a.withMemory(cmd.Context(), args[0])
			defer done()
			in, err := reports.Until(ctx, func() (*reports.Input, error) { return a.results(ctx, args[0]) })
			if err != nil {
				return unreported(args[0], err)
			}
			if paper != nil {
				paper.Library = strings.Contains(part.Algorithms, bench.FromLibrary)
			}
			in.Seed, in.CSV, in.Paper, in.Pool, in.Part = seed, csv, paper, pool, part
			if atLimit > 0 {
				in.Stop(atLimit)
			}
			in.InstanceLinks, err = relative(out, filepath.Join(args[0], "instances"))
			if err != nil {
				return err
			}
			_, err = reports.Write(ctx, *in, out)
			if err != nil {
				return unreported(args[0], err)
			}
			return a.printPath(out, "index.html")
		})
	fs := cmd.Flags()
	listFlag(fs, &part.Algorithms, "algorithms", "a", "GLOB", "algorithms or policies of the report (default: all)")
	listFlag(fs, &part.Instances, "instances", "i", "GLOB", "instances or workloads of the report (default: all)")
	listFlag(fs, &part.Families, "family", "", "GLOB", "families or suites of the report (default: all)")
	fs.StringVarP(&out, "output", "o", "", "`DIR` of the report (default: DIR/report)")
	fs.StringVar(&csv, "csv", "", "`FILE` for the rows of ratios.parquet, for spreadsheets")
	durationFlag(fs, &atLimit, "at-limit", "write the report that this time limit would have given to DIR/report-at-LIMIT")
	fs.BoolVar(&pool, "pool", false, "pool the values of all factors")
	seedFlag(fs, &seed)
	_ = fs.MarkHidden("seed") // of the bootstrap
	forPaper.add(fs)
	return cmd
}

// paperFlags are the flags of --for paper.
type paperFlags struct {
	what, columns, width, font string
	titles                     bool
}

func (p *paperFlags) add(fs *pflag.FlagSet) {
	choiceFlag(fs, &p.what, "for", "further output", "paper")
	listFlag(fs, &p.columns, "columns", "", "NAME", "the tables' columns, of "+strings.Join(paper.Names, ", ")+
		" (default: mean,interval,worst,optimal,compared); those that do not fit go to a second table")
	fs.StringVar(&p.width, "width", "3.3in", "`LENGTH` of figures and tables, such as 3.3in, 84mm, 240pt")
	p.font = "sans"
	choiceFlag(fs, &p.font, "font", "of figures", "sans", "serif", "mono")
	fs.BoolVar(&p.titles, "titles", false, "draw titles in the figures")
}

// options are nil without --for paper.
func (p *paperFlags) options() (*paper.Options, error) {
	if p.what == "" {
		return nil, nil
	}
	o := &paper.Options{}
	var err error
	o.Columns, err = paper.Columns(p.columns)
	if err != nil {
		return nil, fmt.Errorf("--columns: %w", err)
	}
	o.Width, err = length(p.width)
	if err != nil {
		return nil, fmt.Errorf("--width: %w", err)
	}
	o.Font, o.NoTitle = strings.ToUpper(p.font[:1])+p.font[1:], !p.titles
	return o, nil
}

// length reads a length from 1 to 20 inches.
func length(s string) (vg.Length, error) {
	for suffix, unit := range map[string]vg.Length{"in": vg.Inch, "cm": vg.Centimeter, "mm": vg.Millimeter, "pt": vg.Inch / 72.27} {
		if number, ok := strings.CutSuffix(s, suffix); ok {
			x, err := strconv.ParseFloat(number, 64)
			if w := vg.Length(x) * unit; err == nil && w >= vg.Inch && w <= 20*vg.Inch {
				return w, nil
			}
		}
	}
	return 0, fmt.Errorf("%q is no length from 1in to 20in, such as 3.3in, 84mm or 240pt", s)
}

// memoryFor is how much memory the report on so many rows may take; tests give less.
var memoryFor = reports.MemoryFor

// withMemory returns a context that ends when the report on a results folder has taken more memory than it may. Garbage never
// counts: it is collected before.
func (a *app) withMemory(ctx context.Context, dir string) (context.Context, func()) {
	rows := store.Open(dir).Rows()
	limit := memoryFor(rows)
	restore := a.saveMemory(int(rows), int64(limit/10*9))
	ctx, cancel := reports.WithMemory(ctx, limit, rows)
	return ctx, func() {
		cancel()
		restore()
	}
}

// unreported is the error of a report on a results folder. That the results contradict each other, or take too much memory, is no
// bad input.
func unreported(dir string, err error) error {
	contradiction, memory := ratio.ContradictionError(nil), (*reports.MemoryError)(nil)
	switch {
	case errors.As(err, &contradiction):
		return &exit{exitFailed, err.Error()}
	case errors.As(err, &memory):
		return &exit{exitFailed, fmt.Sprintf("%s: %v", dir, memory)}
	}
	return err
}

// saveMemory delays garbage collection until the garbage equals the memory in use, with an upper limit that depends on the
// number of rows: two thirds of the bytes of a row are in use all the time. The returned function ends the delay.
func (a *app) saveMemory(rows int, most int64) (done func()) {
	const row, least = 850, 512 << 20
	restore, limit := a.garbage(100), debug.SetMemoryLimit(min(most, max(least, int64(row*rows))))
	return func() {
		restore()
		debug.SetMemoryLimit(limit)
	}
}

// garbage has garbage collected when it is so many percent of the memory in use, until the returned function is called. Who sets GOGC
// has chosen another percentage, which stays.
func (a *app) garbage(percent int) (restore func()) {
	if a.getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}

// results reads a results folder.
func (a *app) results(ctx context.Context, path string) (*reports.Input, error) {
	if err := folder(path); err != nil {
		return nil, err
	}
	if err := a.adoptFrom(path); err != nil {
		return nil, err
	}
	dir := store.Open(path)
	in := &reports.Input{
		GeneratedAt: time.Now(), Version: sysinfo.Read().BinaryVersion,
		Instance: func(sha256 string) (*bench.Instance, error) { return a.storedInstance(dir, sha256) },
		Solution: dir.Solution, Problems: a.registry.Problems,
	}
	records, bad, errRows := ratio.Read(ctx, dir)
	sim, badSim, errSim := dir.Sim(ctx)
	log, badLog, errLog := anytime.Read(ctx, dir, records)
	old, errOld := outdated(ctx, path, records)
	plan, errPlan := dir.Plan()
	if err := cmp.Or(errRows, errSim, errLog, errOld, errPlan); err != nil {
		return nil, err
	}
	in.Records, in.Sim, in.Log = records, sim, log
	if plan != nil {
		in.Yours = plan.UserAlgorithm
	}
	for _, sentence := range problemFaults(records) {
		in.Warnings = append(in.Warnings, sentence)
		a.log.Warn(sentence)
	}
	for _, b := range slices.Concat(bad, badSim, badLog) {
		in.Warnings = append(in.Warnings, b.Error())
		a.log.Warn("a file is left out", "error", b.Error())
	}
	in.Warnings = slices.Concat(in.Warnings, plan.Notes(), old)
	if out := dir.LeftOut(); out != "" {
		in.Warnings = append(in.Warnings, out)
		a.log.Warn(out)
	}
	if len(in.Records)+len(in.Sim) == 0 {
		return nil, empty(dir)
	}
	return in, nil
}

// problemFaults says of each problem on how many rows one of its own commands failed, with the first reason.
func problemFaults(records []ratio.Record) (sentences []string) {
	counts, first := map[string]int{}, map[string]string{}
	for i := range records {
		r := &records[i]
		if !r.Faulty {
			continue
		}
		counts[r.Problem]++
		if first[r.Problem] == "" && r.Error != nil {
			first[r.Problem] = firstLine(*r.Error)
		}
	}
	for _, problem := range slices.Sorted(maps.Keys(counts)) {
		sentences = append(sentences, fmt.Sprintf("errors of the problem %s, which say nothing about the algorithms: %s, such as: %s",
			problem, words.Count(counts[problem], "row"), first[problem]))
	}
	return sentences
}

// empty is the error about a results folder without rows to speak of.
func empty(dir *store.Dir) error {
	if out := dir.LeftOut(); out != "" {
		return fmt.Errorf("%s: holds no results that its plan asks for; %s", dir.Path(), out)
	}
	return fmt.Errorf("%s: holds no results", dir.Path())
}

// outdated names the algorithms with rows from before their command was edited, and those with rows of another build of this
// program.
func outdated(ctx context.Context, path string, records []ratio.Record) (warnings []string, err error) {
	today, err := runner.ReadCurrentCommands(ctx, path)
	if err != nil {
		return nil, err
	}
	edited, rebuilt := map[string]bool{}, map[string]bool{}
	for i := range records {
		if s := records[i].Setup; today.Stale(records[i].Problem, s.Algorithm, s.CommandSHA256) {
			edited[s.Algorithm] = true
		} else if today.OtherBuild(s.BuildSHA256) {
			rebuilt[s.Algorithm] = true
		}
	}
	say := func(names map[string]bool, what string) {
		if len(names) > 0 {
			warnings = append(warnings, fmt.Sprintf("rows of %s %s", strings.Join(slices.Sorted(maps.Keys(names)), ", "), what))
		}
	}
	say(edited, "are from before the command was edited; schedgap run makes them again")
	say(rebuilt, "were made by another build of schedgap; schedgap run --rerun makes them again")
	return warnings, nil
}

// relative is the way from one folder to another.
func relative(from, to string) (string, error) {
	from, errFrom := filepath.Abs(from)
	to, errTo := filepath.Abs(to)
	way, err := filepath.Rel(from, to)
	return filepath.ToSlash(way), cmp.Or(errFrom, errTo, err)
}
