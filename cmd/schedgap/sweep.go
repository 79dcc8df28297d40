package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"schedgap/bench"
	"schedgap/bench/experiment"
	"schedgap/bench/runner"
	"schedgap/models/nearest"
)

// swept is what simulate --sweep prints.
type swept struct {
	Problem     string                 `json:"problem"`
	Sweep       string                 `json:"sweep"`
	Title       string                 `json:"title"`
	Seeds       int                    `json:"seeds"`
	Repetitions int                    `json:"repetitions"`
	Rows        int                    `json:"rows"` // that were added to the dataset
	Cases       []experiment.CaseMeans `json:"cases"`
}

// findSweep returns the sweep of a problem's simulator with that name.
func findSweep(problem, name string) (*experiment.Experiment, error) {
	all, err := experiment.All()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range all {
		switch {
		case e.Name == name && e.Problem != problem:
			return nil, fmt.Errorf("sweep %q is one of %s, not of %s", name, e.Problem, problem)
		case e.Name == name:
			return e, nil
		case e.Problem == problem && e.Kind == experiment.Simulate:
			names = append(names, e.Name)
		}
	}
	return nil, nearest.Unknown("sweep", name, names)
}

// simulateSweep runs the default point of a sweep.
func (a *app) simulateSweep(ctx context.Context, e *experiment.Experiment, o experiment.Options) error {
	show, done := a.blocks(ctx)
	o.Progress = show
	added, cases, err := experiment.RunSimulation(ctx, e, o)
	done()
	if err != nil {
		return err
	}
	return a.printJSON(swept{e.Problem, e.Name, e.Title, e.Seeds, e.Repetitions, added, cases})
}

// blocks shows how far an experiment is, in blocks that are not there yet, until done is called.
func (a *app) blocks(ctx context.Context) (show func(done, total int), done func()) {
	p, started := a.progress(ctx, logEvery), time.Now()
	before := -1
	return func(done, total int) {
		if before < 0 {
			before = done
		}
		if before < total { // else all of it was there
			p.show(runner.Progress{Total: total - before, Done: done - before, Started: started})
		}
	}, p.close
}

type sweepItem struct {
	Name     string   `json:"name"`
	Problem  string   `json:"problem"`
	Kind     string   `json:"kind"`
	Title    string   `json:"title"`
	Source   string   `json:"source"`
	Policies []string `json:"policies"`
	Cases    int      `json:"cases"`
	Untold   []string `json:"untold"`
	Points   int      `json:"points"` // of the design, with the default
}

func sweepItems(problems []*bench.Problem) (items []sweepItem, err error) {
	all, err := experiment.All()
	for _, p := range problems {
		for _, e := range all {
			if e.Problem != p.Name {
				continue
			}
			item := sweepItem{e.Name, e.Problem, string(e.Kind), e.Title, e.Source, e.Policies, len(e.Cases), []string{}, len(e.Design())}
			for _, f := range e.Untold {
				item.Untold = append(item.Untold, f.Name)
			}
			items = append(items, item)
		}
	}
	return items, err
}

func (i sweepItem) cells() [][]string {
	return [][]string{{i.Name, i.Problem, i.Kind, fmt.Sprint(i.Cases), i.Source, i.Title}}
}

// completeSweeps completes --sweep.
func (a *app) completeSweeps(cmd *cobra.Command) {
	a.completeFlag(cmd, "sweep", func(p *bench.Problem, _ string) (offered []string) {
		all, err := experiment.All()
		if err != nil {
			return nil
		}
		for _, e := range all {
			if e.Problem == p.Name && e.Kind == experiment.Simulate {
				offered = append(offered, cobra.CompletionWithDesc(e.Name, e.Title))
			}
		}
		return offered
	})
}
