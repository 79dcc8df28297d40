package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"schedgap/bench/runner"
	"schedgap/bench/speedcheck"
	"schedgap/bench/store"
	"schedgap/bench/sysinfo"
	"schedgap/reports"
	"schedgap/reports/compare"
	"schedgap/reports/history"
)

// added is what history says of what it added.
type added struct {
	Directory string `json:"directory"`
	Units     int    `json:"units"`
	Added     int    `json:"added"`
	Left      *int   `json:"left"` // units of the plan without a row; null: there is no plan
}

func (a *app) historyCommand() *cobra.Command {
	out, gates, recent, seed, asJSON := "", "none", 3, uint64(1), false
	cmd := a.command("history [DIR…] [-o DIR]", func(cmd *cobra.Command, args []string) error {
		in := history.Input{Recent: recent, Seed: seed, Problems: a.registry.Problems}
		var err error
		if in.Gates, err = compare.ParseGates(gates); err != nil {
			return fmt.Errorf("--fail-on: %w", err)
		}
		if out == "" {
			out = "history"
			if len(args) > 0 { // beside the results, where the next night's will be, too
				out = filepath.Join(filepath.Dir(filepath.Clean(args[0])), out)
			}
		}
		dataset, err := history.Read(cmd.Context(), out)
		if err := cmp.Or(writableFolder(out, "rows", "plots"), err); err != nil {
			return err
		}
		if len(args) == 0 && len(dataset.Rows) == 0 {
			return fmt.Errorf("DIR… is missing, and %s has no history yet", out)
		}
		sums := []added{}
		for _, dir := range args {
			if filepath.Clean(dir) == filepath.Clean(out) { // results/* has it, too
				continue
			}
			sum, err := a.addRun(cmd.Context(), dataset, dir)
			if err != nil {
				return err
			}
			sums = append(sums, sum)
		}
		in.Rows = dataset.Rows
		r, err := reports.Until(cmd.Context(), func() (*history.Report, error) { return history.New(cmd.Context(), in) })
		if err != nil {
			return err
		}
		if err := dataset.Save(out); err != nil {
			return err
		}
		if err := history.Write(cmd.Context(), r, out, sysinfo.Read().BinaryVersion); err != nil {
			return err
		}
		if asJSON {
			err = a.printJSON(struct {
				Added []added `json:"added"`
				Page  string  `json:"page"`
				*history.Report
			}{sums, filepath.Join(out, "index.html"), r})
		} else {
			err = cmp.Or(r.Print(a.stdout), a.printPath(out, "index.html"))
		}
		return failedUnless(len(r.Regressions) == 0, err)
	})
	cmd.Args = nil // any number
	fs := cmd.Flags()
	fs.StringVarP(&out, "output", "o", "", "`DIR` of the dataset (default: history beside the first results folder)")
	fs.StringVar(&gates, "fail-on", gates, "`LIST` of what counts as a regression, such as "+compare.DefaultGates)
	count(fs, &recent, 1_000_000, "recent", "", "last `RUNS` that --fail-on judges")
	seedFlag(fs, &seed)
	_ = fs.MarkHidden("seed") // of the bootstrap
	fs.BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// addRun adds what a results folder has and the dataset does not, and says what the folder lacks.
func (a *app) addRun(ctx context.Context, dataset *history.Dataset, path string) (added, error) {
	sum := added{Directory: path}
	if err := folder(path); err != nil {
		return sum, err
	}
	dir := store.Open(path)
	records, bad, err := dir.Records(ctx)
	if err != nil {
		return sum, err
	}
	for _, b := range bad {
		a.log.Warn("a file is left out; its rows are missing", "error", b.Error())
	}
	if len(records) == 0 {
		if a.simulations(ctx, path) > 0 {
			return sum, fmt.Errorf("%s: holds only simulations, which have no history", path)
		}
		return sum, fmt.Errorf("%s: holds no results", path)
	}
	samples, err := speedcheck.Read(path)
	if err != nil {
		return sum, err
	}
	known := map[string]*string{}
	sum.Added = dataset.Add(history.Source{Records: records, Samples: samples, Comparison: func(sha256 string) *string {
		comparison, ok := known[sha256]
		if !ok {
			if in, err := a.storedInstance(dir, sha256); err == nil {
				comparison = new(in.Comparison.String())
			}
			known[sha256] = comparison
		}
		return comparison
	}})
	sum.Units = len(records)
	if state, err := runner.Status(ctx, path); err == nil {
		left := 0
		for _, algorithm := range state.Algorithms {
			left += algorithm.Left
		}
		sum.Left = &left
		if left > 0 {
			a.log.Warn("a run is not complete", "in", path, "units", sum.Units, "left", left)
		}
	} else if errors.Is(err, context.Canceled) {
		return sum, err
	}
	a.log.Info("added", "from", path, "rows", sum.Added, "of", sum.Units)
	return sum, nil
}
