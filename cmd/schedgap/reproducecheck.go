package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"schedgap/bench/runner"
	"schedgap/reports/verdicts"
)

// checkClaims names everything that is stale. Where rows is not empty, experiments are measured in full and keep their rows
// there.
func (a *app) checkClaims(ctx context.Context, sources verdicts.Sources, workers int, rows string) error {
	p, start := a.progress(ctx, logEvery), time.Now()
	o := verdicts.CheckOptions{
		Workers:  workers,
		Full:     rows,
		Progress: func(done, total int) { p.show(runner.Progress{Total: total, Done: done, Started: start}) },
		Skipped: func(e *verdicts.Experiment, why error) {
			a.log.Warn("not measured", "experiment", e.Name, "reason", why.Error())
		},
	}
	if root := checkout(); root != "" {
		o.Pages = filesOf(root)
	} else {
		a.log.Warn("pages are not compared: this is no checkout of schedgap")
	}
	stale, err := verdicts.Check(ctx, sources, o)
	p.close()
	if err != nil {
		return err
	}
	for _, s := range stale {
		fmt.Fprintln(a.stdout, s)
	}
	if len(stale) > 0 {
		return &exit{exitFailed, fmt.Sprintf("%d things are stale", len(stale))}
	}
	fmt.Fprintf(a.stdout, "%d claims and %d experiments: nothing is stale\n", len(sources.Claims), len(sources.Experiments))
	return nil
}

// filesOf are the files below a folder.
func filesOf(root string) verdicts.Files {
	return func(path string) ([]byte, error) { return os.ReadFile(filepath.Join(root, filepath.FromSlash(path))) }
}
