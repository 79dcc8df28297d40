package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"schedgap/bench/run/runner"
	data "schedgap/datasets/papers"
	"schedgap/models/nearest"
	"schedgap/reports/papers"
)

// A paperItem is an entry in the list.
type paperItem struct {
	Entry      string `json:"entry"`
	Paper      string `json:"paper"`
	Source     string `json:"source"`
	Title      string `json:"title"`
	Statements int    `json:"statements"`
	// Seconds of CPU that a measurement took on the machine of the stored values; null means that it is not known.
	Seconds *float64 `json:"cpu_seconds"`
}

// A paperResult is the answer of paper --json for an entry.
type paperResult struct {
	paperItem
	Statements []paperStatement `json:"statements"`
	Figure     *string          `json:"figure"` // a file; null: nothing is drawn
}

type paperStatement struct {
	Where    string      `json:"where"`
	Says     string      `json:"says"`
	Printed  *float64    `json:"printed"`  // by the paper, where it is one number
	Measured *papers.Row `json:"measured"` // null: an argument
	Unit     string      `json:"unit"`
	Argument string      `json:"argument"`
}

func (a *app) paperCommand() *cobra.Command {
	var (
		asJSON, check bool
		o             = papers.Options{Workers: runtime.NumCPU()}
		out           = filepath.Join("results", "paper")
	)
	cmd := a.command("paper [ENTRY|PAPER|FILE.yaml]", func(cmd *cobra.Command, args []string) error {
		book, err := a.papers()
		switch {
		case err != nil:
			return err
		case check && len(args) > 0:
			return errors.New("--check takes no name: it checks all entries")
		case check:
			return a.checkPapers(cmd.Context(), book, o.Workers)
		case len(args) == 0:
			items, rows := []paperItem{}, [][]string(nil)
			for _, e := range book.Entries {
				items = append(items, itemOf(e))
				seconds := "-"
				if e.Seconds > 0 {
					seconds = strconv.FormatFloat(e.Seconds, 'g', -1, 64)
				}
				rows = append(rows, []string{e.ID, e.Paper, strconv.Itoa(len(e.Statements)), seconds, e.Source, e.Title})
			}
			return a.printList(asJSON, items, []string{"ENTRY", "PAPER", "STATEMENTS", "CPU SECONDS", "SOURCE", "TITLE"}, rows)
		}
		entries := book.Of(args[0])
		if strings.HasSuffix(args[0], ".yaml") {
			text, err := readFile(args[0])
			if err != nil {
				return err
			}
			e, err := papers.Parse(args[0], text, a.registry)
			if err != nil {
				return err
			}
			entries = []*papers.Entry{e}
		}
		if len(entries) == 0 {
			known := []string{"all"}
			for _, e := range book.Entries {
				known = append(known, e.ID, e.Paper)
			}
			return nearest.Unknown("entry", args[0], known)
		}
		if err := writableFolder(out); err != nil {
			return err
		}
		return a.measurePapers(cmd.Context(), entries, o, out, asJSON)
	})
	fs := cmd.Flags()
	fs.BoolVar(&asJSON, "json", false, "print JSON")
	fs.BoolVar(&check, "check", false, "measure a reduced form of all entries and compare with the stored values")
	seedFlag(fs, &o.Seed)
	countFlag(fs, &o.Workers, most, "workers", "", "blocks at a time; the results do not depend on it")
	fs.StringVarP(&out, "output", "o", out, "`DIR` for figures and measurements")
	cmd.MarkFlagsMutuallyExclusive("json", "check")
	cmd.MarkFlagsMutuallyExclusive("seed", "check")
	return cmd
}

// papers reads the built-in entries.
func (a *app) papers() (*papers.Catalogue, error) {
	return papers.Load(data.Files, "datasets/papers", a.registry)
}

func itemOf(e *papers.Entry) paperItem {
	item := paperItem{Entry: e.ID, Paper: e.Paper, Source: e.Source, Title: e.Title, Statements: len(e.Statements)}
	if e.Seconds > 0 {
		item.Seconds = &e.Seconds
	}
	return item
}

// measurePapers measures entries, draws each, and writes the measurements as DIR/PAPER.csv.
func (a *app) measurePapers(ctx context.Context, entries []*papers.Entry, o papers.Options, out string, asJSON bool) error {
	all := map[string][]papers.Row{}
	for _, e := range entries {
		p, start := a.progress(ctx, logEvery), time.Now()
		o.Progress = func(done, total int) { p.show(runner.Progress{Total: total, Done: done, Started: start}) }
		rows, err := e.Measure(ctx, o)
		p.close()
		if err != nil {
			return err
		}
		all[e.Paper] = append(all[e.Paper], rows...)
		files := map[string][]byte{e.Paper + ".csv": papers.CSV(all[e.Paper])}
		r := paperResult{itemOf(e), nil, nil}
		if fig := e.Figure(rows); fig != nil {
			r.Figure = new(filepath.Join(out, e.ID+".svg"))
			files[e.ID+".svg"], err = fig.SVG()
			if err != nil {
				return err
			}
		}
		if err := writeFiles(out, files); err != nil {
			return err
		}
		if err := a.showPaper(e, rows, r, asJSON); err != nil {
			return err
		}
	}
	return nil
}

// showPaper prints the measurements of an entry.
func (a *app) showPaper(e *papers.Entry, rows []papers.Row, r paperResult, asJSON bool) error {
	var cells [][]string
	for i, s := range e.Statements {
		r.Statements = append(r.Statements, paperStatement{s.Where, s.Says, s.Printed, e.Row(rows, i+1), s.Unit, s.Argument})
		cells = append(cells, e.Cells(i+1, rows)[:5])
	}
	if asJSON {
		return a.printJSON(r)
	}
	err := a.printTable([]string{"WHERE", "THE PAPER SAYS", "MEASURED", "LOWEST … HIGHEST MEAN OVER SETTINGS", "MOVED MOST BY"}, cells)
	if err == nil && r.Figure != nil {
		err = a.printPath(*r.Figure)
	}
	return err
}

// checkPapers names every stored value that does not fit the measurement of today.
func (a *app) checkPapers(ctx context.Context, book *papers.Catalogue, workers int) error {
	var stale []string
	n := 0
	for _, paper := range book.Papers {
		stored, err := papers.Stored(data.Files, paper.ID)
		if err != nil {
			return err
		}
		for _, e := range book.Of(paper.ID) {
			list, err := e.Check(ctx, stored, workers)
			if err != nil {
				return err
			}
			stale, n = append(stale, list...), n+len(e.Statements)
		}
	}
	for _, s := range stale {
		fmt.Fprintln(a.stdout, s)
	}
	if len(stale) > 0 {
		return &exit{exitFailed, fmt.Sprintf("%d stored values do not fit the measurement", len(stale))}
	}
	fmt.Fprintf(a.stdout, "%d statements in %d entries: the stored values fit the measurement\n", n, len(book.Entries))
	return nil
}
