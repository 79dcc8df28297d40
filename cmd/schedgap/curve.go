package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"schedgap/bench/worst"
	"schedgap/models/input"
	"schedgap/reports/plots"
	"schedgap/reports/summary"
)

// curveDrawing is the figure of a curve.
const curveDrawing = "curve.svg"

// shelfOf keeps the files of a curve in a folder, which it makes when it writes.
func shelfOf(dir string) worst.Shelf {
	return worst.Shelf{
		Read: func(name string) ([]byte, error) {
			if filepath.Base(name) != name {
				return nil, fmt.Errorf("%s: %q must be the name of a file beside it", filepath.Join(dir, worst.CurveFile), name)
			}
			data, err := input.Read(filepath.Join(dir, name), input.MaxData)
			if errors.Is(err, fs.ErrNotExist) {
				return nil, nil
			}
			return data, err
		},
		Write: func(name string, data []byte) error { return writeFiles(dir, map[string][]byte{name: data}) },
	}
}

// trace searches along a curve and draws it.
func (w *worstCommand) trace(ctx context.Context) error {
	axis, err := worst.ParseAxis(w.curve)
	if err != nil {
		return fmt.Errorf("--%w", err)
	}
	if len(w.o.Request.Command) > 0 || w.o.Evaluations == 0 || len(w.from) > 0 || w.like != "" {
		return errors.New("--curve takes an algorithm by -a and --evaluations, and neither a command, --budget, --from nor --like")
	}
	c, err := worst.Trace(ctx, w.o, axis, shelfOf(w.out))
	if ctx.Err() != nil {
		return &exit{exitInterrupted, "interrupted; the same command goes on"}
	}
	if err != nil {
		return err
	}
	data, err := drawCurve(c)
	if err == nil {
		err = shelfOf(w.out).Write(curveDrawing, data)
	}
	if err != nil {
		return err
	}
	for _, p := range c.Points {
		if p.CounterExample {
			w.app.complain(fmt.Sprintf("COUNTER-EXAMPLE: at %s %v %s has the ratio %v on %s, and its paper says %v: %s", axis.Name, p.At,
				c.Algorithm, *p.Ratio, filepath.Join(w.out, p.File), *p.Bound, p.Statement))
		}
	}
	if err := w.app.printJSON(c); err != nil {
		return err
	}
	w.app.next("schedgap worst --recheck " + summary.Quote(w.out))
	return nil
}

// recheckCurve proves the curve in a folder again.
func (a *app) recheckCurve(ctx context.Context, dir string) error {
	var c worst.Curve
	path := filepath.Join(dir, worst.CurveFile)
	data, err := input.Read(path, input.MaxData)
	if err == nil {
		err = json.Unmarshal(data, &c)
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}
	if err != nil {
		return err
	}
	p, err := a.registry.Problem(c.Problem)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := worst.Recheck(ctx, p, &c, shelfOf(dir)); err != nil {
		if ctx.Err() != nil {
			return &exit{exitInterrupted, "interrupted"}
		}
		return &exit{exitFailed, fmt.Sprintf("%s: %v", dir, err)}
	}
	proven := 0
	for _, p := range c.Points {
		if p.File != "" {
			proven++
		}
	}
	return a.printJSON(map[string]any{"curve": dir, "points": len(c.Points), "proven": proven})
}

// drawCurve draws the worst ratios found as steps, which bound the competitive ratio from below, beside the bound of the paper and
// random instances.
func drawCurve(c *worst.Curve) ([]byte, error) {
	lines := []plots.Line{
		{Label: "worst found", Step: true, Points: true},
		{Label: "worst of as many random instances"},
		{Label: "mean of random instances"},
		{Label: "the paper's bound"},
		{Label: "shape of the paper's bound"},
	}
	for i := range lines {
		lines[i].Style = plots.Style{Index: i}
	}
	for _, p := range c.Points {
		bound, shape := p.Bound, p.Bound
		if p.Shape {
			bound = nil
		} else {
			shape = nil
		}
		for i, y := range []*float64{p.Ratio, p.Random, p.RandomMean, bound, shape} {
			if y != nil && !math.IsInf(*y, 0) {
				lines[i].X, lines[i].Y = append(lines[i].X, p.At), append(lines[i].Y, *y)
			}
		}
	}
	title := fmt.Sprintf("Worst ratios of %s found", c.Algorithm)
	return plots.Lines(plots.Frame{
		Title: title, X: plots.Axis{Label: c.Name, Base: math.NaN(), Whole: c.Name == "jobs"},
		Y: plots.Axis{Label: "ratio to the optimum at speed 1", Base: 1},
	}, lines).SVG()
}
