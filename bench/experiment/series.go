package experiment

import (
	"cmp"
	"fmt"
	"slices"

	"schedgap/datasets/claims"
)

// cdfMarks is at how many shares a cdf is marked, besides 0.
const cdfMarks = 40

// series are the figures' marks at the default point.
func (e *Experiment) series(settings []setting, all samples, o Options) ([]Mark, error) {
	marks := []Mark{}
	for _, f := range e.Figures {
		policies := f.Policies
		if len(policies) == 0 {
			policies = e.Policies
		}
		for _, policy := range policies {
			var list []Mark
			var err error
			if f.Form == "cdf" {
				list, err = e.distribution(f, policy, settings, all, o)
			} else {
				list, err = e.curve(f, policy, settings, all, o)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: figure %s, policy %s: %w", e.Name, f.Name, policy, err)
			}
			marks = append(marks, list...)
		}
	}
	return marks, nil
}

func (f Figure) mark(policy string, x float64, values []float64) Mark {
	mean, within := claims.Interval(values)
	return Mark{f.Name, x, policy, f.Y, stored(mean), stored(within.Low), stored(within.High)}
}

// curve marks y at every case.
func (e *Experiment) curve(f Figure, policy string, settings []setting, all samples, o Options) ([]Mark, error) {
	code, err := e.compileFigure(f)
	if err != nil {
		return nil, err
	}
	var marks []Mark
	for _, s := range settings {
		values := make([]float64, e.Seeds)
		for b := range values {
			v := &view{e: e, settings: settings, all: all, block: o.block(b)}
			if values[b], err = v.evaluate(code, map[string]any{"policy": policy, "x": s.x}); err != nil {
				return nil, err
			}
		}
		marks = append(marks, f.mark(policy, s.x, values))
	}
	return marks, nil
}

// distribution marks the share of jobs, or of instances, at quantiles of all of them.
func (e *Experiment) distribution(f Figure, policy string, settings []setting, all samples, o Options) ([]Mark, error) {
	var x []any
	if f.At != nil {
		x = []any{*f.At}
	}
	blocks := make([][]float64, e.Seeds)
	for b := range blocks {
		v := &view{e: e, settings: settings, all: all, block: o.block(b)}
		var err error
		if blocks[b], err = e.list(v, f.Y, policy, x...); err != nil {
			return nil, err
		}
		slices.Sort(blocks[b])
	}
	pooled := slices.Concat(blocks...)
	slices.Sort(pooled)
	var marks []Mark
	for i := range cdfMarks + 1 {
		at := quantileOf(pooled, float64(i)/cdfMarks)
		if n := len(marks); n > 0 && marks[n-1].X == stored(at) {
			continue
		}
		shares := make([]float64, len(blocks))
		for b, values := range blocks {
			n, _ := slices.BinarySearchFunc(values, at, func(v, at float64) int { return cmp.Or(cmp.Compare(v, at), -1) })
			shares[b] = float64(n) / float64(len(values))
		}
		marks = append(marks, f.mark(policy, stored(at), shares))
	}
	return marks, nil
}
