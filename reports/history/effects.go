package history

import (
	"math"
	"slices"

	"schedgap/reports/stats"
)

// equal are two values that differ by rounding only.
func equal(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

// A course is what a series has in common over the runs: what its units differ in is taken out, so that runs which lack some units, and
// suites that grow, are compared by the units that they share.
type course struct {
	runs    []int // those that have a value
	effects []float64
	level   float64 // the mean of the units; level + effect is what the mean of all units would be in a run
}

// fit splits values into one level a unit and one effect a run by least squares, by turns. Runs that are not tied to the last one by
// common units are left out.
func fit(values [][]float64) course {
	c := course{runs: connected(values)}
	if len(c.runs) == 0 {
		return c
	}
	c.effects = make([]float64, len(c.runs))
	levels := make([]float64, len(values))
	const rounds, precise = 1000, 1e-13
	for range rounds {
		for i, xs := range values {
			sum, n := 0.0, 0
			for k, run := range c.runs {
				if !math.IsNaN(xs[run]) {
					sum, n = sum+xs[run]-c.effects[k], n+1
				}
			}
			levels[i] = sum / float64(n) // NaN where all its runs were left out
		}
		moved := 0.0
		for k, run := range c.runs {
			sum, n := 0.0, 0
			for i, xs := range values {
				if !math.IsNaN(xs[run]) {
					sum, n = sum+xs[run]-levels[i], n+1
				}
			}
			effect := sum / float64(n)
			moved = max(moved, math.Abs(effect-c.effects[k]))
			c.effects[k] = effect
		}
		if moved < precise {
			break
		}
	}
	c.level = stats.Mean(slices.DeleteFunc(levels, math.IsNaN))
	return c
}

// connected are the runs that have units in common with the last one, or with runs that do.
func connected(values [][]float64) []int {
	last := -1
	for _, xs := range values {
		for run, x := range xs {
			if !math.IsNaN(x) {
				last = max(last, run)
			}
		}
	}
	if last < 0 {
		return nil
	}
	in := make([]bool, len(values[0]))
	in[last] = true
	for grows := true; grows; {
		grows = false
		for _, xs := range values {
			tied := touches(xs, in)
			for run, x := range xs {
				if tied && !in[run] && !math.IsNaN(x) {
					in[run], grows = true, true
				}
			}
		}
	}
	var runs []int
	for run, is := range in {
		if is {
			runs = append(runs, run)
		}
	}
	return runs
}

// touches reports whether a unit has a value in some of the runs.
func touches(xs []float64, runs []bool) bool {
	for run, x := range xs {
		if runs[run] && !math.IsNaN(x) {
			return true
		}
	}
	return false
}

// steady reports whether a unit's values are those of a deterministic program: changed by few versions, and not again and again without
// one. Others, such as those of searches that end with their time, have noise.
func steady(xs []float64, runs []*Run) bool {
	last, changes, alone, known := -1, 0, 0, 0
	for run, x := range xs {
		if math.IsNaN(x) {
			continue
		}
		known++
		if last >= 0 && !equal(x, xs[last]) {
			changes++
			if runs[run].same(runs[last]) {
				alone++
			}
		}
		last = run
	}
	return alone <= 1 && changes <= max(2, known/5)
}
