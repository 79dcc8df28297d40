// Package reports turns a set of results into a report: one self-contained page, tables for a paper, figures, and the
// ratios themselves as Parquet. It reads records and instances only; reports/ratio defines ratios,
// reports/summary computes the numbers and reports/tables writes them. The commands report and bench call Write.
package reports

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"schedgap/bench"
	"schedgap/models/output"
	"schedgap/reports/anytime"
	"schedgap/reports/page"
	"schedgap/reports/paper"
	"schedgap/reports/plots"
	"schedgap/reports/ratio"
	"schedgap/reports/summary"
)

// An Input holds the results and options of a report.
type Input struct {
	Records  []ratio.Record
	Sim      []bench.SimRecord
	Problems []*bench.Problem // all that Records name
	// Instance finds an instance by the hash of its file; it is asked by several goroutines.
	Instance func(sha256 string) (*bench.Instance, error)
	// Solution finds the solution of a unit's run, if it was kept, for drawings; nil data: it was not. The function may be nil.
	Solution func(runID, unitID string) ([]byte, error)
	Log      anytime.Log    // what units knew before their ends; nil: nothing
	Warnings []string       // from reading the results, such as files left out
	Seed     uint64         // of the bootstrap
	CSV      string         // a file for the rows of ratios.parquet as text; empty: none
	Paper    *paper.Options // what else is written for a paper, to paper/; nil: nothing
	// InstanceLinks leads from the report's directory to the one with the instance files, such as ../instances; empty: the
	// page has no links to instances.
	InstanceLinks string
	// GeneratedAt and Version go into the provenance, the only part in which two reports on the same results differ.
	GeneratedAt time.Time
	Version     string

	Yours string // the command that the report is on: it comes first, and is marked; empty: none

	Pool bool       // rows and points are over all values of what suites vary
	Part ratio.Part // of the results that the report is about

	whatIf string // see Stop
	csv    *os.File
}

// A Report is the content of summary.json.
type Report = summary.Report

// Write writes the report on in to the directory dir, which it makes if need be: index.html, summary.md, summary.json,
// ratios.parquet, instances.parquet, prices.parquet, tables/*.tex and plots/*.{svg,png,pdf}. All is made in a folder of its own
// first, so that a report that ends early, at whatever moment, leaves dir as it was; the page comes last. If results contradict
// each other the report is written all the same, without ratios for the instances concerned and with the contradictions at its
// head, and the error is a ratio.ContradictionError.
func Write(ctx context.Context, in Input, dir string) (*Report, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	stage, err := os.MkdirTemp(dir, ".report-*")
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	defer remove(stage)
	for _, sub := range []string{"plots", "tables", "paper/figures", "paper/tables"} {
		if err := os.MkdirAll(filepath.Join(stage, sub), 0o777); err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
	}
	if in.CSV != "" {
		in.csv, err = os.CreateTemp(dir, ".report-*.csv")
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
		defer os.Remove(in.csv.Name())
		defer in.csv.Close()
	}
	r, err := Until(ctx, func() (*Report, error) { return write(ctx, in, stage) })
	contradiction := ratio.ContradictionError(nil)
	if err != nil && !errors.As(err, &contradiction) {
		return nil, err
	}
	if in.CSV != "" {
		ready := output.From(in.CSV, false, func(w io.Writer) error {
			_, err := in.csv.Seek(0, io.SeekStart)
			if err == nil {
				_, err = io.Copy(w, in.csv)
			}
			return err
		})
		if ready != nil {
			return nil, fmt.Errorf("report: %w", ready)
		}
	}
	if err := move(stage, dir); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return r, err
}

// write is Write into a folder that nobody looks at before it is done.
func write(ctx context.Context, in Input, dir string) (*Report, error) {
	set, err := ratio.New(ratio.Input{Records: in.Records, Problems: in.Problems, Instance: in.Instance, Pool: in.Pool})
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	in.Sim, err = in.Part.Keep(set, in.Sim)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	set.Warnings = append(set.Warnings, in.Warnings...)
	var encoding errgroup.Group // beside tables and figures: the ratios do not depend on them
	encoding.Go(func() error {
		return writeFile(filepath.Join(dir, "ratios.parquet"), func(w io.Writer) error { return set.WriteParquet(ctx, w) })
	})
	encoding.Go(func() error {
		return writeFile(filepath.Join(dir, "instances.parquet"), func(w io.Writer) error { return set.WriteInstances(ctx, w) })
	})
	encoding.Go(func() error {
		return writeFile(filepath.Join(dir, "prices.parquet"), func(w io.Writer) error { return set.WritePrices(ctx, w) })
	})
	if in.CSV != "" {
		encoding.Go(func() error { return set.WriteCSV(ctx, in.csv) })
	}
	defer func() { _ = encoding.Wait() }() // its error is looked at below
	r := summary.New(set, in.Sim, in.Seed)
	r.Over(in.Log)
	if in.Yours != "" {
		r.Mine(in.Yours, in.Pool)
	}
	r.WhatIf = in.whatIf
	r.Provenance = &summary.Provenance{GeneratedAt: in.GeneratedAt.UTC(), Version: in.Version}
	o := page.Options{Links: in.InstanceLinks, Strips: map[string]*plots.Layout{}}
	var all []plots.Drawing
	render := func(drawings []plots.Drawing) ([]summary.Figure, error) {
		all = append(all, drawings...)
		for _, d := range drawings {
			o.Strips[d.Name] = d.Layout
		}
		return plots.Render(ctx, drawings, func(name string, data []byte) error {
			return writeFile(filepath.Join(dir, "plots", name), content(data))
		})
	}
	for _, p := range r.Problems {
		p.Figures, err = render(plots.Problem(p))
		if err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
	}
	r.SimulationFigures, err = render(plots.Simulations(r))
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if in.Paper != nil {
		if err := writePaper(ctx, r, *in.Paper, all, filepath.Join(dir, "paper")); err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
	}
	o.Charts, err = plots.Solutions(ctx, r, plots.Source{Instance: in.Instance, Solution: in.Solution})
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if err := encoding.Wait(); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if err := writeTables(r, o, dir); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if len(set.Contradictions) > 0 {
		return r, ratio.ContradictionError(set.Contradictions)
	}
	return r, nil
}

// writePaper writes tables, numbers and figures for a paper, figures at their final size.
func writePaper(ctx context.Context, r *Report, o paper.Options, drawings []plots.Drawing, dir string) error {
	figures := make([]summary.Figure, len(drawings))
	for i, d := range drawings {
		if err := ctx.Err(); err != nil {
			return err
		}
		figures[i] = d.Figure
		data, err := d.Plot.For(o.Paper).PDF()
		if err != nil {
			return fmt.Errorf("%s: %w", d.Name, err)
		}
		if err := writeFile(filepath.Join(dir, "figures", d.Name+".pdf"), content(data)); err != nil {
			return err
		}
	}
	files, err := paper.Files(r, o, figures)
	if err != nil {
		return err
	}
	return writeFiles(dir, files)
}

func writeTables(r *Report, o page.Options, dir string) error {
	files, err := paper.Tables(r)
	if err != nil {
		return err
	}
	if err := writeFiles(filepath.Join(dir, "tables"), files); err != nil {
		return err
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return cmp.Or(
		writeFile(filepath.Join(dir, "summary.json"), content(append(data, '\n'))),
		writeFile(filepath.Join(dir, "summary.md"), func(w io.Writer) error { return page.Markdown(w, r) }),
		writeFile(filepath.Join(dir, "index.html"), func(w io.Writer) error { return page.HTML(w, r, o) }),
	)
}

// writeFiles writes files by their paths below a folder.
func writeFiles(dir string, files map[string][]byte) error {
	for name, data := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(name)), content(data)); err != nil {
			return err
		}
	}
	return nil
}

func content(data []byte) func(w io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

// writeFile writes a file of the folder in which a report is made.
func writeFile(path string, write func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<16)
	return errors.Join(write(w), w.Flush(), f.Close())
}

// Stop cuts the input's runs at a time limit. The report says so.
func (in *Input) Stop(limit time.Duration) {
	var did anytime.Cut
	in.Records, in.Log, did = in.Log.Cut(in.Records, limit.Seconds())
	in.whatIf = fmt.Sprintf("Runs cut at a time limit of %v: %v", limit, did)
	if find := in.Solution; find != nil {
		in.Solution = func(runID, unitID string) ([]byte, error) {
			if did.Stopped[unitID] {
				return nil, nil // it is of a later time
			}
			return find(runID, unitID)
		}
	}
}
