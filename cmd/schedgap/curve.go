package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"schedgap/bench"
	"schedgap/bench/plan/suite"
	"schedgap/bench/score/worst"
	"schedgap/datasets/curves"
	"schedgap/models/input"
	"schedgap/reports/plots"
	"schedgap/reports/summary"
)

// curveEvaluations is the number of evaluations at each value of a curve if none is asked for.
const curveEvaluations = 300

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
	if len(w.o.Request.Command) > 0 || w.o.Budget > 0 || len(w.from) > 0 || w.like != "" {
		return errors.New("--curve takes an algorithm by -a, and neither a command, --budget, --from nor --like")
	}
	w.o.Suite, err = w.suite(ctx)
	if err != nil {
		return err
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
	old, err := storedCurve(curveName(c))
	if err != nil {
		return err
	}
	if old != nil {
		for _, says := range better(c, old, w.out) {
			w.app.complain(says)
		}
	}
	if err := w.app.printJSON(c); err != nil {
		return err
	}
	w.app.next("schedgap worst --recheck " + summary.Quote(w.out))
	return nil
}

// better says where a curve is worse for the algorithm than an old one.
func better(c, old *worst.Curve, dir string) (says []string) {
	if old.Speed != c.Speed || old.Reference != c.Reference {
		return nil
	}
	ratios := map[float64]float64{}
	for _, p := range old.Points {
		if p.Ratio != nil {
			ratios[p.At] = *p.Ratio
		} else {
			ratios[p.At] = 0 // nothing was found
		}
	}
	for _, p := range c.Points {
		stored, has := ratios[p.At]
		if has && p.Ratio != nil && *p.Ratio > stored*(1+1e-6) {
			says = append(says, fmt.Sprintf("NEW WORST: at %s %v %s has the ratio %.6g on %s, and the stored curve has %.6g", c.Name, p.At,
				c.Algorithm, *p.Ratio, filepath.Join(dir, p.File), stored))
		}
	}
	return says
}

// curveName is the name of a curve's folder among those stored.
func curveName(c *worst.Curve) string {
	return c.Problem + "-" + strings.ReplaceAll(c.Algorithm, ":", "-") + "-" + c.Name
}

// storedCurve is a curve that is stored with the program; nil: there is none.
func storedCurve(name string) (*worst.Curve, error) {
	data, err := curves.Files.ReadFile(name + "/" + worst.CurveFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c := new(worst.Curve)
	if err == nil {
		err = json.Unmarshal(data, c)
	}
	if err != nil {
		return nil, fmt.Errorf("stored curve %s: %w", name, err)
	}
	return c, nil
}

// suite is a tenth of the instances of the problem's small suite; a problem without one has none.
func (w *worstCommand) suite(ctx context.Context) (list []*bench.Instance, err error) {
	const share = 10
	if w.o.Problem.Folder != nil {
		return nil, nil
	}
	suites, err := suite.Load(w.o.Problem.Name+"-small", w.app.registry)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, s := range suites {
		plan, err := w.app.withLibrary(ctx, s)
		if err != nil {
			return nil, err
		}
		for _, u := range plan.Units {
			if seen[u.Instance.SHA256] {
				continue
			}
			if len(seen)%share == 0 {
				list = append(list, u.Instance)
			}
			seen[u.Instance.SHA256] = true
		}
	}
	return list, nil
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
	suite := "mean of the small suite"
	if first := c.Points[0]; first.SuiteDeclined > 0 {
		suite += fmt.Sprintf(" (%d of %d)", first.SuiteSize, first.SuiteSize+first.SuiteDeclined)
	}
	lines := []plots.Line{
		{Label: "worst found", Step: true, Points: true},
		{Label: "worst of as many random instances"},
		{Label: suite},
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
		for i, y := range []*float64{p.Ratio, p.Random, p.SuiteMean, bound, shape} {
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
