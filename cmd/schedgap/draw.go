package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"schedgap/bench"
	"schedgap/bench/score/worst"
	"schedgap/reports/plots"
)

// drawable reports early that a drawing cannot be written, or would replace the instance. Without a file there is none.
func drawable(file, instance string) error {
	if file != "" && !strings.EqualFold(filepath.Ext(file), ".svg") {
		return fmt.Errorf("%q does not end in .svg, as drawings do", file)
	}
	return writableFile(file, instance)
}

// draw draws a schedule, which need not be feasible.
func draw(to string, in *bench.Instance, name string, solution []byte) error {
	s, err := schedule(in, name, solution)
	if err != nil {
		return err
	}
	figure, err := plots.Schedules([]plots.Schedule{s})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	svg, err := figure.SVG()
	if err != nil {
		return err
	}
	return writeFile(to, svg)
}

// drawFound draws the algorithm's schedule over the optimum; a problem without drawings has none.
func drawFound(f *worst.Found) ([]byte, error) {
	actual, errActual := schedule(f.Instance, worst.ActualFile, f.Value.Solution)
	optimal, errOptimal := schedule(f.Instance, worst.OptimalFile, f.Value.Optimal)
	if err := cmp.Or(errActual, errOptimal); err != nil {
		return nil, err
	}
	drawn, err := plots.Schedules([]plots.Schedule{actual, optimal})
	if err != nil {
		return nil, nil // there are no bars
	}
	return drawn.SVG()
}

func schedule(in *bench.Instance, file string, data []byte) (plots.Schedule, error) {
	chart, err := in.Chart(file, data)
	if err != nil {
		return plots.Schedule{}, err
	}
	v, err := in.Check(file, data)
	if err != nil {
		return plots.Schedule{}, err
	}
	title := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	if v.Feasible(nil) && v.Objective != nil {
		title += fmt.Sprintf(": %.6g", *v.Objective)
	} else {
		title += ": not feasible"
	}
	return plots.Schedule{Title: title, Chart: chart}, nil
}
