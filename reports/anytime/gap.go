// Package anytime says how fast algorithms came close to an optimum: gap functions over time, their integrals, and runs cut at a
// shorter limit. Its main types are Log, which holds the events of units, and Gap. Package summary makes the tables and figures
// of progress of them; report --at-limit cuts runs.
//
// Source: T. Berthold, Measuring the impact of primal heuristics, Operations Research Letters 41 (2013).
package anytime

import (
	"cmp"
	"math"
	"slices"

	"schedgap/reports/stats"
)

// Distance is Berthold's gap between a value and an optimum, or between a value and a bound: 0 where both are 0, 1 where their
// signs differ, else |x − y| / max(|x|, |y|). It is in [0, 1] and the same for both senses.
func Distance(x, y float64) float64 {
	switch {
	case x == y:
		return 0
	case x*y < 0:
		return 1
	}
	return math.Abs(x-y) / max(math.Abs(x), math.Abs(y))
}

// A Point is a value or a bound with the second from which on it is known.
type Point struct{ Seconds, Value float64 }

// A Gap is a gap function: 1 left of X[0], and Y[i] from X[i] on. X increases strictly.
type Gap struct{ X, Y []float64 }

// NewGap is the gap function of values over time.
func NewGap(values []Point, optimum float64) Gap {
	var g Gap
	for _, p := range values {
		g.set(p.Seconds, Distance(p.Value, optimum))
	}
	return g
}

// set goes on with y from x on, which is not left of what there is.
func (g *Gap) set(x, y float64) {
	n := len(g.X)
	switch {
	case n > 0 && g.X[n-1] == x:
		g.Y[n-1] = y
	case n > 0 && g.Y[n-1] == y:
	default:
		g.X, g.Y = append(g.X, x), append(g.Y, y)
	}
}

// At is the gap at a time.
func (g Gap) At(seconds float64) float64 { return stats.Curve(g).From(1, seconds) }

// Integral is the integral of the gap from 0 to a horizon, in seconds: as long as the algorithm would have taken to come to the
// same if it had had nothing until then and the optimum at once. The smaller the better.
func (g Gap) Integral(horizon float64) float64 {
	sum, at, gap := 0.0, 0.0, 1.0
	for i, x := range g.X {
		if x >= horizon {
			break
		}
		sum += (x - at) * gap
		at, gap = x, g.Y[i]
	}
	return sum + (horizon-at)*gap
}

// Mean is the mean of gap functions at every time; of none it is 1.
func Mean(gaps []Gap) Gap {
	type step struct{ at, by float64 }
	var steps []step
	for _, g := range gaps {
		before := 1.0
		for i, x := range g.X {
			steps = append(steps, step{x, g.Y[i] - before})
			before = g.Y[i]
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	var out Gap
	sum := float64(len(gaps))
	for _, s := range steps {
		sum += s.by
		out.set(s.at, max(0, sum/float64(len(gaps))))
	}
	return out
}
