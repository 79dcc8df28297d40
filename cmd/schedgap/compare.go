package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"schedgap/bench"
	"schedgap/bench/run/store"
	"schedgap/reports"
	"schedgap/reports/compare"
	"schedgap/reports/summary"
)

func (a *app) compareCommand() *cobra.Command {
	gates, format, seed, nights, out := compare.DefaultGates, "text", uint64(1), "", ""
	all, partial := false, false
	cmd := a.command("compare [BASE HEAD] [--nights DIR]", func(cmd *cobra.Command, args []string) error {
		in := compare.Input{Nights: nights != "", Seed: seed, Problems: a.registry.Problems}
		var err error
		in.Gates, err = compare.ParseGates(gates)
		if err != nil {
			return fmt.Errorf("--fail-on: %w", err)
		}
		switch {
		case nights != "" && len(args) > 0:
			return fmt.Errorf("unexpected argument %q: --nights compares the result sets in its folder", args[0])
		case nights == "" && out != "":
			return errors.New("--output is for the line plots of --nights")
		case nights == "" && len(args) < 2:
			return fmt.Errorf("%s is missing; see: schedgap compare --help", [...]string{"BASE", "HEAD"}[len(args)])
		case nights != "":
			args, err = resultSets(nights)
			if err == nil && out != "" {
				err = writableFolder(out)
			}
			if err != nil {
				return err
			}
		}
		defer a.garbage(50)()
		read := func() (any, error) { return nil, a.readSides(cmd.Context(), &in, args, partial) }
		if _, err := reports.Until(cmd.Context(), read); err != nil {
			return err
		}
		if nights != "" {
			slices.SortStableFunc(in.Sides, func(x, y compare.Side) int { return began(x).Compare(began(y)) })
		}
		rows := 0
		for _, side := range in.Sides {
			rows += len(side.Records)
		}
		defer a.saveMemory(rows, math.MaxInt64)()
		r, err := reports.Until(cmd.Context(), func() (*compare.Report, error) { return compare.New(cmd.Context(), in) })
		if err != nil {
			return err
		}
		for _, path := range args {
			if n := a.simulations(cmd.Context(), path); n > 0 {
				a.log.Warn(fmt.Sprintf("%d simulation rows are not compared", n), "in", path)
			}
		}
		if out != "" {
			if err := writePlots(r, out); err != nil {
				return err
			}
		}
		err = map[string]func(io.Writer) error{
			"text": func(w io.Writer) error { return r.Text(w, all) }, "json": func(io.Writer) error { return a.printJSON(r) },
			"markdown": r.Markdown,
		}[format](a.stdout)
		return failedUnless(len(r.Regressions) == 0, err)
	})
	cmd.Args = cobra.MaximumNArgs(2)
	fs := cmd.Flags()
	fs.StringVar(&nights, "nights", "", "`DIR` of result sets to compare in the order of their start")
	fs.StringVarP(&out, "output", "o", "", "`DIR` for the line plots of --nights")
	listFlag(fs, &gates, "fail-on", "", "GATE", "gates whose violation is a regression")
	choiceFlag(fs, &format, "format", "of the result", "text", "markdown", "json")
	fs.BoolVar(&partial, "partial-base", false, "accept a BASE folder without its plan or instances")
	fs.BoolVar(&all, "all", false, "print every algorithm and column, not only changes")
	seedFlag(fs, &seed)
	_ = fs.MarkHidden("seed") // of the bootstrap
	return cmd
}

// resultSets lists the results folders, and the files of rows, in a folder.
func resultSets(dir string) (paths []string, err error) {
	if err := folder(dir); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if strings.HasSuffix(path, ".parquet") || folder(filepath.Join(path, store.RunsFolder)) == nil {
			paths = append(paths, path)
		}
	}
	if len(paths) < 2 {
		return nil, fmt.Errorf("%s: holds %d result sets, and a comparison takes two: folders of schedgap run, or Parquet files of "+
			"their rows", dir, len(paths))
	}
	return paths, nil
}

// began is when the first unit of a result set was run.
func began(side compare.Side) (first time.Time) {
	for i := range side.Records {
		if at := side.Records[i].StartedAt; i == 0 || at.Before(first) {
			first = at
		}
	}
	return first
}

// writePlots writes one line plot a suite.
func writePlots(r *compare.Report, dir string) error {
	plots, err := r.Plots()
	if err != nil {
		return err
	}
	for _, p := range plots {
		if err := store.WriteFile(filepath.Join(dir, p.Name), p.SVG); err != nil {
			return err
		}
	}
	return nil
}

// simulations counts the rows of simulations, which are not compared, of a results folder; a file has none.
func (a *app) simulations(ctx context.Context, path string) int {
	rows, bad, err := store.Open(path).Sim(ctx)
	if err != nil && !errors.Is(err, unix.ENOTDIR) {
		a.log.Warn("simulations cannot be read; they would not be compared anyway", "error", err.Error())
	}
	for _, b := range bad {
		a.log.Warn("a file of simulations cannot be read; it would not be compared anyway", "error", b.Error())
	}
	return len(rows)
}

// whole refuses a base whose folder has lost its plan or the instances of its rows: units that are missing could then not be told from
// those that nobody asked for, and values not be compared as their instances want. A file, of rows alone, has neither.
func whole(side *compare.Side, folders []*store.Dir) error {
	const otherwise = "; copy the whole results folder, or compare what is there with --partial-base"
	if side.Asked == nil {
		return fmt.Errorf("%s: has no %s%s", side.Name, store.PlanFile, otherwise)
	}
	seen, lacks := map[string]bool{}, 0
	for i := range side.Records {
		sha256 := side.Records[i].InstanceSHA256
		if seen[sha256] {
			continue
		}
		seen[sha256] = true
		if !slices.ContainsFunc(folders, func(d *store.Dir) bool { _, err := os.Stat(d.InstancePath(sha256)); return err == nil }) {
			lacks++
		}
	}
	if lacks > 0 {
		return fmt.Errorf("%s: lacks the files of %d of its %d instances%s", side.Name, lacks, len(seen), otherwise)
	}
	return nil
}

// readSides reads result sets, and finds where their instances are; partial: a base may lack its plan or instances.
func (a *app) readSides(ctx context.Context, in *compare.Input, paths []string, partial bool) error {
	var folders []*store.Dir
	for i, path := range paths {
		for _, of := range []string{path, filepath.Dir(filepath.Dir(path))} { // a folder, or a file of its rows
			if err := a.adoptFrom(of); err != nil {
				return err
			}
		}
		in.Problems = a.registry.Problems
		side, err := compare.Read(ctx, path)
		if err != nil {
			done, bad, unread := store.Open(path).DoneUnits(ctx)
			if n := len(done) + len(bad); n == 0 && unread == nil && a.simulations(ctx, path) > 0 {
				return fmt.Errorf("%s: holds only simulations, which are not compared", path)
			}
			if errors.Is(folder(path), unix.ENOENT) {
				return fmt.Errorf("%w; results are made first: schedgap run SUITE -o %s", err, summary.Quote(path))
			}
			return err
		}
		in.Sides = append(in.Sides, side)
		// The instances of a file are beside it or, if it is one of DIR/runs, one folder up.
		parent := filepath.Dir(path)
		own := len(folders)
		for _, path := range []string{path, parent, filepath.Dir(parent)} {
			if folder(path) == nil {
				folders = append(folders, store.Open(path))
			}
		}
		if base := in.Nights || i == 0; base && !partial && folder(path) == nil {
			if err := whole(&side, folders[own:]); err != nil {
				return err
			}
		}
	}
	in.Instance = func(sha256 string) (*bench.Instance, error) {
		for _, f := range folders {
			if in, err := a.storedInstance(f, sha256); !errors.Is(err, os.ErrNotExist) {
				return in, err
			}
		}
		return nil, fmt.Errorf("instance %s: %w", sha256, os.ErrNotExist)
	}
	return nil
}
